"""Questions from tables: what is read, and what is said about what cannot be."""

import re

import pytest
from django.core.management import CommandError, call_command

from judgments.files import ImportProblem
from judgments.files.questions import from_table
from judgments.files.rows import Frozen, import_rows
from judgments.models import Judgment, Question
from judgments.test_sets.questions.importer import QuestionRows, delete_question, save_question
from tests import factory
from tests.judgments.exchange.test_formats_guide import GUIDE

HEADER = "document\tlevel\tquestion\tchoices\tright\tuntold\n"


@pytest.fixture
def campaign(db):
    owner = factory.make_user("owner")
    return factory.make_campaign(factory.make_test_set(owner), preset="comprehension")


def table(tmp_path, text, name="questions.tsv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def import_questions(campaign, rows, *, replace=False):
    """How many came in."""
    return import_rows(QuestionRows, campaign, rows, replace=replace).rows


def test_questions_in_their_order(campaign, tmp_path):
    rows = (
        "doc1\t1\tWhat crosses the lake?\ta ferry | a train\ta ferry\t\n"
        "doc0\t3\tIs the writer glad?\t\t\tno\n"
        "doc1\t2\tWho was late?\t\tthe mayor|she\t\n"
        "doc1\t2\tHow many?\tone|two\t\tyes\n"
    )
    assert import_questions(campaign, from_table(table(tmp_path, HEADER + rows))) == 4
    assert list(
        campaign.questions.order_by("document", "position").values_list(
            "document__name", "position", "level", "text", "choices", "right"
        )
    ) == [
        ("doc0", 0, 3, "Is the writer glad?", [], []),
        ("doc1", 0, 1, "What crosses the lake?", ["a ferry", "a train"], ["a ferry"]),
        ("doc1", 1, 2, "Who was late?", [], ["the mayor", "she"]),
        ("doc1", 2, 2, "How many?", ["one", "two"], [""]),
    ]


def test_more_come_behind_or_in_place_of_those_that_are_there(campaign, tmp_path):
    for n in range(2):
        text = f'{{"document": "doc0", "level": {n + 1}, "question": "Question {n}?"}}\n'
        file = table(tmp_path, text, f"{n}.jsonl")
        assert import_questions(campaign, from_table(file)) == 1
    assert list(campaign.questions.values_list("position", "text")) == [
        (0, "Question 0?"),
        (1, "Question 1?"),
    ]
    assert import_questions(campaign, from_table(file), replace=True) == 1
    assert list(campaign.questions.values_list("position", "text")) == [(0, "Question 1?")]


@pytest.mark.parametrize(
    ("row", "place", "words"),
    [
        ("docX\t1\tWhat?\t\t\t", "row 3, column document", "no document “docX”"),
        ("\t1\tWhat?\t\t\t", "row 3, column document", "the cell is empty"),
        ("doc0\t4\tWhat?\t\t\t", "row 3, column level", "“4” is not a level"),
        ("doc0\tfacts\tWhat?\t\t\t", "row 3, column level", "1 (Facts), 2 (Actors"),
        ("doc0\t1\t \t\t\t", "row 3, column question", "the cell is empty"),
        ("doc0\t1\tAsked?\t\t\t", "row 3, column question", "asked twice"),
        ("doc0\t1\t" + "x" * 2001 + "\t\t\t", "row 3, column question", "longer than 2,000"),
        ("doc0\t1\tWhat?\tone\tone\t", "row 3, column choices", "one choice is not enough"),
        ("doc0\t1\tWhat?\tone|one\tone\t", "row 3, column choices", "“one” is listed twice"),
        ("doc0\t1\tWhat?\t1|2|3|4|5|6|7|8|9|10\t1\t", "row 3, column choices", "at most 9"),
        (
            "doc0\t1\tWhat?\tone|" + "x" * 501 + "\tone\t",
            "row 3, column choices",
            "longer than 500",
        ),
        ("doc0\t1\tWhat?\tone|two\t\t", "row 3, column right", "say which of the choices"),
        ("doc0\t1\tWhat?\tone|two\tthree\t", "row 3, column right", "“three” is not one"),
        ("doc0\t1\tWhat?\tone|two\tone\tyes", "row 3, column right", "either an answer is right"),
        ("doc0\t1\tWhat?\t\tso\tyes", "row 3, column right", "either an answer is right"),
        ("doc0\t1\tWhat?\t\t\tmaybe", "row 3, column untold", "should be yes or no"),
        ("doc0\t1\tWhat?", "row 3", "cell"),
    ],
)
def test_a_bad_row_brings_nothing_in(campaign, tmp_path, row, place, words):
    file = table(tmp_path, f"{HEADER}doc0\t1\tAsked?\t\t\t\n{row}\n")
    with pytest.raises(ImportProblem) as caught:
        import_questions(campaign, from_table(file), replace=True)
    assert str(caught.value).startswith(f"questions.tsv, {place}")
    assert words in str(caught.value)
    assert not Question.objects.exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the file is empty"),
        (HEADER, "no rows"),
        ("document\tlevel\nd\t1\n", "column question"),
        ("document\tlevel\tquestion\tcolor\nd\t1\tWhat?\tred\n", "column color"),
    ],
)
def test_a_bad_file(campaign, tmp_path, text, words):
    with pytest.raises(ImportProblem, match=re.escape(words)):
        import_questions(campaign, from_table(table(tmp_path, text)))


def test_what_was_asked_stays(campaign, tmp_path):
    annotator = factory.make_user("annotator")
    task = factory.make_task(campaign, annotator, n_outputs=1)
    row = "doc0\t1\tWhat?\t\t\t\n"
    import_questions(campaign, from_table(table(tmp_path, HEADER + row)))
    question = campaign.questions.get()
    factory.judge(task.items.first(), {})
    assert Judgment.objects.exists()
    with pytest.raises(Frozen):
        import_questions(campaign, from_table(table(tmp_path, HEADER + row)), replace=True)
    for change in (save_question, delete_question):
        question.text = "Why?"
        with pytest.raises(Frozen):
            change(question)
    assert campaign.questions.get().text == "What?"


def test_the_example_of_the_guide(db, tmp_path):
    example = re.search(r"```tsv questions.tsv\n(.*?)```", GUIDE.read_text(), re.S)[1]
    test_set = factory.make_test_set(factory.make_user("owner"))
    for document, name in zip(test_set.documents.all(), ("harbor", "captain"), strict=True):
        document.name = name
        document.save()
    campaign = factory.make_campaign(test_set, preset="comprehension")
    assert import_questions(campaign, from_table(table(tmp_path, example))) == 3


def test_the_command(campaign, tmp_path, capsys):
    file = table(tmp_path, HEADER + "doc0\t1\tWhat?\t\t\t\n")
    call_command("import_questions", campaign.pk, file)
    assert "1 question(s) added" in capsys.readouterr().out
    rating = factory.make_campaign(campaign.test_set)
    for arguments, words in (
        ([campaign.pk, file], "asked twice"),
        ([campaign.pk, str(tmp_path / "none.tsv")], "cannot be opened"),
        ([0, file], "no campaign 0"),
        ([rating.pk, file], "asks no questions"),
    ):
        with pytest.raises(CommandError, match=words):
            call_command("import_questions", *arguments)
    assert campaign.questions.count() == 1
    annotator = factory.make_user("annotator")
    factory.judge(factory.make_task(campaign, annotator, n_outputs=1).items.first(), {})
    with pytest.raises(CommandError, match="cannot be changed"):
        call_command("import_questions", campaign.pk, file, "--replace")
