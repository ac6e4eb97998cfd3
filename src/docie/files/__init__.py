"""References and predictions from files."""

from docie.files.counting import Blocks, PartitionedFiles, Reading, Tallies
from docie.files.joined import Joined
from docie.files.partitions import Partition, is_partitioned, partitions_of
from docie.files.source import CERTAIN_SUFFIXES, InputError, Row, Source

__all__ = [
    "CERTAIN_SUFFIXES",
    "Blocks",
    "InputError",
    "Joined",
    "Partition",
    "PartitionedFiles",
    "Reading",
    "Row",
    "Source",
    "Tallies",
    "is_partitioned",
    "partitions_of",
]
