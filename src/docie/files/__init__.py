"""References and predictions from files."""

from docie.files.counting import Blocks, PartitionedFiles, Reading, Tallies
from docie.files.joined import Joined, MismatchError
from docie.files.once import is_stream, read_once
from docie.files.partitions import SUFFIXES_OF_FOLDERS, Partition, is_partitioned, partitions_of
from docie.files.source import CERTAIN_SUFFIXES, InputError, Row, Source

__all__ = [
    "CERTAIN_SUFFIXES",
    "SUFFIXES_OF_FOLDERS",
    "Blocks",
    "InputError",
    "Joined",
    "MismatchError",
    "Partition",
    "PartitionedFiles",
    "Reading",
    "Row",
    "Source",
    "Tallies",
    "is_partitioned",
    "is_stream",
    "partitions_of",
    "read_once",
]
