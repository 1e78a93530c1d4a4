"""Addresses of the programming interface, under api/."""

from django.urls import path

from judgments.later import ViewsLater

answers = ViewsLater("judgments.api.answers")
audit = ViewsLater("judgments.api.audit")
campaign_files = ViewsLater("judgments.api.campaign_files")
edits = ViewsLater("judgments.api.edits")
errors = ViewsLater("judgments.api.errors")
links = ViewsLater("judgments.api.word_alignment")
pages = ViewsLater("judgments.api.pages")
power = ViewsLater("judgments.api.power")
releases = ViewsLater("judgments.api.releases")
quality = ViewsLater("judgments.api.quality_control")
stopping = ViewsLater("judgments.api.stopping")
views = ViewsLater("judgments.api.views")

urlpatterns = [
    path("schema/", views.schema, name="api-schema"),
    path("campaigns/", views.campaigns, name="api-campaigns"),
    path("campaigns/from-file/", campaign_files.campaign_from_file, name="api-campaign-from-file"),
    path("campaigns/<int:campaign_id>/", views.campaign, name="api-campaign"),
    path(
        "campaigns/<int:campaign_id>/file/", campaign_files.campaign_file, name="api-campaign-file"
    ),
    path("campaigns/<int:campaign_id>/scores/", views.scores, name="api-scores"),
    path("campaigns/<int:campaign_id>/agreement/", views.agreement, name="api-agreement"),
    path("campaigns/<int:campaign_id>/answers/", answers.answers, name="api-answers"),
    path("campaigns/<int:campaign_id>/errors/", errors.errors, name="api-errors"),
    path("campaigns/<int:campaign_id>/edits/", edits.edits, name="api-edits"),
    path("campaigns/<int:campaign_id>/links/", links.links, name="api-links"),
    path("campaigns/<int:campaign_id>/quality/", quality.quality, name="api-quality"),
    path("campaigns/<int:campaign_id>/log/", audit.log, name="api-log"),
    path("campaigns/<int:campaign_id>/pages/", pages.pages, name="api-pages"),
    path("campaigns/<int:campaign_id>/pages/<str:page>/", pages.page, name="api-page"),
    path("campaigns/<int:campaign_id>/formats/", releases.formats, name="api-formats"),
    path(
        "campaigns/<int:campaign_id>/formats/<str:name>/",
        releases.format_file,
        name="api-format",
    ),
    path("campaigns/<int:campaign_id>/power/", power.power, name="api-power"),
    path("campaigns/<int:campaign_id>/stopping/", stopping.stopping, name="api-stopping"),
]
