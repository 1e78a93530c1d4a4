"""The texts in a kit, as the kit reads them. Standard library only.

`texts.jsonl` begins with a line about the whole: `mteval_texts` (1), `test_set`, the languages,
`systems`, `references`, `metrics` (data for scoring, by slug) and `sha256` of all other lines. Each
of these is a segment: `segment`, `document`, `source`, `references` and `outputs` by name.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = "texts.jsonl"
TOP = Path(__file__).resolve().parents[2]


class KitProblem(Exception):
    """The kit cannot score; the message says why."""


@dataclass(frozen=True)
class ReadRow:
    """Input of a metric for one output. `references`: the existing ones, in the order of their
    names."""

    segment: str
    source: str
    output: str
    references: list[str]


@dataclass(frozen=True)
class KitTexts:
    about: dict[str, Any]
    segments: list[dict[str, Any]]

    def rows_of(self, system: str, references: Sequence[str]) -> list[ReadRow]:
        """Return the rows to score of a system; with references only segments that have one."""
        rows = []
        for each in self.segments:
            output = each["outputs"].get(system)
            found = [each["references"][r] for r in references if r in each["references"]]
            if output is not None and (found or not references):
                rows.append(ReadRow(each["segment"], each["source"], output, found))
        return rows


def read_texts(file: str = "") -> KitTexts:
    """Return the texts of a file, or those next to this program. Raise KitProblem if they are
    invalid."""
    data = Path(file).read_bytes() if file else _own()
    head, _, rest = data.partition(b"\n")
    try:
        about = json.loads(head)
        if about["mteval_texts"] != 1 or hashlib.sha256(rest).hexdigest() != about["sha256"]:
            raise KitProblem(
                "The texts were changed or not copied completely; download them again."
            )
        return KitTexts(about, [json.loads(line) for line in io.BytesIO(rest)])
    except (ValueError, KeyError, TypeError) as error:
        raise KitProblem(f"{file or FILE} contains no texts of a kit.") from error


def _own() -> bytes:
    """Return the texts in the archive that this program runs from, or in the folder it was
    extracted to."""
    try:
        if TOP.is_file():
            with zipfile.ZipFile(TOP) as packed:
                return packed.read(FILE)
        return (TOP / FILE).read_bytes()
    except (OSError, KeyError) as error:
        raise KitProblem(
            f"There is no {FILE} next to this program; name one with --texts."
        ) from error
