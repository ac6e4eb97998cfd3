"""Harnesses that evaluate language models: a module for each one, which imports it. Import the module that you need.

`inspect_ai`, `langfuse`, `langsmith`, `lm_eval` (also for lmms-eval), `mlflow`, `phoenix` and `pydantic_evals`.
"""
