"""The Space of entity F1."""

from docie.spaces.common import page

demo = page.page_of(
    "entity_f1",
    title="Entity F1",
    introduction="The usual F1 score of papers: are values, or spans of tagged words, correct?",
)
