"""Which sound, picture or video belongs to which segment: a table, or the names of the files."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .lines import Source
from .problem import FileRow, ImportProblem, shortened
from .table import Columns, read_table
from .texts import LONGEST_FILE_NAME, LONGEST_NAME, MEDIA, MediaPlace, media_in

CAPTIONS = ".vtt"
COLUMNS = Columns(required=("segment", "media"), optional=MEDIA[1:])


@dataclass(slots=True)
class MediaRow(FileRow):
    """What a segment, by its key, is to have; None: nothing. `row` is None where the name of a file
    says it, and `file` is the archive then."""

    row: int | None  # type: ignore[assignment]
    key: str
    media: MediaPlace | None


def from_table(table: Source) -> Iterator[MediaRow]:
    """Yield a row for each segment. Raise ImportProblem for a segment that comes twice."""
    seen: dict[str, int] = {}
    for row in read_table(table, COLUMNS):
        key = row.name("segment", LONGEST_NAME)
        if key in seen:
            reason = f"{shortened(key)} is already the segment of row {seen[key]:,}."
            raise row.problem("segment", reason)
        seen[key] = row.number
        yield MediaRow(row.file, row.number, key, media_in(row))


def from_names(names: Iterable[str], archive: str) -> Iterator[MediaRow]:
    """Yield files that are called as their segments are, and an ending: h1.mp3, and h1.vtt for
    captions.

    Raises ImportProblem for two files of a segment, captions alone, and a name that is too long.
    """
    captions: dict[str, str] = {}
    files: dict[str, str] = {}
    for name in sorted(names):
        key, _, ending = name.rpartition(".")
        if len(name) > LONGEST_FILE_NAME:
            raise ImportProblem(archive, None, "", f"the name {shortened(name)} is too long.")
        of_kind = captions if f".{ending.lower()}" == CAPTIONS else files
        if key in of_kind:
            reason = f"{shortened(of_kind[key])} and {shortened(name)} belong to the same segment."
            raise ImportProblem(archive, None, "", reason)
        of_kind[key] = name
    for key, name in captions.items():
        if key not in files:
            reason = f"there is no sound or video for the captions {shortened(name)}."
            raise ImportProblem(archive, None, "", reason)
    for key, name in files.items():
        yield MediaRow(archive, None, key, MediaPlace(name, captions.get(key, "")))
