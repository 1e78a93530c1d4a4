"""Donors of references come in with files, and go out with them."""

import json

import pytest

from judgments.exchange.releases import out
from judgments.exchange.releases.importer import import_release
from judgments.exchange.releases.tables import columns, recipes
from judgments.files import texts
from judgments.files.uploads import Folder
from judgments.models import Reference, TestSet
from judgments.test_sets.corpus import add_texts, import_test_set
from tests import factory

from ...files.files import problem_of, upload

pytestmark = pytest.mark.django_db

HEAD = "segment\tsource\treference\tdonor\treference:B\tdonor:B\tsystem:X\tsystem:Y"
TABLE = f"""{HEAD}
s1\teins\tone\tX\tuno\tY\tone .\tuno
s2\tzwei\ttwo\t\tdos\tX\tdos\ttwo
s3\tdrei\tthree\tY\t\tY\ttres\tthree
"""
STORED = {
    ("s1", "B"): "Y",
    ("s1", "ref"): "X",
    ("s2", "B"): "X",
    ("s2", "ref"): None,
    ("s3", "ref"): "Y",  # there is no B, whatever the cell of its donor says
}


@pytest.fixture
def owner():
    return factory.make_user("owner", is_staff=True)


def stored(test_set):
    rows = Reference.objects.filter(segment__test_set=test_set)
    return {(key, name): donor for key, name, donor in rows.values_list(*COLUMNS)}


COLUMNS = ("segment__key", "name", "donor__name")


def imported(owner, table=TABLE):
    new = TestSet(name="Table", owner=owner, source_language="de", target_language="en")
    return import_test_set(new, texts.from_table(upload("t.tsv", table.encode())))


def test_a_table_names_them(owner):
    assert stored(imported(owner)) == STORED


def test_texts_that_come_later_bring_them(owner):
    test_set = imported(owner)
    factory.take_texts(test_set)
    assert stored(test_set) == {}
    add_texts(test_set, texts.from_table(upload("t.tsv", TABLE.encode())))
    assert stored(test_set) == STORED


@pytest.mark.parametrize(
    ("head", "row", "column", "words"),
    [
        ("source\tdonor\tsystem:X", "a\tX\tb", "donor", "no column contains a reference “ref”"),
        (
            "source\tdonor:B\treference\tsystem:X",
            "a\tX\tb\tc",
            "donor:B",
            "no column contains a reference",
        ),
        (
            "source\treference\tdonor\tsystem:X",
            "a\tb\tZ\tc",
            "donor",
            "no column contains outputs of",
        ),
        (
            "source\treference\tdonor\tdonor:ref\tsystem:X",
            "a\tb\tX\tX\tc",
            "donor",
            "has two columns",
        ),
    ],
)
def test_what_is_refused(head, row, column, words):
    problem = problem_of(texts.from_table, upload("t.tsv", f"{head}\n{row}\n".encode()))
    assert (problem.row, problem.column) == (2, column)
    assert words in problem.reason


@pytest.mark.parametrize("slug", ["wmt-jsonl", "tsv", "xlsx", "parquet"])
def test_they_go_out_and_come_in_again(owner, slug, tmp_path):
    known = {each.slug for each in out.written_formats()}
    if slug not in known:
        pytest.fail(f"of {sorted(known)}")
    test_set = imported(owner)
    out.write(test_set, slug, Folder(tmp_path))
    findings = import_release([tmp_path], owner)
    assert findings.written, findings.problems.first
    (again,) = findings.written.test_sets.values()
    assert again.pk != test_set.pk
    found = stored(again)
    # JSON lines name no segments: these are numbered.
    keys = dict(zip(sorted({key for key, _ in found}), ("s1", "s2", "s3"), strict=True))
    assert {(keys[key], name): donor for (key, name), donor in found.items()} == STORED


def test_any_table_may_have_a_column_of_donors(owner, tmp_path):
    table = "id\tsource\treference\tdonor\tsystem:X\n1\teins\tone\tX\tone\n2\tzwei\ttwo\t\tdos\n"
    path = tmp_path / "t.tsv"
    path.write_text(table, "utf-8")
    answers = {"source-language": "de", "target-language": "en"}
    findings = import_release([path], owner, answers=answers)
    assert findings.written, findings
    (test_set,) = findings.written.test_sets.values()
    assert sorted(stored(test_set).values(), key=str) == [None, "X"]
    assert columns.DONOR in recipes.MEANINGS


def test_json_lines_name_them_in_their_references(owner, tmp_path):
    refs = {"A": {"ref": "one", "post_edited_from": "X"}, "B": "uno"}
    row = {"src": "eins", "lp": "de-en", "refs": refs, "hyps": {"X": "ones"}}
    path = tmp_path / "texts.jsonl"
    path.write_text(json.dumps(row | {"donors": {"B": "gone"}}) + "\n", "utf-8")
    findings = import_release([path], owner)
    (test_set,) = findings.written.test_sets.values()
    # One that is no system of the test set is left out.
    assert stored(test_set) == {("1", "A"): "X", ("1", "B"): None}
    path.write_text(json.dumps(row | {"donors": ["X"]}) + "\n", "utf-8")
    assert import_release([path], owner).written is None
