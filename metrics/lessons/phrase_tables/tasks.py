"""Link the words of texts in the background."""

from django.db import transaction
from django_tasks import task

from judgments.models import TestSet
from judgments.web.short_tasks import queue_for_linking
from metrics.models import Bitext


@task(queue_name="slow")
def run_linking(linked_id: int) -> bool:
    """Link the words of a test set or a bitext; return False if there is nothing to do."""
    # Slow to import, and not needed by the rest of this module.
    from metrics.lessons.phrase_tables import linking

    return linking.work_on(linked_id)


@transaction.atomic
def enqueue_linking(owner: TestSet | Bitext) -> bool:
    """Queue linking the words of texts; return False if it is already queued."""
    from metrics.lessons.phrase_tables import linking

    linked = linking.ask(owner)
    if linked is None:
        return False
    task = run_linking
    if isinstance(owner, TestSet):
        task = run_linking.using(queue_name=queue_for_linking(owner))
    task.enqueue(linked.pk)
    return True
