"""The demo's comprehension questions, and the answers of simulated readers."""

import uuid
from datetime import timedelta

from django.utils import timezone

from judgments.models import Answer, Item, Judgment
from judgments.models.chains.sealing import seal
from judgments.protocols.questions.grading import UNTOLD, verdict

# The probability that a reader of a system's text finds the answer; readers who do not find it say
# so, or answer something else, with equal probability.
UNDERSTOOD = {"Harbor": 0.95, "Lantern": 0.8, "Meadow": 0.55, "Pebble": 0.3, "Baseline": 0.05}
MISTAKEN = "I think it was something else"
MINUTES = 6


def simulate(task, user, rng) -> None:
    """Let a simulated reader answer everything in a task."""
    moment = timezone.now() - timedelta(days=1) + timedelta(hours=task.batch)
    items = task.items.select_related("segment").prefetch_related("shown__output__system")
    judgments, answers = [], []
    for item in items.order_by("position"):
        started, moment = moment, moment + timedelta(minutes=MINUTES)
        judgment = Judgment(
            item=item,
            campaign=task.campaign,
            annotator=user,
            client_key=uuid.uuid4(),
            started_at=started,
            submitted_at=moment,
            active_ms=MINUTES * 60_000,
        )
        judgments.append(judgment)
        output = min(item.shown.all(), key=lambda row: row.position).output
        for question in task.campaign.questions.filter(document=item.segment.document_id):
            text = answer_to(question, UNDERSTOOD[output.system.name], rng)
            right = verdict(question, text)
            answers.append(
                Answer(
                    judgment=judgment, output=output, question=question, text=text, is_right=right
                )
            )
    Judgment.objects.bulk_create(judgments)
    Answer.objects.bulk_create(answers)
    seal(judgments)
    Item.objects.filter(task=task).update(is_judged=True)
    task.annotator = user
    task.claimed_at = task.assigned_at = moment - timedelta(minutes=MINUTES * task.n_items)
    task.n_judged, task.active_ms = task.n_items, task.n_items * MINUTES * 60_000
    task.last_judged_at = moment
    task.save()


def answer_to(question, understood: float, rng) -> str:
    draw = rng.random()
    if draw < understood:
        return question.right[0]
    if draw < (1 + understood) / 2:
        return UNTOLD
    wrong = [choice for choice in question.choices if choice not in question.right]
    return wrong[int(rng.integers(len(wrong)))] if wrong else MISTAKEN
