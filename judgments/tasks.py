"""Former names of tasks, for tasks queued by an earlier version; each room has its own tasks."""

from judgments.exchange.releases.tasks import forget_upload, run_upload
from judgments.people.accounts.tasks import mail_new_password
from judgments.people.invitations.tasks import mail_invitations
from judgments.publishing.downloads.tasks import forget_download, make_download
from judgments.quality.notices.tasks import look_for_notices, send_notice
from judgments.quality.watch.tasks import compute_latest
from judgments.test_sets.media.tasks import sweep_media
from judgments.test_sets.word_links.tasks import link_words

__all__ = [
    "compute_latest",
    "forget_download",
    "forget_upload",
    "link_words",
    "look_for_notices",
    "mail_invitations",
    "mail_new_password",
    "make_download",
    "run_upload",
    "send_notice",
    "sweep_media",
]
