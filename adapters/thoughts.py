"""The thoughts that a model writes beside its answer, between marks. They are no answer."""

from __future__ import annotations

import re

__all__ = ["outside_thoughts"]

_TAG = (
    r"(?:[a-z]{1,9}:)?(?:think(?:ing)?|thoughts?|reasoning|scratchpad)>"  # Qwen, DeepSeek and many others; seed:think
)
_OPENING = re.compile(
    rf"""(?<!["'])(?:<{_TAG}|\[THINK\]|◁think▷|<\|(?:start_thinking|begin_of_thought)\|>"""
    r"""|<\|channel\|?>(?:analysis|commentary|thought)\b|<\|open\|>think<\|sep\|>)""",  # gpt-oss, Gemma; Kimi
    re.IGNORECASE,
)
_CLOSING = re.compile(
    rf"</{_TAG}|\[/THINK\]|◁/think▷|<\|(?:end_thinking|end_of_thought)\|>"
    r"|<\|channel\|>final[^{}]{0,40}?<\|message\|>|<channel\|>|<\|close\|>think<\|sep\|>",
    re.IGNORECASE,
)


def outside_thoughts(text: str) -> list[str]:
    """The parts of an answer that are no thoughts: what follows the last ones, and what stands before the first ones.

    A mark that opens thoughts may be in the prompt, so everything before the last mark that closes some is thoughts,
    but for what stands before the first one that opens some. Thoughts that are not closed reach to the end.

    Args:
        text (str): the text of an answer.

    Returns:
        list of str: the parts, the last one first. Spaces replace what stands before, so that places stay the same. If
        there are no thoughts, the text itself.

    >>> outside_thoughts("<think>or 8?</think>9")
    ['                    9', '']
    >>> outside_thoughts("9 <think>or 8?"), outside_thoughts("9")
    (['9 '], ['9'])
    """
    first, closed = _OPENING.search(text), [mark.span() for mark in _CLOSING.finditer(text)]
    if not closed:
        return [text[: first.start()] if first else text]
    start = closed[-1][1]
    again = _OPENING.search(text, start)
    parts = [" " * start + text[start : again.start() if again else len(text)]]
    if first and first.start() < closed[0][0]:
        parts.append(text[: first.start()])
    return parts
