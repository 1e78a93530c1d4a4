"""Tasks queued by an earlier version are run by this one."""

import pytest
from django.utils.module_loading import import_string
from django_tasks.base import Task

OF_EARLIER_VERSIONS = {
    "judgments.tasks": (
        *("compute_latest", "forget_download", "forget_upload", "link_words", "look_for_notices"),
        *("mail_invitations", "mail_new_password", "make_download", "run_upload", "send_notice"),
        "sweep_media",
    ),
    "metrics.tasks": (
        *("run_agreement", "run_baseline", "run_comparisons", "run_linking", "run_scoring"),
        *("run_slow_scoring", "run_year"),
    ),
}


@pytest.mark.parametrize(
    "path", [f"{module}.{name}" for module, names in OF_EARLIER_VERSIONS.items() for name in names]
)
def test_a_task_is_found_by_its_earlier_name(path):
    task = import_string(path)
    assert isinstance(task, Task)
    assert import_string(task.module_path) is task
