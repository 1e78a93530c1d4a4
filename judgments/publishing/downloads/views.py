"""Files made by a worker: request, progress, download."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponseRedirect, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from judgments.models import DownloadKind, JobStatus
from judgments.people import access
from judgments.publishing.downloads import files as downloads
from judgments.results.projects.pages import project_pages
from judgments.results.selection import from_address
from judgments.web.audit.acting import acting

SLOW_TO_BEGIN = 15  # seconds


@login_required
@require_http_methods(["GET", "POST"])
def export_archive(request, campaign_id):
    """Return the campaign as a folder of pages."""
    return asked_for(request, from_address.selected(request, campaign_id), DownloadKind.ARCHIVE)


@login_required
@require_POST
def export_release(request, campaign_id):
    """Return the campaign as a signed file. All of it is computed, regardless of the selection."""
    return start(request, access.managed_campaign(request.user, campaign_id), _kind(request))


@login_required
@require_POST
def project_release(request, project):
    """Return the project as a signed file, with its campaigns that the user may release."""
    return start(request, access.managed_project(request.user, project), _kind(request))


def _kind(request):
    if "hashes_only" in request.POST:
        return DownloadKind.RELEASE_OF_HASHES
    return DownloadKind.RELEASE_WITH_MEDIA if "media" in request.POST else DownloadKind.RELEASE


def asked_for(request, selection, kind: str):
    """Request a file of the selected judgments, or show the page with the form: opening an address
    makes nothing."""
    if request.method == "POST":
        return start(request, selection.campaign, kind, selection.query.removeprefix("?"))
    context = {
        "campaign": selection.campaign,
        "selection": selection,
        "tab": "exports",
        "file_name": DownloadKind(kind).label,
    }
    return render(request, "judgments/publishing/download_new.html", context)


def start(request, of, kind: str, query: str = "") -> HttpResponseRedirect:
    site = request.build_absolute_uri("/")
    with acting(request) as act:
        asked = downloads.ask(request.user, of, kind, query=query, site=site)
        act.made(download_id=asked.pk)
    return redirect(asked)


@login_required
@require_GET
def download(request, download_id, **of):
    """Return the progress of a file; while it is pending the page refreshes itself. of: the
    campaign or the project, as in its address."""
    found = access.own_download(request.user, download_id, **of)
    waited = (timezone.now() - found.moved_at).total_seconds()
    if found.project:
        frame = {"project": found.project, "pages": project_pages(), "may_manage": True}
        frame["base"] = "judgments/results/project_base.html"
    else:
        frame = {"campaign": found.campaign, "base": "judgments/web/campaign_base.html"}
    context = {
        **frame,
        "back": _back(found),
        "tab": "exports",
        "download": found,
        "no_worker": found.status == JobStatus.QUEUED and waited > SLOW_TO_BEGIN,
        "is_lost": downloads.is_lost(found),
    }
    return render(request, "judgments/publishing/download.html", context)


def _back(found):
    """Return the page that offers the file."""
    if found.project:
        return f"{found.project.get_absolute_url()}#release"
    return reverse("exports", args=[found.campaign_id])


@login_required
@require_GET
def download_file(request, download_id, **of):
    found = access.own_download(request.user, download_id, **of)
    if found.status != JobStatus.DONE:
        raise Http404("This file is not ready yet.")
    response = StreamingHttpResponse(
        downloads.pieces_of(found), content_type="application/octet-stream"
    )
    prefix = found.project.slug if found.project else slugify(found.of.name)
    prefix = prefix or f"campaign-{found.of.pk}"
    response["Content-Disposition"] = f'attachment; filename="{prefix}-{found.file_name}"'
    response["Content-Length"] = str(found.n_bytes)
    return response


@login_required
@require_POST
def download_again(request, download_id, **of):
    found = access.own_download(request.user, download_id, **of)
    if found.status == JobStatus.FAILED or downloads.is_lost(found):
        with acting(request):
            found = downloads.ask_again(found)
    return redirect(found)


@login_required
@require_POST
def download_discard(request, download_id, **of):
    """Cancel a pending file, or delete a finished one."""
    found = access.own_download(request.user, download_id, **of)
    with acting(request):
        found.delete()
    return redirect(_back(found))
