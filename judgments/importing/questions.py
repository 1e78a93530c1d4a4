"""Questions about a campaign's documents: from files, and one by one."""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Max

from judgments.formats import ImportProblem
from judgments.formats.problem import shortened
from judgments.formats.questions import QuestionRow
from judgments.models import Campaign, Judgment, Question

MOST_QUESTIONS = 20_000
MOST_ON_A_DOCUMENT = 50


class Frozen(Exception):
    """There are judgments: the questions were asked, and stay as they are."""


def lock(campaign: Campaign) -> None:
    """Until the transaction ends nobody else changes the questions. Raises Frozen."""
    Campaign.objects.select_for_update().get(pk=campaign.pk)
    if Judgment.objects.filter(campaign=campaign).exists():
        raise Frozen


@transaction.atomic
def import_questions(
    campaign: Campaign, rows: Iterable[QuestionRow], *, replace: bool = False
) -> int:
    """Add all questions behind those that are there, or none at all; how many there were.

    replace: in place of those that are there. Raises ImportProblem and Frozen.
    """
    lock(campaign)
    if replace:
        campaign.questions.all().delete()
    documents: dict[str, int] = dict(campaign.test_set.documents.values_list("name", "pk"))
    here: dict[int, list[str]] = {}
    for known, text in campaign.questions.values_list("document_id", "text"):
        here.setdefault(known, []).append(text)
    positions = next_positions(campaign)
    found: list[Question] = []
    for row in rows:
        document = documents.get(row.document)
        if document is None:
            reason = f"the test set has no document {shortened(row.document)}."
            raise row.problem("document", reason)
        texts = here.setdefault(document, [])
        if row.text in texts:
            reason = f"{shortened(row.text)} is asked twice about this document."
            raise row.problem("question", reason)
        if len(texts) == MOST_ON_A_DOCUMENT:
            reason = f"there are more than {MOST_ON_A_DOCUMENT} questions on this document."
            raise row.problem("document", reason)
        if len(found) == MOST_QUESTIONS:
            raise row.problem("", f"there are more than {MOST_QUESTIONS:,} questions.")
        texts.append(row.text)
        positions[document] = positions.get(document, -1) + 1
        found.append(
            Question(
                campaign=campaign,
                document_id=document,
                position=positions[document],
                level=row.level,
                text=row.text,
                choices=row.choices,
                right=row.right,
            )
        )
    if not found:
        raise ImportProblem("file", None, "", "it contains no questions.")
    Question.objects.bulk_create(found, batch_size=2000)
    return len(found)


def next_positions(campaign: Campaign) -> dict[int, int]:
    """The last position of a question on each document that has any."""
    rows = campaign.questions.order_by().values("document").annotate(last=Max("position"))
    return dict(rows.values_list("document", "last"))


@transaction.atomic
def save_question(question: Question) -> None:
    """Store a question, a new one behind the others of its document. Raises Frozen."""
    lock(question.campaign)
    before = Question.objects.filter(pk=question.pk).values_list("document_id", flat=True).first()
    if before != question.document_id:
        question.position = next_positions(question.campaign).get(question.document_id, -1) + 1
    question.save()


@transaction.atomic
def delete_question(question: Question) -> None:
    """Raises Frozen."""
    lock(question.campaign)
    question.delete()
