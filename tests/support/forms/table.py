"""All forms: what writes them, what a user types to score them, and what arrives of confidences, boxes and pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import service_answers
from . import answers, exports, files, services
from .invoices import Case

CONFIDENCE, BOX, PAGE = ("confidence",), ("box",), ("page",)
ALL = (*CONFIDENCE, *BOX, *PAGE)
PACKAGE, BUILT = "the package", "built"
"""How a form was checked: its own package accepts what is written here, or it is only built as the documentation says."""


class Form(NamedTuple):
    """A form of files.

    Attributes:
        name: what it is called.
        typed: the arguments of `docie score`.
        write: writes the files of invoices into a folder.
        carries: what arrives of a value beside its text.
        is_header: whether only the header of an invoice can be written so.
        is_answer: whether its rows are not documents, but what a model, a service or a tool wrote.
        is_service: whether they are answers of a service.
        needs: packages that write the files.
        checked: how it was checked that others write it so; "" for what is the same everywhere.
    """

    name: str
    typed: str
    write: Callable[[Path, list[Case]], None]
    carries: tuple[str, ...] = ALL
    is_header: bool = False
    is_answer: bool = False
    is_service: bool = False
    needs: tuple[str, ...] = ()
    checked: str = ""

    def prepare(self, folder: Path, cases: list[Case]) -> list[str]:
        """Write the files; gives the arguments of `docie score`."""
        if "references.jsonl" in self.typed:
            files.references(folder, cases)
        self.write(folder, cases)
        return self.typed.split()


class PythonForm(NamedTuple):
    """A form of Python objects: predictions and references."""

    name: str
    write: Callable[[list[Case]], tuple[Any, Any]]
    needs: tuple[str, ...] = ()


FOLDER = "references.jsonl answers"
AZURE, TEXTRACT, GOOGLE = (f"{FOLDER} --config predictions.rename={name}:invoices" for name in (
    "azure_document_intelligence", "textract_expense", "google_document_ai"))  # fmt: skip


def _service(name: str, write: Callable[..., Any], typed: str = FOLDER, **more: Any) -> Form:
    return Form(name, typed, services.folder_of(write), **{"checked": PACKAGE, **more}, is_answer=True, is_service=True)


def _answers(name: str, typed: str, write: Callable[[Path, list[Case]], None], **more: Any) -> Form:
    return Form(name, typed, write, **more, is_answer=True)


FORMS = [
    Form("JSON Lines", "references.jsonl predictions.jsonl", files.json_lines),
    Form("a JSON list", "references.jsonl predictions.json", files.json_list),
    Form("a folder of JSON files", "references.jsonl predictions", files.json_folder),
    Form("one file with both", "results.jsonl results.jsonl", files.both_sides),
    Form("a file for each page", "references.jsonl pages --config predictions.pages=name", files.pages),
    Form("CSV, a row for each document", "references.csv predictions.csv", files.wide_csv),
    Form("CSV with semicolons", "references.csv predictions.csv", files.semicolons),
    Form("CSV in UTF-16", "references.csv predictions.csv", files.utf_16),
    Form("TSV", "references.tsv predictions.tsv", files.tsv),
    Form("CSV, a row for each value", "references.csv predictions.csv", files.long_csv),
    Form("CSV with a table of line items",
         "references.csv predictions.csv --config references.lines=references/items.csv --config predictions.lines=predictions/items.csv",
         files.csv_with_lines),
    Form("Excel, with a sheet of line items", "references.xlsx predictions.xlsx", files.excel, needs=("openpyxl",)),
    Form("Parquet", "references.parquet predictions.parquet", files.parquet),
    Form("a data set of the Hub", "dataset:invoices#test predictions.jsonl", files.dataset),
    Form("line items as HTML tables", "references.jsonl predictions.jsonl --config predictions.records=tables", files.html_tables, carries=()),
    Form("line items as Markdown tables", "references.jsonl predictions.jsonl --config predictions.records=tables", files.markdown_tables, carries=()),
    _answers("answers of a model as text files", "references.jsonl answers", answers.texts),
    _answers("answers of a model in a column", "references.jsonl answers.jsonl --config predictions.unwrap=output", answers.column),
    _answers("OpenAI batch, chat completions", "references.jsonl batch.jsonl", answers.batch("chat"), checked=PACKAGE),
    _answers("OpenAI batch, tool calls", "references.jsonl batch.jsonl", answers.batch("tool_calls"), checked=PACKAGE),
    _answers("OpenAI batch, Responses", "references.jsonl batch.jsonl", answers.batch("responses"), checked=PACKAGE),
    _answers("Anthropic message batch", "references.jsonl batch.jsonl", answers.anthropic, checked=PACKAGE),
    _answers("Gemini batch", "references.jsonl batch.jsonl", answers.gemini, checked=PACKAGE),
    _answers("Azure OpenAI batch", "references.jsonl batch.jsonl", answers.batch("azure"), checked=PACKAGE),
    _answers("vLLM batch", "references.jsonl batch.jsonl", answers.batch("vllm"), checked=BUILT),
    _answers("sequences of Donut", "references.jsonl sequences.jsonl --config predictions.parse=donut", answers.donut, carries=()),
    _service("Azure Document Intelligence", services.azure, AZURE),
    _service("Azure Document Intelligence, to_dict of Python", services.azure_to_dict, AZURE),
    _service("Azure Document Intelligence, JavaScript", services.azure_javascript, AZURE, checked=BUILT),
    _service("AWS Textract AnalyzeExpense", services.textract, TEXTRACT),
    _service("Google Document AI, REST", services.google_rest, GOOGLE),
    _service("Google Document AI, to_json", services.google_json, GOOGLE),
    _service("Google Document AI, to_dict", services.google_dict, GOOGLE),
    *(
        _service(each.form, service_answers.WRITERS[name], carries=each.carries, is_header=not each.has_items, checked=each.checked)
        for name, each in service_answers.WRITTEN.items()
        if each.form
    ),
    _service("Reducto, with citations beside it", service_answers.reducto_legacy, checked=BUILT),
    _answers("LangExtract", "references.jsonl extractions.jsonl", services.annotated_lines, carries=(), is_header=True, checked=PACKAGE),
    _answers("Label Studio", "export.json export.json", exports.label_studio, is_header=True, checked=PACKAGE),
    _answers("doccano", "export.jsonl predictions.jsonl", exports.doccano, is_header=True, checked=BUILT),
    _answers("Argilla", "records.json records.json", exports.argilla, carries=CONFIDENCE, is_header=True, checked=BUILT),
]  # fmt: skip

PYTHON_FORMS = [
    PythonForm("frames of pandas", files.pandas_frames, ("pandas",)),
    PythonForm("frames of polars", files.polars_frames, ("polars",)),
    PythonForm("tables of Arrow", files.arrow_tables),
    PythonForm("pydantic models", files.pydantic_models, ("pydantic",)),
    PythonForm("dataclasses", files.dataclasses_of),
    PythonForm("JSON texts", files.json_texts),
]
