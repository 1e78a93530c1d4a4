"""Judges in the background, in a separate queue: a worker mostly waits for answers."""

from django_tasks import task

from .runs import work_on


@task(queue_name="judge")
def run_judge(judge_id: int) -> bool:
    """Give a judge a turn, and another one after the waiting ones. Return whether it goes on."""
    is_left = work_on(judge_id)
    if is_left:
        run_judge.enqueue(judge_id)
    return is_left
