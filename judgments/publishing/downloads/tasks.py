"""Background tasks that make requested files."""

from django_tasks import task

from judgments.models import Download


@task(queue_name="slow")
def make_download(download_id: int) -> bool:
    """Make a file that somebody waits for; return False if nobody does. Files of small campaigns
    use the queue of short tasks."""
    from judgments.publishing.downloads.making import work

    return work(download_id)


@task(priority=-50)
def forget_download(download_id: int) -> None:
    """Delete a file a day after it was requested, whatever its state."""
    Download.objects.filter(pk=download_id).delete()
