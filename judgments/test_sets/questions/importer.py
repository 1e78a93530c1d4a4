"""Questions about a campaign's documents: from files, and one by one."""

import json
from collections.abc import Iterator

from django.db import transaction
from django.db.models import Max

from judgments.files.problem import shortened
from judgments.files.questions import QuestionRow
from judgments.files.rows import RowKind, lock
from judgments.models import Campaign, Question
from judgments.models.chains import record

MOST_QUESTIONS = 20_000
MOST_ON_A_DOCUMENT = 50


class QuestionRows(RowKind[QuestionRow]):
    """Rows of a campaign. They are added after existing ones, in the order of their file."""

    model = Question
    fields = ("campaign", "document", "position", "level", "text", "choices", "right")
    nouns = "questions"
    adds = True
    most = MOST_QUESTIONS

    def __init__(self, owner: Campaign, *, replace: bool) -> None:
        super().__init__(owner, replace=replace)
        self.documents: dict[str, int] = dict(owner.test_set.documents.values_list("name", "pk"))
        self.positions: dict[int, int] = {}
        if not replace:
            self.positions = next_positions(owner)
            for document, text in owner.questions.values_list("document_id", "text"):
                self.first_time(document, text)

    def records(self, row: QuestionRow) -> Iterator[tuple]:
        document = self.documents.get(row.document)
        if document is None:
            reason = f"the test set has no document {shortened(row.document)}."
            raise row.problem("document", reason)
        if not self.first_time(document, row.text):
            reason = f"{shortened(row.text)} is asked twice about this document."
            raise row.problem("question", reason)
        if self.n_in(document) > MOST_ON_A_DOCUMENT:
            reason = f"there are more than {MOST_ON_A_DOCUMENT} questions on this document."
            raise row.problem("document", reason)
        place = self.positions[document] = self.positions.get(document, -1) + 1
        lists = json.dumps(row.choices), json.dumps(row.right)
        yield self.owner.pk, document, place, row.level, row.text, *lists

    def finish(self) -> None:
        record.note(self.owner.pk, "questions brought", "question")


def next_positions(campaign: Campaign) -> dict[int, int]:
    """Return the last position of a question for each document that has any."""
    rows = campaign.questions.order_by().values("document").annotate(last=Max("position"))
    return dict(rows.values_list("document", "last"))


@transaction.atomic
def save_question(question: Question) -> None:
    """Store a question, a new one after the others of its document. Raise Frozen."""
    lock(QuestionRows, question.campaign)
    before = Question.objects.filter(pk=question.pk).values_list("document_id", flat=True).first()
    if before != question.document_id:
        question.position = next_positions(question.campaign).get(question.document_id, -1) + 1
    question.save()
    record.note(question.campaign_id, "question written", "question", ids=[question.pk])


@transaction.atomic
def delete_question(question: Question) -> None:
    """Delete a question. Raise Frozen."""
    lock(QuestionRows, question.campaign)
    number = question.pk
    question.delete()
    record.note(question.campaign_id, "question deleted", "question", ids=[number])
