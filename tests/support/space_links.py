"""Links of pages of the Spaces."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any


def copied(page: Any, within: str = "body") -> str:
    """The address that the button of a page copies, in a browser."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    button = page.locator(f"{within} .dx-link:visible")
    button.click()
    button.get_by_text("Copied").wait_for()
    return str(page.evaluate("navigator.clipboard.readText()"))


def packed(values: object) -> str:
    """What such a link says of the fields."""
    return base64.urlsafe_b64encode(zlib.compress(json.dumps(values).encode())).decode().rstrip("=")


def unpacked(link: str) -> Any:
    """The values of the fields in a link."""
    text = link.partition("=")[2]
    return json.loads(zlib.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))))
