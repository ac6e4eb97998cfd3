"""Where things stand in the answers of the services: what `walking` needs to know, and what tells the answers apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..parsed import plain
from .places import Paths, found_at


class Layout(NamedTuple):
    """Where things stand in the answer of a service.

    Attributes:
        signs: paths that only an answer of this service has, all of one tuple.
        id: the id of the document, if the answer names it. An id of the answer itself is none.
        model: the model that answered.
        root: the fields, or a list of documents.
        fields: those of one document, if `root` is a list of documents.
        values: the value in a field, as it is printed. Without these, fields are plain JSON values.
        normalized: the value as the service writes it in one form.
        children: the fields in a field.
        parents: types of fields that have no value of their own.
        label: the name of a field, if fields are a list.
        separator: what stands between a name and the name of the field around it, which is repeated.
        lists: names that stand for a list even if there is one.
        wrapped: keys that tell a value with its place from an object.
        meta: an object of the same shape as the fields, which says where they stand.
        is_flat: whether `meta` is an object by paths such as `items[0].name`.
        confidences: those of a value. The lowest one counts.
        scale: the confidence of what is certain.
        is_zero_unset: whether a confidence of 0 says that there is none.
        regions: where a value stands: a region or a list of them. In a region, or else in the field, are
        shares: its box as shares of the page,
        lengths: its box in another unit,
        page: its page,
        size: an object with the width and the height of the page.
        chunks: an object of regions by their ids, if a value names only the ids of its regions.
        pages: all pages, with their sizes.
        first_page: the number of the first page.
        default_page: the page of a region that names none.
    """

    signs: tuple[Paths, ...]
    root: Paths
    id: Paths = ("custom_id", "document_id", "id")
    model: Paths = ("model", "response.body.model")
    fields: str | None = None
    values: Paths = ()
    normalized: Paths = ()
    children: Paths = ()
    parents: tuple[str, ...] = ()
    label: Paths = ()
    separator: str = ""
    lists: tuple[str, ...] = ()
    wrapped: frozenset[str] = frozenset()
    meta: Paths = ()
    is_flat: bool = False
    confidences: Paths = ()
    scale: int = 1
    is_zero_unset: bool = False
    regions: Paths = ()
    shares: Paths = ()
    lengths: Paths = ()
    page: Paths = ()
    size: Paths = ()
    chunks: Paths = ()
    pages: Paths = ()
    first_page: int = 1
    default_page: int | None = None


_MARKS = ("valueSelectionMark", "valueSignature", "valueBoolean", "valueSelectionGroup")  # printed as ":selected:"
_TYPED = (
    "valueString", "valueDate", "valueTime", "valuePhoneNumber", "valueNumber", "valueInteger", "valueCountryRegion",
    "valueCurrency",
)  # fmt: skip
_CHILDREN = ("valueObject", "valueArray")

AZURE_DOCUMENT_INTELLIGENCE = Layout(
    signs=(
        ("analyzeResult.modelId",),
        ("analyzeResult.documents",),
        ("modelId", "documents"),
        ("modelId", "apiVersion"),
    ),
    root=("analyzeResult.documents", "documents"),
    model=("analyzeResult.modelId", "modelId"),
    fields="fields",
    values=(*_MARKS, "content"),
    normalized=_TYPED,
    children=_CHILDREN,
    parents=("array", "object"),
    confidences=("confidence",),
    regions=("boundingRegions",),
    lengths=("polygon",),
    page=("pageNumber",),
    pages=("analyzeResult.pages", "pages"),
)
AZURE_CONTENT_UNDERSTANDING = AZURE_DOCUMENT_INTELLIGENCE._replace(
    signs=(("result.contents",), ("analyzerId", "contents")),
    root=("result.contents", "contents"),
    model=("result.analyzerId", "analyzerId"),
    values=(*_MARKS, *_TYPED, "valueJson"),
    normalized=(),
    regions=("source",),
    page=("page",),
    pages=("pages",),
)
TEXTRACT_EXPENSE = Layout(
    signs=(("ExpenseDocuments",),),
    root=("ExpenseDocuments",),
    fields="SummaryFields",
    values=("ValueDetection.Text",),
    children=("SummaryFields",),
    label=("Name",),
    lists=("LineItems",),
    confidences=("Type.Confidence", "ValueDetection.Confidence"),
    scale=100,
    regions=("ValueDetection.Geometry",),
    shares=("BoundingBox", "Polygon"),
    page=("PageNumber",),
)
TEXTRACT_ID = TEXTRACT_EXPENSE._replace(
    signs=(("IdentityDocuments",),),
    root=("IdentityDocuments",),
    fields="IdentityDocumentFields",
    normalized=("ValueDetection.NormalizedValue.Value",),
    label=("Type.Text",),
)
GOOGLE_DOCUMENT_AI = Layout(
    signs=(
        ("entities.0.mentionText",), ("entities.0.mention_text",), ("entities.0.pageAnchor",),
        ("entities.0.page_anchor",), ("entities", "mimeType"), ("entities", "mime_type"), ("document.entities",),
        ("pages.0.formFields",), ("pages.0.form_fields",), ("document.pages.0.formFields",),
    ),
    root=("entities", "document.entities"),
    values=("mentionText", "mention_text"),
    normalized=(
        "normalizedValue.moneyValue", "normalized_value.money_value", "normalizedValue.dateValue",
        "normalized_value.date_value", "normalizedValue.text", "normalized_value.text",
    ),
    children=("properties",),
    label=("type", "type_"),
    separator="/",
    lists=("line_item",),
    confidences=("confidence",),
    is_zero_unset=True,
    regions=("pageAnchor.pageRefs", "page_anchor.page_refs", "pageAnchor", "page_anchor"),
    shares=("boundingPoly.normalizedVertices", "bounding_poly.normalized_vertices"),
    lengths=("boundingPoly.vertices", "bounding_poly.vertices"),
    page=("page",),
    pages=("pages", "document.pages"),
    first_page=0,
    default_page=0,
)  # fmt: skip
LLAMA_EXTRACT = Layout(
    signs=(("extract_result",), ("extraction_metadata", "data")),
    root=("extract_result", "data"),
    id=(),
    meta=(
        "extract_metadata.field_metadata.document_metadata", "extract_metadata.field_metadata.page_metadata",
        "extract_metadata.field_metadata.row_metadata", "extract_metadata.field_metadata",
        "extraction_metadata.field_metadata", "extract_metadata", "extraction_metadata",
    ),
    confidences=("confidence", "extraction_confidence", "parsing_confidence"),
    regions=("citation",),
    lengths=("bounding_boxes",),
    page=("page",),
    size=("page_dimensions",),
)  # fmt: skip
REDUCTO = Layout(
    signs=(("result", "usage", "job_id"), ("result", "response_type"), ("result.result", "result.usage")),
    root=("result",),
    wrapped=frozenset({"value", "citations"}),
    meta=("citations",),
    confidences=(
        "citations.0.granular_confidence.extract_confidence", "citations.0.granular_confidence.parse_confidence",
        "0.granular_confidence.extract_confidence", "0.granular_confidence.parse_confidence",
        "citations.0.confidence", "0.confidence",
    ),
    regions=("citations", ""),
    shares=("bbox",),
    page=("bbox.original_page", "bbox.page"),
)  # fmt: skip
EXTEND = Layout(
    signs=(("output.value", "output.metadata"),),
    root=("output.value",),
    id=(),
    meta=("output.metadata",),
    is_flat=True,
    confidences=("ocrConfidence", "logprobsConfidence"),
    regions=("citations",),
    lengths=("polygon",),
    page=("page.number", "page"),
    size=("page", ""),
)
LANDING_AI = Layout(
    signs=(("extraction", "extraction_metadata"),),
    root=("extraction",),
    meta=("extraction_metadata",),
    regions=("references",),
    shares=("box",),
    page=("page",),
    chunks=("grounding",),
    first_page=0,
)
MISTRAL = Layout(
    signs=(("document_annotation",), ("pages.0.markdown", "usage_info")),
    root=("document_annotation",),
)
DOCLING = Layout(
    signs=(("schema_name", "key_value_items"), ("schema_name", "field_items")),
    root=("fields",),
    values=("text", "orig"),
    normalized=(),
    children=("fields",),
    label=("name",),
    regions=("prov",),
    lengths=("bbox",),
    page=("page_no",),
    pages=("pages",),
)
LANGEXTRACT = Layout(
    signs=(("extractions.0.extraction_class",), ("extractions", "document_id")),
    root=("extractions",),
    values=("extraction_text",),
    children=("fields",),
    label=("extraction_class",),
)
OPENAI_BATCH = Layout(  # read by `batches`
    signs=(
        ("response.body.choices",), ("response.body.output",), ("custom_id", "response.status_code"),
        ("custom_id", "error"), ("choices.0.message",), ("output.0.type", "object"), ("output", "tool_choice"),
    ),
    root=("response.body",),
)  # fmt: skip


LAYOUTS: Mapping[str, Layout] = {
    "azure_document_intelligence": AZURE_DOCUMENT_INTELLIGENCE,
    "azure_content_understanding": AZURE_CONTENT_UNDERSTANDING,
    "textract_expense": TEXTRACT_EXPENSE,
    "textract_id": TEXTRACT_ID,
    "google_document_ai": GOOGLE_DOCUMENT_AI,
    "llama_extract": LLAMA_EXTRACT,
    "reducto": REDUCTO,
    "extend": EXTEND,
    "landing_ai": LANDING_AI,
    "mistral": MISTRAL,
    "docling": DOCLING,
    "langextract": LANGEXTRACT,
    "openai_batch": OPENAI_BATCH,
}

_FIRST_KEYS = {sign[0].partition(".")[0] for layout in LAYOUTS.values() for sign in layout.signs}


def detect(answer: object) -> str | None:
    """Name the service whose answer this is.

    Args:
        answer (dict): what a service may have answered, or any document.

    Returns:
        str: the name of the function that reads it; None for everything else.

    >>> detect({"ExpenseDocuments": []}), detect({"total": "7.50"})
    ('textract_expense', None)
    """
    answer = plain(answer)
    if isinstance(answer, dict) and _FIRST_KEYS.isdisjoint(answer):  # most documents
        return None
    for name, layout in LAYOUTS.items():
        if any(all(found_at(answer, path) is not None for path in sign) for sign in layout.signs):
            return name
    return None
