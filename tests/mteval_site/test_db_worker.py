import pytest
from django_tasks_db.models import DBTaskResult

from metrics import tasks
from mteval_site.local.db_worker import requeue_tasks


@pytest.mark.django_db
def test_what_a_killed_worker_left_behind_starts_again():
    left, waiting, done = (tasks.run_scoring.enqueue(n).id for n in (1, 2, 3))
    DBTaskResult.objects.filter(pk=left).update(status="RUNNING")
    DBTaskResult.objects.filter(pk=done).update(status="SUCCESSFUL")
    requeue_tasks()
    statuses = dict(DBTaskResult.objects.values_list("pk", "status"))
    found = {str(pk): status for pk, status in statuses.items()}
    assert found == {str(left): "READY", str(waiting): "READY", str(done): "SUCCESSFUL"}
