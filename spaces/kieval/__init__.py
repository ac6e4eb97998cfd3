"""The Space of KIEval."""
