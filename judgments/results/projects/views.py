"""The pages of a project, and their files."""

from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from judgments.files.attachments import JSON, attachment
from judgments.people import access
from judgments.results import exports
from judgments.results.compare.views import file_of
from judgments.results.projects.figures import ProjectResults
from judgments.results.projects.pages import asked_of, project_pages
from judgments.web.heavy import heavy

# The same as in judgments.publishing.report, which is above this room; a test compares them.
REPORT_KINDS = ("html", "pdf", "tex", "md", "xlsx")


class AskedPage:
    """A requested page of a project. Http404 for a project that the user may not see, or a page
    that does not exist; BadRequest, with a message, for a choice that does not exist."""

    def __init__(self, request, project, slug):
        found = access.readable_project(request.user, project)
        pages = [each for each in project_pages() if each.slug == slug]
        if not pages:
            raise Http404("There is no such page of a project.")
        self.page = pages[0]
        if self.page.address and request.resolver_match.url_name != "project-page":
            raise Http404("This page has files of its own.")
        site = request.build_absolute_uri("/")
        self.results = ProjectResults.of(request.user, found, site)
        try:
            asked = asked_of(self.page, self.results, request.GET.dict())
        except ValueError as problem:
            raise BadRequest(str(problem)) from None
        self.choices, self.chosen, self.sections = asked
        self.query = urlencode(request.GET.dict())
        address = reverse("project-page", args=[found.slug, slug])
        query = f"?{self.query}" if self.query else ""
        self.address = request.build_absolute_uri(address + query)

    def address_of(self, slug):
        return f"{self.address}#section-{slug}"


@login_required
@require_GET
def project(request, project):
    """Return the first page, at the project's own address."""
    return _page(request, AskedPage(request, project, project_pages()[0].slug))


@login_required
@require_GET
def project_page(request, project, page):
    asked = AskedPage(request, project, page)
    if asked.page.address:
        return redirect(asked.page.address, asked.results.project.slug)
    if asked.page is project_pages()[0]:
        query = f"?{asked.query}" if asked.query else ""
        return redirect(asked.results.project.get_absolute_url() + query)
    return _page(request, asked)


@login_required
@require_GET
@heavy
def project_file(request, project, page, name, kind):
    """Return a chart or a table of a page of the project; no other is made."""
    asked = AskedPage(request, project, page)
    return file_of(asked.sections, asked.results, name, kind, asked.address_of)


@login_required
@require_GET
@heavy
def project_json(request, project, page):
    """Return all figures of a page, with the selections of all campaigns."""
    asked = AskedPage(request, project, page)
    said = {"selection": asked.results.described, "chosen": asked.chosen}
    found = exports.page_json(
        f"project-{page}", str(asked.page.name), asked.sections, asked.address, said
    )
    name = f"{asked.results.project.slug}-{page}.json"
    return attachment(found, JSON, name)


def _page(request, asked):
    results = asked.results
    context = {
        "project": results.project,
        "results": results,
        "asked": asked,
        "tab": asked.page.slug,
        "pages": project_pages(),
        "sections": asked.sections,
        "may_manage": access.may_manage_project(request.user, results.project),
        "report_kinds": REPORT_KINDS,
        "n_hidden": results.n_hidden,
        "downloads": results.project.downloads.filter(owner=request.user),
        # For the files of charts.
        "files": "project-file",
        "files_of": (results.project.slug, asked.page.slug),
        "chart_query": asked.query,
    }
    return render(request, "judgments/results/project.html", context)
