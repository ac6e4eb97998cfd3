from docie.adapters.harnesses import lm_eval

process_results = lm_eval.process_results("kieval", reference="reference", scores=["entity_f1", "document_accuracy"])
entity_f1 = lm_eval.aggregation("kieval_entity_f1")
document_accuracy = lm_eval.aggregation("kieval_document_accuracy")
