"""Post-editing: what the form accepts and rejects, what is stored, what is derived from an edit."""

from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.models import Outcome
from judgments.protocols.post_editing import PostEditing
from judgments.protocols.post_editing.words import share_kept, unit, words

TEXT = "The little ferry drives over the lake ."


def made(preset="post-editing", texts=(TEXT,), language="en", data=None, initial=None):
    campaign = SimpleNamespace(
        preset=preset, options={}, test_set=SimpleNamespace(target_language=language)
    )
    shown = [
        SimpleNamespace(output_id=number, text=text, altered=None)
        for number, text in enumerate(texts, 11)
    ]
    return campaign, shown, PostEditing(campaign).form(None, shown, data, initial)


def posted(text=TEXT, outcome="", place=1, **more):
    return {f"output{place}-text": text, f"output{place}-outcome": outcome} | {
        f"output{place}-{name}": value for name, value in more.items()
    }


def stored(data, **how):
    campaign, shown, form = made(data=data, **how)
    assert form.is_valid(), form.errors
    return PostEditing(campaign).observations(None, shown, form.cleaned_data)


def refused(data, **how) -> str:
    """Return the error message; it is on the field of the text, to which the page's error links."""
    _, _, form = made(data=data, **how)
    assert not form.is_valid()
    return " ".join(error for errors in form.errors.values() for error in errors)


def test_an_edit_is_stored_with_what_follows_from_it():
    said = stored(
        posted("The small ferry sails over the lake .", "edited", keystrokes="19", active_ms="4200")
    )
    (edit,) = said.edits
    assert edit == (11, "edited", "The small ferry sails over the lake .", 19, 4200)
    # Two words of eight were replaced.
    assert said.ratings == ((11, "words_kept", 75.0),)


@pytest.mark.parametrize("text", [TEXT, f"  {TEXT}\r\n", TEXT.replace("\n", "\r\n")])
def test_an_unchanged_text_is_stored_as_it_was(text):
    said = stored(posted(text, "no_correction"))
    assert said.edits[0][:3] == (11, "no_correction", TEXT)
    assert said.ratings == ((11, "words_kept", 100.0),)


def test_a_changed_text_needs_no_choice():
    assert stored(posted("The ferry crosses the lake .")).edits[0].outcome == "edited"


def test_line_ends_are_those_of_the_stored_text():
    text = "First line\nsecond line"
    said = stored(posted("First line\r\nnext line\rlast"), texts=[text])
    assert said.edits[0].text == "First line\nnext line\nlast"
    assert stored(posted("First line\r\nsecond line", "no_correction"), texts=[text])
    assert "as it was" in refused(posted("First line\r\nsecond line", "edited"), texts=[text])


@pytest.mark.parametrize(
    ("data", "words_of_it"),
    [
        ({}, "The text is empty"),
        (posted(), "say that it needs no correction"),
        (posted(outcome="edited"), "the text is as it was"),
        (posted(f"{TEXT} ", "edited"), "the text is as it was"),
        (posted("Something else .", "no_correction"), "the text was changed"),
        (posted("Something else .", "unable"), "not one of the answers"),
        (posted(outcome="unable"), "not one of the answers"),
        (posted("Something else .", "perfect"), "not one of the answers"),
        (posted("", "edited"), "The text is empty"),
        (posted(" \r\n\t", "edited"), "The text is empty"),
        (posted("The ferry\0 sails .", "edited"), "cannot be shown"),
        (posted("The ferry\ud800 sails .", "edited"), "cannot be shown"),
        (posted("The ferry\x1b[31m sails .", "edited"), "cannot be shown"),
        (posted("The ferry\ufffe sails .", "edited"), "cannot be shown"),
        (posted("x" * (4 * len(TEXT) + 1001), "edited"), "at most 1156 characters"),
    ],
)
def test_what_is_refused(data, words_of_it):
    assert words_of_it in refused(data)


def test_the_longest_text_that_fits():
    assert stored(posted("x" * (4 * len(TEXT) + 1000), "edited")).edits


def test_sentence_editing_can_give_up_but_not_on_a_changed_text():
    said = stored(posted(outcome="unable"), preset="sentence-editing")
    assert said.edits[0][:3] == (11, "unable", "")
    assert set(said.ratings) == {(11, "understood", 0.0), (11, "unedited", 0.0)}
    data = posted("Something else .", "unable")
    assert "the text was changed" in refused(data, preset="sentence-editing")


@pytest.mark.parametrize(
    ("text", "outcome", "unedited"), [(TEXT, "no_correction", 1.0), ("A ferry .", "edited", 0.0)]
)
def test_ratings_of_sentence_editing(text, outcome, unedited):
    said = stored(posted(text, outcome), preset="sentence-editing")
    assert set(said.ratings) == {(11, "understood", 1.0), (11, "unedited", unedited)}


@pytest.mark.parametrize("value", ["", "-3", "1.5", "many", "٣", "9" * 16, "\0", None])
def test_a_count_that_is_none_is_unknown(value):
    said = stored(posted("A ferry .", "edited", keystrokes=value, active_ms=value))
    assert said.edits[0][3:] == (None, None)


def test_a_count_fits_its_column():
    said = stored(posted("A ferry .", "edited", keystrokes="9" * 15))
    assert said.edits[0].keystrokes == 2**31 - 1


def test_a_control_character_of_the_output_itself_may_stay():
    text = "A tab and a bell\x07 here"
    assert stored(posted(text, "no_correction"), texts=[text])
    assert stored(posted("A bell\x07 here", "edited"), texts=[text]).edits


def test_two_texts_are_two_edits():
    said = stored(
        posted("A ferry .", "edited") | posted("Two", "no_correction", place=2),
        texts=[TEXT, "Two"],
    )
    assert [edit[:3] for edit in said.edits] == [
        (11, "edited", "A ferry ."),
        (12, "no_correction", "Two"),
    ]


def test_a_stored_edit_is_shown_again():
    campaign, shown, _ = made(texts=[TEXT, "Two"], preset="sentence-editing")
    edits = [
        SimpleNamespace(output_id=12, outcome="unable", text="", keystrokes=0, active_ms=900),
        SimpleNamespace(output_id=11, outcome="edited", text="A", keystrokes=3, active_ms=7),
    ]
    judgment = SimpleNamespace(edits=SimpleNamespace(all=lambda: edits))
    initial = PostEditing(campaign).initial(None, shown, judgment)
    _, _, form = made(texts=[TEXT, "Two"], preset="sentence-editing", initial=initial)
    one, two = form.editors()
    assert (one.value, one.keystrokes, one.active_ms) == ("A", 3, 7)
    assert [checked for *_, checked in one.choices] == ["checked", "", ""]
    assert two.value == "Two"  # an abandoned text is there to be tried again
    assert [checked for *_, checked in two.choices] == ["", "", "checked"]


def test_outcomes_of_the_presets_are_stored_ones():
    for preset in ("post-editing", "sentence-editing"):
        _, _, form = made(preset)
        assert {value for value, _ in form.choices} <= set(Outcome.values)


@pytest.mark.parametrize(
    ("before", "after", "language", "share"),
    [
        # By hand: edits over words of the edited text.
        ("a b c d", "a b c d", "en", 100),
        ("a b c d", "a x c d", "en", 75),
        ("a b c d", "a b c d e", "en", 80),
        ("a b c d", "b a c d", "en", 50),  # TER would move one word: 75
        ("a b c d", "a", "en", 0),
        ("", "", "en", 100),
        ("", "a", "en", 0),
        ("我 喜欢 茶", "我喜欢水", "zh-Hant", 75),
        ("ฉันรัก", "ฉันรัก", "th", 100),
    ],
)
def test_share_kept(before, after, language, share):
    assert share_kept(before, after, language) == share


@given(st.lists(st.sampled_from("abc"), max_size=6), st.lists(st.sampled_from("abc"), max_size=6))
@settings(max_examples=60, deadline=None)
def test_share_kept_against_the_textbook_recursion(before, after):
    """Wagner and Fischer (1974), written out."""
    row = list(range(len(after) + 1))
    for i, word in enumerate(before, 1):
        old, row = row, [i]
        for j, other in enumerate(after, 1):
            row.append(min(old[j] + 1, row[-1] + 1, old[j - 1] + (word != other)))
    expected = 100 * max(0, 1 - row[-1] / len(after)) if after else 100.0 * (not before)
    assert share_kept(" ".join(before), " ".join(after), "en") == pytest.approx(expected)


def test_units():
    assert (unit("en"), unit("zh-Hant-TW"), unit("JA")) == ("word", "character", "character")
    assert words(" a  b\n", "de") == ["a", "b"]
