from docie.adapters.harnesses import lm_eval

process_results = lm_eval.process_results("kieval", reference="reference", scores=["entity_f1", "document_accuracy"])
entity_f1 = lm_eval.aggregation("kieval_entity_f1")
document_accuracy = lm_eval.aggregation("kieval_document_accuracy")


def doc_to_visual(doc: dict[str, object]) -> list[object]:
    return []  # of a data set with pictures: [doc["image"].convert("RGB")]
