"""The texts that a kit holds, as the kit reads them. Standard library only.

`texts.jsonl` begins with a line about the whole: `mteval_texts` (1), `test_set`, the languages,
`systems`, `references`, `metrics` (by slug what scoring needs to know) and `sha256` of all other
lines. Each of these is a segment: `segment`, `document`, `source`, `references` and `outputs` by
name.
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
    """Why the kit cannot score, in words."""


@dataclass(frozen=True)
class ReadRow:
    """What a metric reads of one output. `references`: those that there are, in the order of their
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
        """Return what there is to score of a system; with references only segments that have
        one."""
        rows = []
        for each in self.segments:
            output = each["outputs"].get(system)
            found = [each["references"][r] for r in references if r in each["references"]]
            if output is not None and (found or not references):
                rows.append(ReadRow(each["segment"], each["source"], output, found))
        return rows


def read_texts(file: str = "") -> KitTexts:
    """Return the texts of a file, or those beside this program. Raise KitProblem for others."""
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
    """Return the texts in the archive that this program runs from, or in the folder it was unpacked
    to."""
    try:
        if TOP.is_file():
            with zipfile.ZipFile(TOP) as packed:
                return packed.read(FILE)
        return (TOP / FILE).read_bytes()
    except (OSError, KeyError) as error:
        raise KitProblem(
            f"There is no {FILE} next to this program; name one with --texts."
        ) from error
