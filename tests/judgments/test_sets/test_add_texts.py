"""Texts for a test set that had keys only: matched by key, and all of them or none."""

import pytest

from judgments.files import ImportProblem, texts
from judgments.models import ErrorSpan, Output, Reference, Segment, TestSet
from judgments.test_sets import corpus
from judgments.test_sets.corpus import add_texts, import_test_set
from tests import factory

from ..files.files import upload

pytestmark = pytest.mark.django_db
SYSTEMS = ("System-A", "System-B", "System-C")


@pytest.fixture
def keys(db):
    """Four segments, three systems, no text."""
    owner = factory.make_user("owner")
    return factory.take_texts(factory.make_test_set(owner))


def row(key, *, systems=SYSTEMS, source="Eins zwei", text="one two", references=None):
    outputs = {name: f"{text} {name[-1]}" if text else "" for name in systems}
    return texts.SegmentTexts("f.tsv", 10 + int(key), key, "d", source, references or {}, outputs)


def all_rows(**changes):
    return [row(key, **changes) for key in ("3", "1", "4", "2")]  # in any order


def refused(keys, rows) -> ImportProblem:
    """The problem, once it is clear that nothing was written."""
    with pytest.raises(ImportProblem) as caught:
        add_texts(keys, rows)
    keys.refresh_from_db()
    assert not keys.has_texts
    assert not Segment.objects.exclude(source="").exists()
    assert not Output.objects.exclude(text="").exists()
    assert not Reference.objects.exists()
    return caught.value


def test_texts_come_in_by_key(keys, monkeypatch):
    monkeypatch.setattr(corpus, "SEGMENTS_AT_ONCE", 3)
    rows = [row(k, source=f"Quelle {k}", references={"ref": f"ref {k}"}) for k in "3142"]
    added = add_texts(keys, rows)
    assert (added.n_segments, added.n_new_outputs, added.n_left_out) == (4, 0, 0)
    keys.refresh_from_db()
    assert keys.has_texts
    assert list(keys.segments.values_list("key", "source", "references__text")) == [
        (k, f"Quelle {k}", f"ref {k}") for k in "1234"
    ]
    outputs = Output.objects.filter(segment__key="2").order_by("system__name")
    assert list(outputs.values_list("text", flat=True)) == ["one two A", "one two B", "one two C"]


def test_texts_come_in_from_files_and_may_be_empty(keys):
    lines = {name: upload(f"{name}.txt", b"a\n\nc\nd\n") for name in SYSTEMS}
    source = upload("source.txt", b"eins\nzwei\ndrei\nvier\n")
    add_texts(keys, texts.from_lines(source, {}, lines))
    assert set(Output.objects.filter(segment__key="2").values_list("text", flat=True)) == {""}
    assert Segment.objects.get(key="4").source == "vier"


def test_other_systems_are_new_and_other_segments_left_out(keys):
    Output.objects.filter(system__name="System-C", segment__key="1").delete()
    added = add_texts(keys, [*all_rows(systems=(*SYSTEMS, "New")), row("9")])
    # System-C had no output for a segment, and nobody knew the fourth system.
    assert (added.n_segments, added.n_new_outputs, added.n_left_out) == (4, 5, 1)
    assert keys.systems.count() == 4
    assert keys.segments.count() == 4


@pytest.mark.parametrize("source", ["", "Eins zwei"])
def test_media_are_refused_because_texts_come_without_them(keys, source):
    table = f"segment\tsource\tmedia\tsystem:System-A\n1\t{source}\ta.wav\tone\n"
    problem = refused(keys, texts.from_table(upload("t.tsv", table.encode())))
    assert (problem.row, problem.column) == (2, "media")
    assert "Sound and pictures" in problem.reason


def test_every_segment_has_to_be_there(keys):
    problem = refused(keys, all_rows()[1:])
    assert problem.file == "f.tsv"
    assert "1 of the 4 segments of the test set are not in it, the first of them “3”" in str(
        problem
    )


def test_every_output_has_to_be_there(keys):
    rows = all_rows()
    rows[2] = row("4", systems=SYSTEMS[:2])
    problem = refused(keys, rows)
    assert (problem.row, problem.column) == (14, "system:System-C")
    assert "has an output for this segment" in problem.reason


def test_a_segment_comes_once(keys):
    problem = refused(keys, [*all_rows(), row("4")])
    assert (problem.row, problem.column) == (14, "segment")
    assert "“4” occurs twice" in problem.reason


def marked(keys, **span):
    """A campaign in which somebody marked an error of System-A in the second segment."""
    annotator = factory.make_user("annotator")
    campaign = factory.make_campaign(keys, preset="mqm", annotators=[annotator], name="Errors")
    segment = keys.segments.get(key="2")
    item = factory.make_task(campaign, annotator, segments=[segment]).items.get()
    judgment = factory.judge(item, {"mqm": [-1, 0, 0]})
    output = segment.outputs.get(system__name="System-A")
    return ErrorSpan.objects.create(
        judgment=judgment, output=output, severity="major", category="accuracy/omission", **span
    )


# “one two A” and “Eins zwe😀” have nine characters each.
@pytest.mark.parametrize(
    ("span", "column"),
    [
        ({"side": "target", "start": 4, "end": 10}, "system:System-A"),
        ({"side": "source", "start": 8, "end": 10}, "source"),
    ],
)
def test_marked_errors_have_to_lie_within_their_texts(keys, span, column):
    marked(keys, **span)
    problem = refused(keys, all_rows(source="Eins zwe😀"))
    assert (problem.file, problem.row, problem.column) == ("f.tsv", 12, column)
    assert "the text has 9 characters" in problem.reason
    assert f"from {span['start']} to 10 in the campaign “Errors”" in problem.reason


@pytest.mark.parametrize(
    "span",
    [
        {"side": "target", "start": 0, "end": 9},
        {"side": "source", "start": 8, "end": 9},
        {"side": "missing", "start": 0, "end": 0},
    ],
)
def test_errors_up_to_the_last_code_point_fit(keys, span):
    marked(keys, **span)
    assert add_texts(keys, all_rows(source="Eins zwe😀")).n_segments == 4


def test_texts_come_once(keys):
    add_texts(keys, all_rows())
    with pytest.raises(ImportProblem, match="has its texts"):
        add_texts(keys, all_rows(text="others"))
    assert Output.objects.filter(text__startswith="one two").count() == 12


def test_a_test_set_of_keys_can_be_stored(db):
    owner = factory.make_user("owner")
    made = TestSet(
        name="K", owner=owner, source_language="de", target_language="en", has_texts=False
    )
    import_test_set(made, [row("1", source="", text=""), row("2", source="", text="")])
    assert TestSet.objects.get().has_texts is False
    assert Output.objects.filter(text="").count() == 6
