"""Import what somebody uploaded, in the background."""

from django_tasks import task

from judgments.models import Upload


@task(queue_name="slow")
def run_upload(upload_id: int) -> bool:
    """Look at files that somebody brought, or import them; False if nobody waits for it."""
    from judgments.exchange.releases import uploads

    return uploads.work(upload_id)


@task(priority=-50)
def forget_upload(upload_id: int) -> None:
    """Delete what somebody brought a day ago, whatever has become of it."""
    Upload.objects.filter(pk=upload_id).delete()
