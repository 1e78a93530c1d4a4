"""Addresses of the API, under api/."""

from django.urls import include, path

from mteval_site.lazy_views import LazyViews

answers = LazyViews("judgments.results.answers.api")
agreement = LazyViews("judgments.results.agreement.api")
scores = LazyViews("judgments.results.scores.api")
acts = LazyViews("judgments.plans.campaigns.api")
judgments_api = LazyViews("judgments.exchange.judgments.api")
audit = LazyViews("judgments.quality.log.api")
campaign_files = LazyViews("judgments.exchange.campaign_files.api")
decisions = LazyViews("judgments.quality.decisions.api")
edits = LazyViews("judgments.results.edits.api")
errors = LazyViews("judgments.results.errors.api")
figures = LazyViews("judgments.results.figures_api")
links = LazyViews("judgments.results.links.api")
pages = LazyViews("judgments.results.pages_api")
power = LazyViews("judgments.results.power.api")
releases = LazyViews("judgments.exchange.releases.api")
projects = LazyViews("judgments.plans.projects.api")
project_results = LazyViews("judgments.results.projects.api")
quality = LazyViews("judgments.quality.rules.api")
segments = LazyViews("judgments.results.segments.api")
root = LazyViews("judgments.web.api.root")
stopping = LazyViews("judgments.results.stopping.api")
table_files = LazyViews("judgments.exchange.tables.api")
test_sets = LazyViews("judgments.test_sets.api")
views = LazyViews("judgments.web.api.views")

# Addresses of one campaign.
of_campaign = [
    path("", acts.campaign, name="api-campaign"),
    path("file/", campaign_files.campaign_file, name="api-campaign-file"),
    path("scores/", scores.scores, name="api-scores"),
    path("agreement/", agreement.agreement, name="api-agreement"),
    path("answers/", answers.answers, name="api-answers"),
    path("errors/", errors.errors, name="api-errors"),
    path("edits/", edits.edits, name="api-edits"),
    path("links/", links.links, name="api-links"),
    path("quality/", quality.quality, name="api-quality"),
    path("log/", audit.log, name="api-log"),
    path("pages/", pages.pages, name="api-pages"),
    path("pages/<str:page>/", pages.page, name="api-page"),
    path("segments/", segments.segments, name="api-segments"),
    path("segments/<int:segment_id>/", segments.segment, name="api-segment"),
    path("formats/", releases.formats, name="api-formats"),
    path("formats/<str:name>/", releases.format_file, name="api-format"),
    path("tables/", table_files.tables, name="api-tables"),
    path("tables/<slug:name>/", figures.table, name="api-table"),
    path("tables/<slug:name>.<str:kind>", table_files.table_file, name="api-table-file"),
    path("charts/<slug:name>/", figures.chart, name="api-chart"),
    path("charts/<slug:name>.<str:kind>", figures.chart_picture, name="api-chart-picture"),
    path("progress/", acts.progress, name="api-progress"),
    path("status/", acts.status, name="api-campaign-status"),
    path("invitations/", acts.invitations, name="api-invitations"),
    path(
        "invitations/<int:invitation_id>/close/", acts.invitation_close, name="api-invitation-close"
    ),
    path("judgments/", judgments_api.judgments, name="api-judgments"),
    path("quality/decisions/", decisions.decisions, name="api-decisions"),
    path("quality/segments/", decisions.item_decisions, name="api-item-decisions"),
    path("power/", power.power, name="api-power"),
    path("stopping/", stopping.stopping, name="api-stopping"),
]

# Addresses of one project.
of_project = [
    path("", project_results.project, name="api-project"),
    path("campaigns/", projects.campaigns, name="api-project-campaigns"),
    path("tables/", table_files.project_tables, name="api-project-tables"),
    path(
        "tables/<slug:name>.<str:kind>",
        table_files.project_table_file,
        name="api-project-table-file",
    ),
]

urlpatterns = [
    path("", root.root, name="api-root"),
    path("schema/", views.schema, name="api-schema"),
    path("campaigns/", acts.campaigns, name="api-campaigns"),
    path("campaigns/from-file/", campaign_files.campaign_from_file, name="api-campaign-from-file"),
    path("campaigns/<int:campaign_id>/", include(of_campaign)),
    path("projects/", projects.projects, name="api-projects"),
    path("projects/<slug:project>/", include(of_project)),
    path("testsets/", test_sets.test_sets, name="api-test-sets"),
    path("testsets/<int:test_set_id>/", test_sets.test_set, name="api-test-set"),
    path(
        "testsets/<int:test_set_id>/segments/",
        test_sets.test_set_segments,
        name="api-test-set-segments",
    ),
]
