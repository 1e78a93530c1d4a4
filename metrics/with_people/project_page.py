"""The tab of a project on metrics over its campaigns, which has its own URL: its page waits for a
worker."""

from django.utils.translation import gettext_lazy

from judgments.results.projects.pages import ProjectPage, no_sections

PAGE = ProjectPage(
    "metrics",
    gettext_lazy("Metrics"),
    no_sections,
    address="project-metrics",
    is_reported=False,
)
