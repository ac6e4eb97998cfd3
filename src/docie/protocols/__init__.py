"""Published scores by name: what a paper, a leaderboard or another package computes.

A protocol is a file of data, `published/<name>.toml`: a family of metrics with its settings, how files are read, and
the score that is quoted, with its source and published values. Where settings do not say it all, it names a module of
`scorers`.

>>> "kieval" in names(), get("docvqa").quoted
(True, 'anls_star')
"""

from docie.protocols.protocol import Compared, Fault, Protocol, Published, Reference, get, names

__all__ = ["Compared", "Fault", "Protocol", "Published", "Reference", "get", "names"]
