"""Error spans: what the form accepts and rejects, and what is stored."""

import json
import math
from types import SimpleNamespace

import pytest
from django.conf import settings as site_settings
from django.test import RequestFactory
from django.urls import reverse
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.judging.practice import practice
from judgments.models import PrefilledSpan
from judgments.protocols import PRESETS
from judgments.protocols.spans import Spans, screen
from judgments.protocols.spans.form import prefill_key
from judgments.protocols.spans.marking import Marking
from tests import factory

TEXT = "The cat sat on the mat 🐈‍⬛ ."
SOURCE = "Die Katze saß auf der Matte ."
WHOLE = {"start": 0, "end": len(TEXT), "side": "target", "severity": "major"}


def row(text=TEXT, pk=1):
    return SimpleNamespace(output_id=pk, text=text, altered=None)


def campaign(preset="esa", *, language="en", **options):
    return SimpleNamespace(
        pk=1,
        preset=preset,
        options=dict(PRESETS[preset].options) | {"prefilled": False} | options,
        test_set=SimpleNamespace(target_language=language),
    )


ITEM = SimpleNamespace(segment=SimpleNamespace(source=SOURCE))


def mark(start=4, end=7, severity="minor", **fields):
    return {"start": start, "end": end, "side": "target", "severity": severity} | fields


def form_of(preset, marks, *, score="80", text=TEXT, **options):
    """Return the bound form of one translation. marks: a list, or the raw posted value."""
    posted = marks if isinstance(marks, str) else json.dumps(marks)
    data = RequestFactory().post("/", {"output1-spans": posted, "output1-esa": score}).POST
    return Spans(campaign(preset, **options)).form(ITEM, [row(text)], data)


def said(preset, marks, **fields):
    form = form_of(preset, marks, **fields)
    assert form.is_valid(), form.errors
    return Spans(campaign(preset)).observations(ITEM, [row()], form.cleaned_data)


def test_esa_stores_spans_slider_and_the_score_that_follows():
    found = said("esa", [mark(), mark(8, 11, "major"), mark(0, 0, "major", side="missing")])
    assert found.ratings == ((1, "esa", 80.0), (1, "esa_spans", -11.0))
    assert [tuple(span) for span in found.spans] == [
        (1, "target", 4, 7, "minor", "", None),
        (1, "target", 8, 11, "major", "", None),
        (1, "missing", 0, 0, "major", "", None),
    ]


def test_esa_without_an_error_needs_only_the_slider():
    for nothing in ("", "[]"):
        found = said("esa", nothing)
        assert found.spans == () and found.ratings == ((1, "esa", 80.0), (1, "esa_spans", 0.0))


def test_mqm_weighs_by_severity_and_category():
    """Weights of Freitag et al. (2021): 5 + 1 + 0.1 + 0."""
    marks = [
        mark(0, 3, "major", category="accuracy/mistranslation"),
        mark(4, 7, "minor", category="style/unnatural or awkward"),
        mark(8, 11, "minor", category="fluency/punctuation"),
        mark(0, 9, "neutral", side="source", category="source issue"),
    ]
    found = said("mqm", marks)
    assert found.ratings == ((1, "mqm", -6.1),)
    assert found.spans[3].side == "source"


def test_mqm_needs_a_word_on_a_text_without_errors():
    assert not form_of("mqm", "").is_valid()
    assert said("mqm", "[]").ratings == ((1, "mqm", 0.0),)


def test_no_translation_covers_the_text_alone_and_weighs_25():
    whole = WHOLE | {"category": "non-translation"}
    assert said("mqm", [whole]).ratings == ((1, "mqm", -25.0),)
    other = mark(category="other")
    for marks in (
        [whole, other],
        [whole | {"end": 5}],
        [whole | {"severity": "minor"}],
        [mark(side="source", category="non-translation")],
    ):
        assert not form_of("mqm", marks).is_valid()
    assert not form_of("esa", [whole]).is_valid()
    empty = {"start": 0, "end": 0, "side": "missing", "severity": "major"}
    assert form_of("mqm", [empty | {"category": "non-translation"}], text="").is_valid()


def test_more_than_five_errors_are_refused_where_five_are_the_most():
    marks = [mark(i, i + 1, category="other") for i in range(6)]
    form = form_of("mqm", marks)
    assert form.errors["output1-spans"] == ["Mark at most 5 errors."]
    assert form_of("mqm", marks[:5]).is_valid()
    assert form_of("mqm-core", [m | {"category": "style/awkward style"} for m in marks]).is_valid()
    assert not form_of("esa", [mark(i % 25, 26 + i // 25) for i in range(51)]).is_valid()


def test_a_category_is_asked_for_where_there_are_any():
    form = form_of("mqm", [mark()])
    assert form.errors["output1-spans"] == ["Choose a category for each marked error."]


GARBLED = [
    "{",
    "null",
    "1",
    '"text"',
    "{}",
    "[1]",
    "[[]]",
    "[null]",
    "NaN",
    "[NaN]",
    "[" * 20000,
    '[{"start":' + "9" * 5000 + "}]",
    "x" * 60000,
    "\ud7ff",
    json.dumps([mark(4.0, 7)]),
    json.dumps([mark("4", 7)]),
    json.dumps([mark(True, 7)]),
    json.dumps([mark(None, 7)]),
    '[{"start":NaN,"end":7,"side":"target","severity":"minor"}]',
    json.dumps([mark(-1, 7)]),
    json.dumps([mark(7, 7)]),
    json.dumps([mark(8, 7)]),
    json.dumps([mark(4, len(TEXT) + 1)]),
    json.dumps([mark(4, 10**30)]),
    json.dumps([mark(severity="severe")]),
    json.dumps([mark(severity=["minor"])]),
    json.dumps([mark(severity="")]),
    json.dumps([mark(side="reference")]),
    json.dumps([mark(side="source")]),
    json.dumps([mark(side={"a": 1})]),
    json.dumps([mark(0, 1, side="missing")]),
    json.dumps([mark(category="accuracy/omission")]),
    json.dumps([mark(prefill="abc")]),
    json.dumps([mark(prefill=3)]),
    json.dumps([mark(system="A")]),
    json.dumps([mark(), mark()]),
    json.dumps([mark(), mark(severity="major")]),
    json.dumps([mark(0, 0, side="missing")] * 2),
]


@pytest.mark.parametrize("posted", GARBLED, ids=lambda posted: repr(posted[:50]))
def test_what_no_script_of_ours_sends_gets_one_message(posted):
    form = form_of("esa", posted)
    assert form.errors["output1-spans"] == [
        "The marked errors could not be read. Open the page again and mark them once more."
    ]
    assert form.errors.keys() == {"output1-spans"}


values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 40) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
rows = st.fixed_dictionaries(
    {},
    optional={
        "start": st.integers(-2, len(TEXT) + 2) | values,
        "end": st.integers(-2, len(TEXT) + 2) | values,
        "side": st.sampled_from(["target", "source", "missing"]) | values,
        "severity": st.sampled_from(["neutral", "minor", "major"]) | values,
        "category": st.sampled_from(["other", "non-translation", "accuracy/omission"]) | values,
        "prefill": values,
        "more": values,
    },
)


@given(st.lists(rows, max_size=7) | values, st.sampled_from(["esa", "mqm", "mqm-core"]))
@settings(max_examples=150, deadline=None)
def test_whatever_is_posted_is_stored_rightly_or_refused(posted, preset):
    form = form_of(preset, json.dumps(posted))
    if not form.is_valid():
        return
    found = Spans(campaign(preset)).observations(ITEM, [row()], form.cleaned_data)
    texts = {"target": TEXT, "source": SOURCE}
    assert len(found.spans) == len(set(found.spans)) == len(posted or ())
    for span in found.spans:
        if span.side == "missing":
            assert (span.start, span.end) == (0, 0) and preset != "mqm"
        else:
            assert 0 <= span.start < span.end <= len(texts[span.side])
        assert (span.side, preset) != ("source", "esa")
    assert all(math.isfinite(value) and (d == "esa" or value <= 0) for _, d, value in found.ratings)


@pytest.mark.parametrize("score", ["", "NaN", "-1", "101", "50.5", "x", "1e400", "infinity"])
def test_bad_scores(score):
    assert form_of("esa", [], score=score).errors.keys() == {"output1-esa"}


@pytest.mark.parametrize(
    ("score", "marks", "word"),
    [
        (65, [], "low"),
        (66, [], ""),
        (10, [mark()], ""),
        (98, [mark(severity="major")], ""),
        (99, [mark(severity="major")], "almost perfect"),
        (100, [mark()], ""),
    ],
)
def test_a_score_that_contradicts_the_errors_is_asked_about_once(score, marks, word):
    """The limit of 66 is that of the form of Kocmi et al. (2024)."""
    form = form_of("esa", marks, score=str(score))
    assert form.is_valid() == (not word)
    if word:
        assert word in form.errors["output1-spans"][0]
    sure = form.data.copy()
    sure["output1-confirmed"] = "1"
    assert Spans(campaign()).form(ITEM, [row()], sure).is_valid()


@pytest.mark.parametrize("preset", [p.slug for p in PRESETS.values() if p.protocol == "spans"])
def test_the_scales_hold_every_score_that_can_follow(preset):
    found = {d.slug: d for d in Spans(campaign(preset)).dimensions()}
    marking = Marking.read(PRESETS[preset].options)
    category = marking.categories[0].lower() if marking.categories else ""
    worst = marking.score_of([(marking.worst, category)] * marking.most)
    scale = (found.get("mqm") or found["esa_spans"]).scale
    for score in (0.0, worst, marking.score_of([(marking.severities[0], category)])):
        assert scale.problem_with(score) == ""
    if marking.non_translation:
        assert scale.low <= marking.score_of([(marking.worst, "non-translation")])


@pytest.mark.parametrize("weight", [0.5, 0.125, 1 / 3])
def test_the_scale_holds_the_scores_of_any_weights(weight):
    weights = {"minor": weight, "major": 5, "*/non-translation": 25, "major/non-translation": 100}
    protocol = Spans(campaign("mqm", weights=weights))
    [scale] = [each.scale for each in protocol.dimensions() if each.slug == "mqm"]
    marking = protocol.options
    for errors in ([("minor", "")], [("minor", "")] * 3, [("major", "non-translation")]):
        assert scale.problem_with(marking.score_of(errors)) == ""
    assert scale.low == -100
    protocol.campaign.by_model = False
    assert protocol.why_only_read() == ""


def test_a_suggestion_on_a_source_that_is_not_shown_is_not_on_the_screen():
    proposed = [
        PrefilledSpan(pk=pk, output_id=1, side=side, start=4, end=7, severity="minor")
        for pk, side in ((1, "target"), (2, "source"))
    ]
    made = campaign("esa-ai", prefilled=True, sides=["target", "source"], show_source=False)
    protocol = Spans(made)
    protocol.given = {PrefilledSpan: proposed}
    [shown] = json.loads(protocol.form(ITEM, [row()])["output1-spans"].value())
    assert shown == mark(category="", prefill=prefill_key(1))


def test_suggestions_are_shown_and_their_origin_is_stored(monkeypatch):
    proposed = PrefilledSpan(pk=77, output_id=1, side="target", start=4, end=7, severity="minor")
    monkeypatch.setattr(Spans, "prefills_of", lambda *args: [{prefill_key(77): proposed}])
    ai = campaign("esa-ai", prefilled=True)
    first = Spans(ai).form(ITEM, [row()])
    [shown] = json.loads(first["output1-spans"].value())
    assert shown == mark(category="", prefill=prefill_key(77))
    assert "77" not in prefill_key(77)
    data = {"output1-esa": "90", "output1-spans": json.dumps([shown | {"end": 11}, mark(0, 3)])}
    form = Spans(ai).form(ITEM, [row()], data)
    assert form.is_valid(), form.errors
    found = Spans(ai).observations(ITEM, [row()], form.cleaned_data).spans
    assert [span.prefill_id for span in found] == [77, None]
    twice = json.dumps([shown, shown | {"end": 11}])
    assert not Spans(ai).form(ITEM, [row()], data | {"output1-spans": twice}).is_valid()


def test_a_stored_judgment_comes_back_as_it_was_said():
    marks = [mark(category="other"), mark(0, 3, "major", side="source", category="source issue")]
    form = form_of("mqm", marks)
    assert form.is_valid()
    found = Spans(campaign("mqm")).observations(ITEM, [row()], form.cleaned_data)
    judgment = SimpleNamespace(
        spans=SimpleNamespace(all=lambda: found.spans),
        ratings=SimpleNamespace(all=lambda: []),
    )
    values = Spans(campaign("mqm")).initial(ITEM, [row()], judgment)
    again = Spans(campaign("mqm")).form(ITEM, [row()], values)
    assert (
        again.is_valid()
        and again.cleaned_data["output1-spans"] == form.cleaned_data["output1-spans"]
    )


def practiced(marks, expected, preset="esa"):
    """Return the tutorial's feedback on an answer."""
    form = form_of(preset, marks)
    assert form.is_valid(), form.errors
    form.fields["output1-spans"].check_expected(expected)
    [found] = practice.check(form, {"output1-spans": expected})
    return found


def test_a_tutorial_knows_which_errors_are_expected():
    expected = [{"text": "cat", "severity": "major"}, {"side": "missing"}]
    omission = mark(0, 0, "minor", side="missing")
    right = practiced([mark(4, 11, "major"), omission], expected)
    assert right.is_right and right.given == "“cat sat”, major; “[MISSING]”, minor"
    assert right.expected == "“cat”, major; “[MISSING]”"
    for marks in (
        [],
        [omission],
        [mark(4, 7, "minor"), omission],
        [mark(8, 11, "major"), omission],
        [mark(4, 7, "major"), omission, mark(12, 14)],
    ):
        assert not practiced(marks, expected).is_right
    assert practiced([], []).is_right and practiced([], []).given == "No errors."
    by_category = [{"start": 0, "end": 3, "side": "source", "category": "Other"}]
    assert practiced([mark(0, 9, side="source", category="other")], by_category, "mqm").is_right
    assert not practiced(
        [mark(0, 9, side="source", category="source issue")], by_category, "mqm"
    ).is_right


def test_a_tutorial_expects_what_is_no_translation():
    expected = [{"category": "non-translation"}]
    right = mark(0, len(TEXT), "major", category="non-translation")
    assert practiced([right], expected, "mqm").is_right
    assert not practiced([mark(category="other")], expected, "mqm").is_right
    with pytest.raises(ValueError, match="severity major"):
        practiced([right], [expected[0] | {"severity": "minor"}], "mqm")
    with pytest.raises(ValueError, match="no category"):
        practiced([], expected, "esa")


def test_a_mark_of_the_whole_output_has_a_severity_of_the_campaign():
    expected = [{"side": "output", "category": "Instructions fault", "severity": "mayor"}]
    marks = form_of("cesa-wmt26", [], score="100").fields["output1-spans"]
    with pytest.raises(ValueError, match="the severities are"):
        marks.check_expected(expected)


@pytest.mark.parametrize(
    "expected",
    [
        {"text": "cat"},
        ["cat"],
        [{"words": "cat"}],
        [{"text": "zebra"}],
        [{"text": "at"}],
        [{"start": 4}],
        [{"start": 4, "end": 99}],
        [{"start": "4", "end": 7}],
        [{"text": "cat", "severity": "bad"}],
        [{"text": "cat", "severity": 5}],
        [{"text": "cat", "side": "source"}],
        [{"text": "cat", "category": "Style"}],
        [{}],
    ],
)
def test_expected_errors_that_no_answer_could_be(expected):
    with pytest.raises(ValueError, match=r"\.$"):
        practiced([], expected)


def test_the_list_of_keys_has_what_the_preset_asks():
    def pressed(preset):
        return {key for keys, _ in form_of(preset, []).KEYS for key in keys}

    assert {"w", "1", "2", "m", "d", "9"} <= pressed("esa")
    assert not {"3", "c", "a", "t", "e"} & pressed("esa")
    assert {"3", "c", "a", "t", "0", "e", "5"} <= pressed("mqm")
    assert "m" not in pressed("mqm")


def test_the_screen_lists_the_keys_for_marking_and_no_others(client, db):
    annotator = factory.make_user("ann")
    marked = factory.make_campaign(
        factory.make_test_set(factory.make_user("owner")), preset="esa", annotators=[annotator]
    )
    client.force_login(annotator)
    factory.make_task(marked, annotator, n_outputs=1)
    page = client.get(reverse("judge-item", args=[marked.pk, 1])).content.decode()
    listed = page[page.index('<dialog id="keys"') :]
    assert "delete the error" in listed
    assert "underlining of differences" not in listed


def letters(tree):
    return {node["key"]: node.get("slug") or letters(node["below"]) for node in tree}


def test_categories_have_letters_down_the_tree():
    tree = ["Style", "Style/Awkward", "Source/Style", "Source/Awkward/Very", "123", "Übel", "苹果"]
    marking = Marking(weights={"major": 5}, categories=tuple(tree))
    assert letters(screen.category_tree(marking)) == {
        "s": "style",
        "t": {"a": "style/awkward"},
        "o": {"s": "source/style", "a": {"v": "source/awkward/very"}},
        "a": "123",
        "u": "übel",
        "b": "苹果",
    }
    many = Marking(weights={"major": 5}, categories=tuple(f"A {n}" for n in range(30)))
    keys = [node["key"] for node in screen.category_tree(many)]
    assert sorted(keys[:25]) == list("abcefghijklmnopqrstuvwxyz") and keys[25:] == [""] * 5


def levels(tree):
    yield [node["key"] for node in tree]
    for node in tree:
        yield from levels(node.get("below", []))


@pytest.mark.parametrize("language", [code for code, _name in site_settings.LANGUAGES])
def test_a_letter_is_one_category_and_no_action(language):
    """For every preset: the key that deletes an error is not a category, and every category has a
    letter."""
    n_categories = 0
    with translation.override(language):
        for preset in PRESETS.values():
            if preset.protocol != "spans":
                continue
            marking = Marking(**preset.options)
            for keys in levels(screen.category_tree(marking)):
                assert screen.DELETES not in keys and "" not in keys, (preset.slug, keys)
                assert len(set(keys)) == len(keys), (preset.slug, keys)
                n_categories += len(keys)
    assert n_categories > 60
