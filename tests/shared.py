"""Real human judgments next to the checkout, for the tests that need them.

The folder ``shared/data`` is not part of the project. If it is missing, those tests are skipped
with a reason, except under ``CI=true``, where it has to exist.
"""

import csv
import gzip
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def shared_data(*parts: str) -> Path:
    """Return the path of a file under ``shared/data``, in MTEVAL_SHARED or the checkout's parent.

    Skips the test if it is missing; fails it under CI=true.
    """
    folder = Path(os.environ.get("MTEVAL_SHARED") or ROOT.parent / "shared")
    path = folder.joinpath("data", *parts)
    if not path.exists():
        if os.environ.get("CI") == "true":
            pytest.fail(f"needs shared/data beside the checkout: no {'/'.join(parts)}")
        pytest.skip("needs shared/data beside the checkout")
    return path


def read_tsv(path: Path) -> list[dict[str, str]]:
    """Return the rows of a TSV file with a header and no quoting, gzipped or not."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
