"""The own Python packages of services and tools, where they are installed, accept what the tests write, and what they make
of it is read like it."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from docie.adapters import services

import service_answers
from forms.answers import BODIES
from forms.exports import label_studio
from forms.invoices import cases
from forms.services import google_dict, google_json, google_rest
from forms.table import FORMS, PACKAGE, Form
from service_answers import Answer, Invoice, Value
from sizes import length

EXAMPLE = Invoice(
    {"vendor": Value("ACME GmbH", 0.75, (0.125, 0.0, 0.5, 0.25), 1), "total": Value("7,50", 0.5, (0.5, 0.75, 1.0, 1.0), 2)},
    [{"name": Value(text, 0.25, (0.0, 0.0, 0.25, 0.5), 1)} for text in ("Bagel", "Latte")],
)  # fmt: skip
JOB = {"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z", "file_input": "f", "project_id": "p"}
LANDING = {"credit_usage": 1, "duration_ms": 1, "filename": "f", "job_id": "1"}


def azure(answer: Answer) -> Any:
    if "documents" in answer:
        return import_module("azure.ai.formrecognizer").AnalyzeResult.from_dict(answer).to_dict()
    return import_module("azure.ai.documentintelligence.models").AnalyzeResult(answer["analyzeResult"])


def azure_to_dict(answer: Answer) -> Any:
    """What the older package makes of the older version of the REST API."""
    model = import_module("azure.ai.formrecognizer._generated.v2023_07_31.models").AnalyzeResult
    return (
        import_module("azure.ai.formrecognizer")
        .AnalyzeResult._from_generated(model.deserialize(answer["analyzeResult"]))
        .to_dict()
    )


def form_recognizer(answer: Answer) -> Any:
    """The forms that the package makes of version 2.1, of which each is an answer."""
    package = import_module("azure.ai.formrecognizer")
    model = import_module("azure.ai.formrecognizer._generated.v2_1.models").AnalyzeOperationResult
    helper = import_module("azure.ai.formrecognizer._response_handlers")
    [form] = helper.prepare_prebuilt_models(
        model.deserialize({**answer, "lastUpdatedDateTime": "2026-01-01T00:00:00Z"})
    )
    assert isinstance(form, package.RecognizedForm)
    return form.to_dict()


def content_understanding(answer: Answer) -> Any:
    return import_module("azure.ai.contentunderstanding.models").AnalysisResult(answer["result"])


def textract(answer: Answer) -> Any:
    model = import_module("botocore.session").get_session().get_service_model("textract")
    operations = {"ExpenseDocuments": "AnalyzeExpense", "IdentityDocuments": "AnalyzeID", "Blocks": "AnalyzeDocument",
                  "Results": "GetLendingAnalysis"}  # fmt: skip
    [operation] = [name for key, name in operations.items() if key in answer]
    shape = model.operation_model(operation).output_shape
    report = import_module("botocore.validate").ParamValidator().validate(answer, shape)
    assert not report.has_errors(), report.generate_report()
    return answer


def google(answer: Answer) -> Any:
    document = import_module("google.cloud.documentai").Document()
    import_module("google.protobuf.json_format").ParseDict(answer, document._pb)
    return type(document).to_dict(document)


def llama(answer: Answer) -> Any:
    return import_module("llama_cloud.types.extract_v2_job").ExtractV2Job.model_validate({**answer, **JOB})


def reducto(answer: Answer) -> Any:
    usage = {"num_fields": 1, "num_pages": 1}
    model = import_module("reducto.types.v3_extract").V3Extract
    return model.model_validate({**answer, "usage": usage, "response_type": "v3_extract"})


def extend(answer: Answer) -> Any:
    output = import_module("extend_ai.types.extract_output_json").ExtractOutputJson.model_validate(answer["output"])
    return {"output": output}


def landing(answer: Answer) -> Any:
    return import_module("landingai_ade.types").ExtractResponse.model_validate({**answer, "metadata": LANDING})


def mistral(answer: Answer) -> Any:
    page = {"index": 0, "markdown": "", "images": [], "dimensions": {"dpi": 200, "width": 1, "height": 1}}
    answer = {**answer, "pages": [page], "usage_info": {"pages_processed": 1}}
    return import_module("mistralai.client.models").OCRResponse.model_validate(answer)


def docling(answer: Answer) -> Any:
    [item] = answer["key_value_items"]
    answer = {**answer, "name": "x", "key_value_items": [{**item, "self_ref": "#/key_value_items/0"}]}
    return import_module("docling_core.types.doc.document").DoclingDocument.model_validate(answer)


def langextract(answer: Answer) -> Any:
    library = import_module("langextract.data_lib")
    return library.annotated_document_to_dict(library.dict_to_annotated_document(answer))


def mindee(answer: Answer) -> Any:
    more = {"job": {"id": "1"}, "active_options": {}}
    file = {"alias": None, "mime_type": "", **answer["inference"]["file"]}
    response = {"inference": {**answer["inference"], **more, "file": file}}
    fields = import_module("mindee.v2.parsing.inference.field").InferenceFields(
        response["inference"]["result"]["fields"]
    )
    assert {*fields} == {*answer["inference"]["result"]["fields"]}
    return answer


def anthropic(answer: Answer) -> Any:
    model = import_module("anthropic.types.messages").MessageBatchIndividualResponse
    return model.model_validate(answer).model_dump()


def gemini(answer: Answer) -> Any:
    """In snake case, as the package writes it."""
    model = import_module("google.genai.types").InlinedResponse
    found = model.model_validate({"response": answer["response"], "metadata": {"key": answer["key"]}})
    return found.model_dump(exclude_none=True)


MODELS: list[tuple[str, str, Callable[[Answer], Any]]] = [
    ("azure_document_intelligence", "azure.ai.documentintelligence", azure),
    ("azure_document_intelligence", "azure.ai.formrecognizer", azure_to_dict),
    ("azure_form_recognizer", "azure.ai.formrecognizer", form_recognizer),
    ("azure_content_understanding", "azure.ai.contentunderstanding", content_understanding),
    ("textract_expense", "botocore", textract),
    ("textract_id", "botocore", textract),
    ("textract_lending", "botocore", textract),
    ("textract_document", "botocore", textract),
    ("google_document_ai", "google.cloud.documentai", google),
    ("llama_extract", "llama_cloud", llama),
    ("reducto", "reducto", reducto),
    ("extend", "extend_ai", extend),
    ("landing_ai", "landingai_ade", landing),
    ("mistral", "mistralai.client", mistral),
    ("docling", "docling_core", docling),
    ("langextract", "langextract", langextract),
    ("mindee", "mindee.v2", mindee),
    ("anthropic_batch", "anthropic", anthropic),
    ("gemini_batch", "google.genai", gemini),
]


@pytest.mark.parametrize(
    ("service", "package", "model"), MODELS, ids=[f"{service}, {package}" for service, package, _ in MODELS]
)
def test_packages_read_what_the_tests_write(service: str, package: str, model: Callable[[Answer], Any]) -> None:
    pytest.importorskip(package)
    answer = getattr(service_answers, service)(EXAMPLE)
    read = services.to_document
    found = model(answer)
    assert read(found, service) == read(answer, service)
    assert read(found) == read(answer, service)


@pytest.mark.parametrize(
    "form", [form for form in FORMS if form.is_service and form.checked == PACKAGE], ids=lambda form: form.name
)
@length(30, 2)
def test_packages_read_the_corpus_of_forms(form: Form, length: int, tmp_path: Path) -> None:
    path = form.prepare(tmp_path, cases(length))[1]
    for file in sorted((tmp_path / path).iterdir()):
        answer = json.loads(file.read_text(encoding="utf-8"))
        service = str(services.detect(answer))
        package, model = next((package, model) for name, package, model in MODELS if name == service)
        pytest.importorskip(package)
        assert services.to_document(model(answer), service) == services.to_document(answer, service)


def test_the_spellings_of_google_are_those_of_its_package() -> None:
    package = pytest.importorskip("google.cloud.documentai")
    for case in cases(4):
        document = package.Document()
        import_module("google.protobuf.json_format").ParseDict(google_rest(case.found), document._pb)
        written = [json.loads(package.Document.to_json(document)), package.Document.to_dict(document)]
        for built, real in zip((google_json(case.found), google_dict(case.found)), written, strict=True):
            assert {*built} <= {*real}
            assert services.to_document(real) == services.to_document(built)
            assert [{*entity} - {*real["entities"][0]} for entity in built["entities"]] == [set()] * len(
                built["entities"]
            )


@pytest.mark.parametrize("kind", ["chat", "tool_calls", "azure", "responses"])
def test_openai_reads_the_bodies_of_batch_lines(kind: str) -> None:
    pytest.importorskip("openai")
    types = import_module("openai.types")
    model = types.responses.Response if kind == "responses" else types.chat.ChatCompletion
    for case in cases(6):
        body = BODIES[kind](case)
        read = model.model_validate(body)
        if kind == "responses":
            assert read.output_text == body["output"][1]["content"][0]["text"]
        else:
            assert read.choices[0].message.content == body["choices"][0]["message"]["content"]
            assert read.choices[0].finish_reason == body["choices"][0]["finish_reason"]


def test_label_studio_reads_tasks(tmp_path: Path) -> None:
    interface = pytest.importorskip("label_studio_sdk.label_interface").LabelInterface(
        '<View><Image name="image" value="$image"/><RectangleLabels name="label" toName="image">'
        + "".join(f'<Label value="{name}"/>' for name in (*cases(1)[0].truth.header, *cases(1)[0].truth.items[0]))
        + '</RectangleLabels><TextArea name="text" toName="image" perRegion="true"/><Relations/></View>'
    )
    label_studio(tmp_path, cases(4))
    for task in json.loads((tmp_path / "export.json").read_text(encoding="utf-8")):
        for annotation in (*task["annotations"], *task["predictions"]):
            regions = {**annotation, "result": [each for each in annotation["result"] if each["type"] != "relation"]}
            assert interface.validate_annotation(regions)
            wrong = json.loads(json.dumps(regions).replace('["total"]', '["sum"]'))
            assert wrong == regions or not interface.validate_annotation(wrong)
