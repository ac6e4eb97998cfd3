"""How long a document will take to count, told before it begins."""

from docie.core.cost.seconds import CHARACTER_PAIR, DOCUMENT, TEXT_PAIR, VALUE, Size, comparing_texts, foretold, size_of

__all__ = ["CHARACTER_PAIR", "DOCUMENT", "TEXT_PAIR", "VALUE", "Size", "comparing_texts", "foretold", "size_of"]
