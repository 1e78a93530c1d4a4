"""Questions: what the form accepts and rejects, and which answers are right."""

import pytest

from judgments.models import Question
from judgments.protocols.questions.form import AnswerForm, field_name
from judgments.protocols.questions.grading import normalized, verdict

CHOICE = (7, "What crosses the lake?", ["a ferry", "a train"])
OPEN = (9, "Why was it late?", [])
NAMES = {"question1": field_name(*CHOICE), "question2": field_name(*OPEN)}


def named(data):
    """Return the data under the names of the form's fields."""
    return {NAMES[name[:9]] + name[9:]: value for name, value in data.items()}


def cleaned(data, questions=(CHOICE, OPEN)):
    form = AnswerForm(list(questions), data=named(data))
    assert form.is_valid(), form.errors
    return form.cleaned_data["answers"]


def refused(data, questions=(CHOICE, OPEN)) -> dict[str, str]:
    form = AnswerForm(list(questions), data=named(data))
    assert not form.is_valid()
    return {name: form.errors[field][0] for name, field in NAMES.items() if field in form.errors}


def test_answers_by_question():
    data = {"question1": "2", "question2-text": "  The water \r\n was low. "}
    assert cleaned(data) == {7: "a train", 9: "The water was low."}


def test_the_text_does_not_tell():
    assert cleaned({"question1": "none", "question2": "none"}) == {7: "", 9: ""}
    assert cleaned({"question1": "none", "question2": "none", "question2-text": " \n"})[9] == ""


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        ({"question2": "none"}, "question1", "Choose an answer"),
        ({"question1": "3", "question2": "none"}, "question1", "not one of the answers"),
        ({"question1": "0", "question2": "none"}, "question1", "not one of the answers"),
        ({"question1": "-1", "question2": "none"}, "question1", "not one of the answers"),
        ({"question1": "a ferry", "question2": "none"}, "question1", "not one of the answers"),
        ({"question1": "1\0", "question2": "none"}, "question1", "not one of the answers"),
        ({"question1": "1"}, "question2", "Answer in a few words"),
        ({"question1": "1", "question2-text": " \t"}, "question2", "Answer in a few words"),
        ({"question1": "1", "question2": "yes"}, "question2", "Answer in a few words"),
        ({"question1": "1", "question2": "none", "question2-text": "x"}, "question2", "Either"),
        ({"question1": "1", "question2-text": "a\0b"}, "question2", "cannot be shown"),
        ({"question1": "1", "question2-text": "a\x1bb"}, "question2", "cannot be shown"),
        ({"question1": "1", "question2-text": "x" * 1001}, "question2", "at most 1000"),
    ],
)
def test_what_is_refused(data, name, words):
    found = refused(data)
    assert list(found) == [name] and words in found[name]


def test_answers_are_shown_again():
    initial = {"answers": {7: "a train", 9: "Low water"}}
    one, two = AnswerForm([CHOICE, OPEN], initial=initial).asked()
    assert [checked for *_, checked in one.choices] == ["", "checked"]
    assert (two.value, two.untold) == ("Low water", "")
    one, two = AnswerForm([CHOICE, OPEN], initial={"answers": {7: "", 9: ""}}).asked()
    assert (one.untold, two.untold, two.value) == ("checked", "checked", "")
    data = {"question1": "1", "question2": "none", "question2-text": "so"}
    one, two = AnswerForm([CHOICE, OPEN], data=named(data)).asked()
    assert one.choices[0][3] == two.untold == "checked"
    assert two.value == "so" and two.errors


@pytest.mark.parametrize(
    ("choices", "right", "answer", "expected"),
    [
        (["a ferry", "a train"], ["a ferry"], "a ferry", True),
        (["a ferry", "a train"], ["a ferry"], "a train", False),
        (["a ferry", "A ferry"], ["a ferry"], "A ferry", False),  # a choice word for word
        (["a ferry", "a train"], ["a ferry"], "", False),
        (["a ferry", "a train"], [""], "", True),  # the source does not tell either
        (["a ferry", "a train"], [""], "a train", False),
        ([], ["Forty guests", "40"], " forty  GUESTS.", True),
        ([], ["Forty guests", "40"], "“40”", True),
        ([], ["Forty guests", "40"], "4", False),
        ([], ["Forty guests", "40"], "", False),
        ([], [""], "", True),
        ([], [""], "forty", False),
        ([], [], "forty", None),
        ([], [], "", False),
    ],
)
def test_verdicts(choices, right, answer, expected):
    assert verdict(Question(choices=choices, right=right), answer) is expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Straße", "STRASSE"),
        ("café", "cafe\u0301"),
        ("１２", "12"),
        ("«мост»", "Мост!"),
        ("ファックス", "ﾌｧｯｸｽ"),
    ],
)
def test_what_does_not_matter(one, other):
    assert normalized(one) == normalized(other)


@pytest.mark.parametrize(
    ("one", "other"), [("-5", "5"), ("5", "5°"), ("a b", "ab"), ("C++", "C"), ("1.5", "15")]
)
def test_what_matters(one, other):
    assert normalized(one) != normalized(other)


def test_marks_alone_are_an_answer():
    assert normalized(" ?! ") == "?!"


def test_a_page_from_before_a_change_answers_nothing_else():
    """The first question is gone, or different: its answer is not used for another's."""
    sent = named({"question1": "1", "question2-text": "Low water"})
    other = (7, "What crosses the bay?", CHOICE[2])
    fewer = (7, CHOICE[1], ["a train", "a bus"])
    for asked in (other, fewer, (8, *CHOICE[1:])):
        form = AnswerForm([asked, OPEN], data=sent)
        assert list(form.errors) == [field_name(*asked)]
    # The same choices in another order are the same question.
    assert AnswerForm([(7, CHOICE[1], CHOICE[2][::-1]), OPEN], data=sent).is_valid()
