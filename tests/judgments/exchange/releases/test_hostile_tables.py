"""Tables that are made to do harm, or damaged."""

import gzip
import io
import zipfile

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from judgments.exchange.releases import registry
from judgments.exchange.releases.records import Problems
from judgments.exchange.releases.tables import workbooks
from judgments.files import ImportProblem
from judgments.files.uploads import opened
from tests.releases import facts
from tests.shared import shared_data

from .table_files import TABLE, as_csv, as_json, as_parquet, as_workbook, read

# ---- Hostile files -----------------------------------------------------------------------------


def workbook_with(more=(), **parts):
    """A small workbook, some parts of which are exchanged, with more of them."""
    stream = io.BytesIO()
    book = zipfile.ZipFile(io.BytesIO(as_workbook(TABLE)))
    with book, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in book.namelist():
            key = name.rpartition("/")[2].partition(".")[0]
            copy.writestr(name, parts.get(key, book.read(name)))
        for name, content in more:
            copy.writestr(name, content)
    return stream.getvalue()


SHEET = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{}</sheetData></worksheet>'

LAUGHS = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 10))

BOMBS = {
    "entities": {
        "sheet1": f'<!DOCTYPE x [<!ENTITY a0 "ha">{LAUGHS}]>'
        + SHEET.format('<row r="1"><c r="A1" t="inlineStr"><is><t>&a9;</t></is></c></row>')
    },
    "file": {
        "sheet1": '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>'
        + SHEET.format('<row r="1"><c r="A1" t="inlineStr"><is><t>&f;</t></is></c></row>')
    },
    "columns": {"sheet1": SHEET.format('<row r="1"><c r="XFD1"><v>1</v></c></row>')},
    "torn": {"sheet1": SHEET.format("<row r='1'>")[:-30]},
    "strings": {"sheet1": SHEET.format('<row r="1"><c r="A1" t="s"><v>999999</v></c></row>')},
    "relations": {"workbook": "<x/>"},
}


@pytest.mark.parametrize("name", BOMBS)
def test_hostile_workbooks(tmp_path, name):
    with pytest.raises(ImportProblem):
        read(tmp_path, **{"t.xlsx": workbook_with(**BOMBS[name])})


def test_a_workbook_that_unpacks_to_too_much(tmp_path, settings, monkeypatch):
    settings.MAX_UPLOAD_BYTES = 10**6
    large = SHEET.format("<row r='1'></row>" * 10**5)
    with pytest.raises(ImportProblem, match="unpacks to more"):
        read(tmp_path, **{"t.xlsx": workbook_with(sheet1=large)})
    settings.MAX_UPLOAD_BYTES = 10**8
    monkeypatch.setattr(workbooks, "MOST_SHARED", 10)
    with pytest.raises(ImportProblem, match="unpacks to more"):
        read(tmp_path, **{"t.xlsx": workbook_with([("xl/sharedStrings.xml", "s" * 11)])})
    monkeypatch.setattr(workbooks, "MOST_SHARED", 10**8)
    monkeypatch.setattr(workbooks, "MOST_CELLS", 20)
    with pytest.raises(ImportProblem, match="20 cells"):
        read(tmp_path, **{"t.xlsx": as_workbook(TABLE)})


def test_a_parquet_of_few_bytes_and_long_texts(tmp_path):
    """A dictionary of one text, for a million rows."""
    stream = io.BytesIO()
    text = "x" * 10**6
    indices = pa.array([0] * 10**5, pa.int32())
    column = pa.DictionaryArray.from_arrays(indices, pa.array([text]))
    parquet.write_table(pa.table({"source": column}), stream)
    assert len(stream.getvalue()) < 10**5
    release = stream.getvalue()
    with pytest.raises(ImportProblem):
        read(tmp_path, **{"t.parquet": release})


def test_an_open_quotation_mark(tmp_path):
    table = 'worker,seg_id,sys_id,score\n"W1,1,A,5\n' + "W1,1,A,5\n" * 2000
    with pytest.raises(ImportProblem, match="not closed"):
        read(tmp_path, **{"t.csv": table})


FUZZED = {
    "t.tsv": TABLE.encode(),
    "t.csv": as_csv(TABLE, ",").encode(),
    "t.jsonl": as_json(TABLE).encode(),
    "t.xlsx": as_workbook(TABLE),
    "t.parquet": as_parquet(TABLE),
    "pairs.csv": b"wmt16",
    "ad.csv": b"wmt22",
}

RELEASED = {
    "pairs.csv": ("wmt16", "wmt16.collapsed.deu-eng.csv.gz"),
    "ad.csv": ("wmt22", "ad-uken-good-stnd.csv.gz"),
}


@pytest.mark.proof
@settings(suppress_health_check=list(HealthCheck), deadline=None, max_examples=60)
@given(data=st.data())
@pytest.mark.parametrize("name", FUZZED)
def test_mutated_files(tmp_path, name, data):
    """Whatever is changed in a file, it is read or refused with a reason."""
    content = FUZZED[name]
    if name in RELEASED:
        packed = shared_data("10_as_released", *RELEASED[name]).read_bytes()
        content = gzip.decompress(packed)[:4000]
    at = data.draw(st.integers(0, len(content)))
    length = data.draw(st.integers(0, 30))
    other = data.draw(
        st.binary(max_size=30) | st.sampled_from([b"\0", b'"', b"\t", b"\n", b"{", b"\xff"])
    )
    try:
        read(tmp_path, **{name: content[:at] + other + content[at + length :]})
    except ImportProblem as problem:
        assert problem.reason


def test_two_readings_say_the_same(tmp_path):
    """The functions of a part may be called again."""
    (tmp_path / "t.tsv").write_text(TABLE)
    with opened([tmp_path / "t.tsv"]) as files:
        release = registry.read(files, {}, Problems())
        assert facts(release) == facts(release)
