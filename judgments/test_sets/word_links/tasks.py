"""Word links in the background."""

from django_tasks import task


@task(queue_name="slow")
def link_words(run_id: int) -> bool:
    """Make the word links that a campaign requested; return False if nobody waits for them.
    Requests for few texts are in the queue of short tasks."""
    from judgments.test_sets.word_links import runs

    return runs.work(run_id)
