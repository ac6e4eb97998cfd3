"""How a corpus is scored, which every signature records: by a family, with its settings, from rows that are read so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from docie.core.errors import warn
from docie.core.family import Family, checked_settings
from docie.core.settings import filled, signature
from docie.inputs.config import Config, reading_of
from docie.inputs.join import paired
from docie.inputs.reading import PLAIN, Reading
from docie.inputs.row import Pair


class Method(NamedTuple):
    """How a corpus is scored.

    Attributes:
        family: counts documents.
        settings: its options.
        reading: how rows become documents.

    >>> from docie import kieval
    >>> Method.of(kieval, None, {"join": {"missing": "empty"}}).signature(seed=0)
    'kieval|empty_groups:ignore|matching:optimal|normalize:none|ontology:all|reading:join.missing(empty)|seed:0|version:0.1.0'
    """

    family: Family
    settings: Any
    reading: Reading = PLAIN

    @classmethod
    def of(cls, family: Family, settings: object, config: Config) -> Method:
        """The method that a caller asks for, with None for defaults.

        Raises:
            ValueError: if the settings are not those of the family, or if the configuration is wrong.
        """
        reading = reading_of(config)
        return cls(family, filled(checked_settings(family, settings), reading.values), reading)

    def of_system(self, name: str) -> Method:
        """How the predictions of one of several systems are scored."""
        return self._replace(reading=self.reading.of_system(name))

    def signature(self, **more: object) -> str:
        """One line that records the method, with further options by name."""
        corrections = self.reading.corrections
        more |= {"reading": self.reading} if self.reading.options else {}
        protocol = self.reading.protocol.get(self.family.NAME)
        more |= {"protocol": protocol} if protocol else {}
        more |= {"corrected": corrections.changes} if corrections is not None and corrections.changes else {}
        return signature(self.family.NAME, self.settings, **more)

    def pairs(
        self, predictions: Iterable[object], references: Iterable[object], *, tell: Callable[[str], object] = warn
    ) -> Iterator[Pair]:
        """Each prediction with its reference, as `docie.inputs.join.paired` reads them."""
        return paired(predictions, references, self.reading, tell=tell)
