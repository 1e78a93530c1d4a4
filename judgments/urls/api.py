"""Addresses of the programming interface, under api/."""

from django.urls import path

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
quality = LazyViews("judgments.quality.rules.api")
segments = LazyViews("judgments.results.segments.api")
root = LazyViews("judgments.web.api.root")
stopping = LazyViews("judgments.results.stopping.api")
test_sets = LazyViews("judgments.test_sets.api")
views = LazyViews("judgments.web.api.views")

urlpatterns = [
    path("", root.root, name="api-root"),
    path("schema/", views.schema, name="api-schema"),
    path("campaigns/", acts.campaigns, name="api-campaigns"),
    path("campaigns/from-file/", campaign_files.campaign_from_file, name="api-campaign-from-file"),
    path("campaigns/<int:campaign_id>/", acts.campaign, name="api-campaign"),
    path(
        "campaigns/<int:campaign_id>/file/", campaign_files.campaign_file, name="api-campaign-file"
    ),
    path("campaigns/<int:campaign_id>/scores/", scores.scores, name="api-scores"),
    path("campaigns/<int:campaign_id>/agreement/", agreement.agreement, name="api-agreement"),
    path("campaigns/<int:campaign_id>/answers/", answers.answers, name="api-answers"),
    path("campaigns/<int:campaign_id>/errors/", errors.errors, name="api-errors"),
    path("campaigns/<int:campaign_id>/edits/", edits.edits, name="api-edits"),
    path("campaigns/<int:campaign_id>/links/", links.links, name="api-links"),
    path("campaigns/<int:campaign_id>/quality/", quality.quality, name="api-quality"),
    path("campaigns/<int:campaign_id>/log/", audit.log, name="api-log"),
    path("campaigns/<int:campaign_id>/pages/", pages.pages, name="api-pages"),
    path("campaigns/<int:campaign_id>/pages/<str:page>/", pages.page, name="api-page"),
    path("campaigns/<int:campaign_id>/segments/", segments.segments, name="api-segments"),
    path(
        "campaigns/<int:campaign_id>/segments/<int:segment_id>/",
        segments.segment,
        name="api-segment",
    ),
    path("campaigns/<int:campaign_id>/formats/", releases.formats, name="api-formats"),
    path(
        "campaigns/<int:campaign_id>/formats/<str:name>/",
        releases.format_file,
        name="api-format",
    ),
    path("campaigns/<int:campaign_id>/tables/<slug:name>/", figures.table, name="api-table"),
    path(
        "campaigns/<int:campaign_id>/tables/<slug:name>.csv",
        figures.table_file,
        name="api-table-file",
    ),
    path("campaigns/<int:campaign_id>/charts/<slug:name>/", figures.chart, name="api-chart"),
    path(
        "campaigns/<int:campaign_id>/charts/<slug:name>.<str:kind>",
        figures.chart_picture,
        name="api-chart-picture",
    ),
    path("campaigns/<int:campaign_id>/progress/", acts.progress, name="api-progress"),
    path("campaigns/<int:campaign_id>/status/", acts.status, name="api-campaign-status"),
    path("campaigns/<int:campaign_id>/invitations/", acts.invitations, name="api-invitations"),
    path(
        "campaigns/<int:campaign_id>/invitations/<int:invitation_id>/close/",
        acts.invitation_close,
        name="api-invitation-close",
    ),
    path("campaigns/<int:campaign_id>/judgments/", judgments_api.judgments, name="api-judgments"),
    path(
        "campaigns/<int:campaign_id>/quality/decisions/",
        decisions.decisions,
        name="api-decisions",
    ),
    path(
        "campaigns/<int:campaign_id>/quality/segments/",
        decisions.item_decisions,
        name="api-item-decisions",
    ),
    path("testsets/", test_sets.test_sets, name="api-test-sets"),
    path("testsets/<int:test_set_id>/", test_sets.test_set, name="api-test-set"),
    path(
        "testsets/<int:test_set_id>/segments/",
        test_sets.test_set_segments,
        name="api-test-set-segments",
    ),
    path("campaigns/<int:campaign_id>/power/", power.power, name="api-power"),
    path("campaigns/<int:campaign_id>/stopping/", stopping.stopping, name="api-stopping"),
]
