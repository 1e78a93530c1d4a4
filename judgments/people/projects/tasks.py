"""Mailing of links of co-managers, watchers and readers in the background."""

from urllib.parse import urljoin

from django.core.mail import EmailMessage
from django_tasks import task

from judgments.models import ProjectLink
from judgments.people.mail import send_or_later

BODY = """Hello,

{who} invites you to the project “{project}” on {site}, as {role}. This link is only for you. It
closes on {until} (UTC):

{link}
"""


@task(priority=20)
def mail_project_link(link_id: int, site: str, n_failed: int = 0) -> None:
    """Mail a link. The queue does not hold it: it is read here, and not mailed once it is closed or
    used. n_failed: tries before this one."""
    link = ProjectLink.objects.usable().filter(pk=link_id).first()
    if link is None or not link.email:
        return
    text = BODY.format(
        who=link.created_by.get_full_name() or link.created_by.get_username(),
        project=link.project.name,
        site=site,
        role=link.get_role_display().lower(),
        until=f"{link.expires_at:%Y-%m-%d %H:%M}",
        link=urljoin(site, link.get_absolute_url()),
    )
    subject = " ".join(f"Invitation to the project {link.project.name}".split())
    if later := send_or_later(EmailMessage(subject, text, to=[link.email]), n_failed):
        mail_project_link.using(run_after=later).enqueue(link_id, site, n_failed + 1)
