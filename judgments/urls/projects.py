"""Addresses of projects: which campaigns belong together, and their results."""

from django.urls import URLPattern, URLResolver, include, path

from judgments.plans.projects import views as projects
from mteval_site.lazy_views import LazyViews

downloads = LazyViews("judgments.publishing.downloads.views")
report = LazyViews("judgments.publishing.report.views")
results = LazyViews("judgments.results.projects.views")

# Of one project.
of_project = [
    path("", results.project, name="project"),
    path("edit/", projects.project_edit, name="project-edit"),
    path("delete/", projects.project_delete, name="project-delete"),
    path("release.zip", downloads.project_release, name="project-release"),
    path("made/<int:download_id>/", downloads.download, name="project-download"),
    path("made/<int:download_id>/file", downloads.download_file, name="project-download-file"),
    path("made/<int:download_id>/again", downloads.download_again, name="project-download-again"),
    path(
        "made/<int:download_id>/discard",
        downloads.download_discard,
        name="project-download-discard",
    ),
    path("report.<str:kind>", report.project_report, name="project-report"),
    path("<slug:page>/", results.project_page, name="project-page"),
    path("<slug:page>.json", results.project_json, name="project-json"),
    path("<slug:page>/<slug:name>.<str:kind>", results.project_file, name="project-file"),
]
urlpatterns: list[URLPattern | URLResolver] = [
    path("", projects.projects, name="projects"),
    path("new/", projects.project_new, name="project-new"),
    path("<slug:project>/", include(of_project)),
]
