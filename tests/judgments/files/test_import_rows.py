"""What the one importer of rows does for every kind of them."""

import pytest

from judgments.files import ImportProblem, prefilled_spans, questions
from judgments.files.output_texts import POST_EDITS, WORD_LINKS
from judgments.files.rows import Frozen, RowKind, import_rows
from judgments.models import Judgment
from judgments.test_sets.late_systems import LateOutputs
from judgments.test_sets.post_edits import PostEdits
from judgments.test_sets.prefilled_spans import SuggestedErrors
from judgments.test_sets.questions.importer import QuestionRows
from judgments.test_sets.reference_sets.importing import ReferenceSet
from judgments.test_sets.word_links.prefilled_links import ProposedLinks
from tests import factory

from .files import upload

# Two good rows of each kind of table, the preset of a campaign that takes them, and how it reads.
KINDS = {
    PostEdits: (
        "adequacy-fluency",
        POST_EDITS.from_table,
        "system\tsegment\ttext\tname\nSystem-A\t1\tone\tMia\nSystem-A\t2\ttwo\tMia\n",
    ),
    ProposedLinks: (
        "word-alignment",
        WORD_LINKS.from_table,
        "system\tsegment\tlinks\nSystem-A\t1\t0-0\nSystem-A\t2\t1-1\n",
    ),
    SuggestedErrors: (
        "esa-ai",
        prefilled_spans.from_table,
        "system\tsegment\ttext\tseverity\nSystem-A\t1\tSource\tminor\nSystem-A\t2\tSource\tmajor\n",
    ),
    QuestionRows: (
        "comprehension",
        questions.from_table,
        "document\tlevel\tquestion\ndoc0\t1\tWho?\ndoc0\t2\tWhy?\n",
    ),
}


# Reference sets and late systems come to texts that have others, by a name:
# tests/judgments/test_sets.
ELSEWHERE = {LateOutputs, ReferenceSet}


def test_every_kind_is_tried_here():
    ours = {kind for kind in RowKind.__subclasses__() if kind.__module__.startswith("judgments.")}
    assert ours == set(KINDS) | ELSEWHERE


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def kind(request):
    return request.param


@pytest.fixture
def campaign(kind, db):
    test_set = factory.make_test_set(factory.make_user("owner"))
    return factory.make_campaign(test_set, preset=KINDS[kind][0])


@pytest.fixture
def bring(kind, campaign):
    owner = campaign.test_set if kind is PostEdits else campaign

    def run(text=KINDS[kind][2], **options):
        rows = KINDS[kind][1](upload("rows.tsv", text.encode()))
        return import_rows(kind, owner, rows, **options)

    return run


def stored(kind):
    return kind.model._default_manager.count()


def test_rows_are_counted_and_stored(kind, bring):
    added = bring()
    assert (added.rows, stored(kind)) == (2, 2)


def test_a_second_time(kind, bring):
    """What comes to what is there is refused a second time; other rows take its place."""
    bring()
    if kind.adds:
        with pytest.raises(ImportProblem, match=r"rows\.tsv, row 2, column (segment|question)"):
            bring()
    bring(replace=kind.adds)
    assert stored(kind) == 2


def test_as_many_as_are_taken(kind, bring, settings, monkeypatch):
    settings.MAX_IMPORT_ROWS = 1
    if kind.most:
        monkeypatch.setattr(kind, "most", 1)
    with pytest.raises(ImportProblem, match=rf"row 3: there are more than 1 {kind.nouns}"):
        bring()
    assert not stored(kind)


def test_what_came_before_stays_if_a_row_is_wrong(kind, bring):
    bring()
    text = KINDS[kind][2]
    with pytest.raises(ImportProblem, match="row 4, column"):
        bring(text + text.splitlines()[1] + "\n", replace=True)
    assert stored(kind) == 2


def test_after_the_first_judgment(kind, campaign, bring):
    annotator = factory.make_user("annotator")
    factory.judge(factory.make_task(campaign, annotator, n_outputs=1).items.first(), {})
    assert Judgment.objects.exists()
    if kind.before_judging:
        with pytest.raises(Frozen, match=f"the {kind.nouns} cannot be changed"):
            bring()
    else:
        bring()
    assert stored(kind) == (0 if kind.before_judging else 2)


def test_lists_come_out_as_they_went_in(db):
    """Backslashes and quotes mean something to JSON and to PostgreSQL, and nothing to a reader."""
    campaign = factory.make_campaign(
        factory.make_test_set(factory.make_user("owner")), preset="comprehension"
    )
    odd = 'a "b" \\ \\N \\t ü 日'
    table = f"document\tlevel\tquestion\tchoices\tright\ndoc0\t1\t{odd}\t{odd}|no\t{odd}\n"
    rows = questions.from_table(upload("rows.tsv", table.encode()))
    import_rows(QuestionRows, campaign, rows)
    question = campaign.questions.get()
    assert (question.text, question.choices, question.right) == (odd, [odd, "no"], [odd])
