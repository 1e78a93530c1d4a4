"""Background imports of uploads."""

from datetime import timedelta

from django.utils import timezone
from django_tasks import task

from judgments.models import Upload
from judgments.test_sets.media.tasks import sweep_media

DAY = timedelta(days=1)


@task(queue_name="slow")
def run_upload(upload_id: int) -> bool:
    """Inspect or import an upload; return False if nobody waits for it."""
    from judgments.exchange.releases import uploads

    return uploads.work(upload_id)


@task(priority=-50)
def forget_upload(upload_id: int) -> None:
    """Delete an upload a day later, whatever its state.

    An import that was ended may have left media files, which are swept once they are old enough.
    """
    upload = Upload.objects.filter(pk=upload_id)
    if upload.not_imported().exists():
        sweep_media.using(run_after=timezone.now() + DAY).enqueue()
    upload.delete()
