"""Changed bytes in real files of Appraise: they are read, or said to be wrong, and nothing else."""

import json
import tempfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.exchange.releases.appraise import Appraise
from judgments.exchange.releases.appraise_batches import AppraiseBatches
from judgments.exchange.releases.records import Problems
from judgments.files.problem import ImportProblem
from judgments.files.uploads import ReleaseFile, opened
from tests.shared import shared_data

FOLDER = ("10_as_released", "appraise")
FILES = {
    "240315rc5ESA.scores.csv.gz": Appraise(),
    "240315rc5MQM.scores.csv.gz": Appraise(),
    "Annotators_mapping.csv.gz": Appraise(),
    "MQM+ESA.batches_esa.json.gz": AppraiseBatches(),
    "Pairwise.batches.json.gz": AppraiseBatches(),
    "DataSQM.manifest.json.gz": AppraiseBatches(),
    "tutorial.de-en.esa.json": AppraiseBatches(),
}
PIECES = [
    b"", b"\0", b"\xff", b'"', b"'", b",", b"\t", b"\n", b"-1", b"1e999", b"NaN", b"null", b"true",
    b"[", b"{}", b"]", b"}", b"TGT", b"BAD", b"TUTORIAL", b"False", b"True", b"missing", b"#bad",
    b"9" * 25, b"\\ud800", b"\\u0000", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"[" * 9_000,
]  # fmt: skip


@cache
def start_of(name):
    """The first lines of a table, the first items of batches."""
    with ReleaseFile(name, shared_data(*FOLDER, name)).open() as stream:
        whole = stream.read()
    if ".csv" in name:
        return whole[: whole.rfind(b"\n", 0, 12_000) + 1]
    value = json.loads(whole)
    if isinstance(value, list) and "items" in value[0]:
        value = [{**batch, "items": batch["items"][:9]} for batch in value]
    return json.dumps(value, ensure_ascii=False).encode()


@pytest.mark.proof
@pytest.mark.parametrize("name", sorted(FILES))
@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 30), st.sampled_from(PIECES)),
        min_size=1,
        max_size=5,
    )
)
def test_it_is_read_or_refused(name, changes):
    data = bytearray(start_of(name))
    for place, n, piece in changes:
        at = int(place * len(data))
        data[at : at + n] = piece
    scores = start_of("240315rc5ESA.scores.csv.gz")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, name.removesuffix(".gz")).write_bytes(data)
        if name.startswith("Annotators"):
            Path(folder, "scores.csv").write_bytes(scores)
        with opened([Path(folder)]) as files:
            try:
                release = FILES[name].read(FILES[name].recognize(files), {}, Problems())
                for texts in release.texts:
                    list(texts.segments())
                for part in release.judgments:
                    list(part.screens())
                for plan in release.plans:
                    list(plan.batches())
            except ImportProblem:
                pass
