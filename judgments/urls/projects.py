"""Addresses of projects: their campaigns and results."""

from django.urls import URLPattern, URLResolver, include, path

from judgments.people.projects import views as people
from judgments.plans.projects import views as projects
from mteval_site.lazy_views import LazyViews

downloads = LazyViews("judgments.publishing.downloads.views")
files = LazyViews("judgments.exchange.project_files.views")
report = LazyViews("judgments.publishing.report.views")
results = LazyViews("judgments.results.projects.views")
watch = LazyViews("judgments.quality.projects.views")

# Addresses of one project.
of_project = [
    path("", results.project, name="project"),
    path("edit/", projects.project_edit, name="project-edit"),
    path("file.<str:kind>", files.project_as_file, name="project-as-file"),
    path("archive/", projects.project_archive, name="project-archive"),
    path("delete/", projects.project_delete, name="project-delete"),
    path("watch/", watch.project_watch, name="project-watch"),
    path("watch/<slug:table>.csv", watch.project_watch_file, name="project-watch-file"),
    path("people/", people.project_people, name="project-people"),
    path("people/invite/", people.project_invite, name="project-invite"),
    path("people/links/", people.project_links, name="project-links"),
    path("people/links.csv", people.project_links_file, name="project-links-file"),
    path("people/links/close/", people.project_links_close, name="project-links-close"),
    path(
        "people/links/<int:link_id>/close/", people.project_links_close, name="project-link-close"
    ),
    path("people/<int:member_id>/end/", people.project_part_end, name="project-part-end"),
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
    path("from-file/", files.project_from_file, name="project-from-file"),
    path("new/", projects.project_new, name="project-new"),
    path("join/<str:token>/", people.project_join, name="project-join"),
    path("<slug:project>/", include(of_project)),
]
