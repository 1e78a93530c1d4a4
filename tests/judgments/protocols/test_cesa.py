"""Contrastive ESA as at WMT26: several translations with marks of the whole and strict scores."""

import json
from types import SimpleNamespace

import pytest
from django.test import RequestFactory

from judgments.protocols import PRESETS
from judgments.protocols.spans import Spans
from judgments.protocols.spans.options import parse_marks

TEXTS = ["the cat sleeps", "a cat sleeps", "cat sleep"]
ITEM = SimpleNamespace(segment=SimpleNamespace(source="die Katze schläft"))
SHOWN = [SimpleNamespace(output_id=pk, text=text, altered=None) for pk, text in enumerate(TEXTS, 1)]
FAULT = {
    "side": "output",
    "start": 0,
    "end": 0,
    "severity": "major",
    "category": "instructions fault",
}


def protocol(language="en", **options):
    preset = PRESETS["cesa-wmt26"]
    return Spans(
        SimpleNamespace(
            pk=1,
            preset=preset.slug,
            options=preset.options | options,
            test_set=SimpleNamespace(target_language=language),
        )
    )


def form_of(*answers, confirmed=False, **options):
    """Return the bound form of (marks, score) of each of the three translations."""
    data = {}
    for place, (marks, score) in enumerate(answers, 1):
        data |= {f"output{place}-spans": json.dumps(marks), f"output{place}-esa": str(score)}
        data |= {f"output{place}-confirmed": "1"} if confirmed else {}
    return protocol(**options).form(ITEM, SHOWN, RequestFactory().post("/", data).POST)


def problems(*answers, **options) -> list[str]:
    return list(form_of(*answers, **options).errors)


def test_each_translation_has_its_own_errors_and_score():
    minor = {"side": "target", "start": 0, "end": 3, "severity": "minor"}
    missing = {"side": "missing", "start": 0, "end": 0, "severity": "minor"}
    form = form_of(([minor, FAULT], 60), ([], 85), ([missing], 20))
    assert form.is_valid(), form.errors
    found = protocol().observations(ITEM, SHOWN, form.cleaned_data)
    spans = [(s.output_id, s.side, s.start, s.end, s.severity, s.category) for s in found.spans]
    assert spans == [
        (1, "target", 0, 3, "minor", ""),
        (1, "output", 0, 0, "major", "instructions fault"),
        (3, "missing", 0, 0, "minor", ""),
    ]
    assert [rating for rating in found.ratings if rating[1] == "esa"] == [
        (1, "esa", 60),
        (2, "esa", 85),
        (3, "esa", 20),
    ]


@pytest.mark.parametrize("confirmed", [False, True])
def test_a_score_below_85_without_a_mark_is_refused_however_often_it_is_sent(confirmed):
    """WMT26's threshold: 84 is below it, 85 is not."""
    answers = ([], 84), ([], 85), ([FAULT], 0)
    assert problems(*answers, confirmed=confirmed) == ["output1-spans"]


def test_a_manager_may_have_it_asked_about_or_not():
    answers = ([], 84), ([], 85), ([], 90)
    assert problems(*answers, unmarked="ask") == ["output1-spans"]
    assert problems(*answers, unmarked="ask", confirmed=True) == []
    assert problems(*answers, unmarked="off") == []
    assert problems(*answers, unmarked_below=91) == [f"output{n}-spans" for n in (1, 2, 3)]


@pytest.mark.parametrize(
    "changed",
    [{"category": "style fault"}, {"category": ""}, {"end": 3}, {"severity": "critical"}],
    ids=str,
)
def test_a_mark_that_the_screen_does_not_have_is_refused(changed):
    answers = ([FAULT | changed], 50), ([], 90), ([], 90)
    assert problems(*answers) == ["output1-spans"]


def test_esa_has_no_marks_of_the_whole():
    esa = PRESETS["esa"].options
    answers = ([FAULT], 50), ([], 90), ([], 90)
    assert problems(*answers, **{"marks": esa.get("marks", [])}) == ["output1-spans"]


@pytest.mark.parametrize(
    ("language", "unit"),
    [
        ("zh", "character"),
        ("zh-Hant", "character"),
        ("ja", "character"),
        ("th", "character"),
        ("de", "word"),
        ("ko", "word"),
    ],
)
def test_where_no_spaces_stand_between_words_marks_go_by_character(language, unit):
    form = protocol(language=language).form(ITEM, SHOWN)
    assert json.loads(form.common())["unit"] == unit


def test_elsewhere_annotators_choose():
    form = protocol(language="zh", mark_by="reader").form(ITEM, SHOWN)
    assert json.loads(form.common())["unit"] == ""


def test_marks_have_keys_of_their_own():
    form = protocol().form(ITEM, SHOWN)
    keys = [key for pressed, _words in form.KEYS for key in pressed]
    assert keys.count("g") == 1


def test_marks_are_written_one_on_a_line():
    assert parse_marks("[Instructions  fault]\n\n style fault \n") == [
        "Instructions fault",
        "style fault",
    ]


@pytest.mark.parametrize(
    "text", ["style\nStyle", "missing", "[MISSING]", "non-translation", "a/b", "x" * 61, "a\x07"]
)
def test_marks_that_cannot_be(text):
    with pytest.raises(ValueError, match="Line"):
        parse_marks(text)


def test_at_most_twenty_marks():
    assert len(parse_marks("\n".join(f"mark {n}" for n in range(20)))) == 20
    with pytest.raises(ValueError, match="At most 20"):
        parse_marks("\n".join(f"mark {n}" for n in range(21)))


def test_a_mark_is_no_category():
    options = {"marks": ["Style"], "categories": ["style"]}
    assert set(Spans.problems(PRESETS["cesa-wmt26"], options, None)) == {"marks"}
