"""Why a score is low: errors as rows, what repairing them would bring, and labels that may be wrong."""
