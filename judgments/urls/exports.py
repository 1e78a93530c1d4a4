"""Addresses of a campaign's files."""

from django.urls import path

from mteval_site.lazy_views import LazyViews

campaign_files = LazyViews("judgments.exchange.campaign_files.views")
downloads = LazyViews("judgments.publishing.downloads.views")
releases = LazyViews("judgments.exchange.releases.views")
publishing = LazyViews("judgments.publishing.views")
results = LazyViews("judgments.results.views")

urlpatterns = [
    path("campaigns/<int:campaign_id>/exports/", publishing.export_page, name="exports"),
    path(
        "campaigns/<int:campaign_id>/exports/campaign.json",
        publishing.export_json,
        name="export-json",
    ),
    path(
        "campaigns/<int:campaign_id>/exports/file.<str:kind>",
        campaign_files.export_file,
        name="export-file",
    ),
    path(
        "campaigns/<int:campaign_id>/exports/judgments.jsonl",
        results.export_chain,
        name="export-chain",
    ),
    path(
        "campaigns/<int:campaign_id>/exports/release.zip",
        downloads.export_release,
        name="export-release",
    ),
    path(
        "campaigns/<int:campaign_id>/exports/observations.tsv",
        results.export_observations,
        name="export-observations",
    ),
    path(
        "campaigns/<int:campaign_id>/exports/archive.zip",
        downloads.export_archive,
        name="export-archive",
    ),
    path(
        "campaigns/<int:campaign_id>/exports/made/<int:download_id>/",
        downloads.download,
        name="download",
    ),
    path(
        "campaigns/<int:campaign_id>/exports/made/<int:download_id>/file",
        downloads.download_file,
        name="download-file",
    ),
    path(
        "campaigns/<int:campaign_id>/exports/made/<int:download_id>/again",
        downloads.download_again,
        name="download-again",
    ),
    path(
        "campaigns/<int:campaign_id>/exports/made/<int:download_id>/discard",
        downloads.download_discard,
        name="download-discard",
    ),
    path(
        "campaigns/<int:campaign_id>/exports/formats/<slug:slug>/",
        releases.export_format,
        name="export-format",
    ),
    path(
        "campaigns/<int:campaign_id>/exports/<slug:table>.csv",
        results.export_table,
        name="export-table",
    ),
]
