"""Addresses of a campaign's files."""

from django.urls import path

from mteval_site.lazy_views import LazyViews

campaign_files = LazyViews("judgments.exchange.campaign_files.views")
downloads = LazyViews("judgments.publishing.downloads.views")
releases = LazyViews("judgments.exchange.releases.views")
publishing = LazyViews("judgments.publishing.views")
results = LazyViews("judgments.results.views")

urlpatterns = [
    path("", publishing.export_page, name="exports"),
    path("campaign.json", publishing.export_json, name="export-json"),
    path("file.<str:kind>", campaign_files.export_file, name="export-file"),
    path("judgments.jsonl", results.export_chain, name="export-chain"),
    path("release.zip", downloads.export_release, name="export-release"),
    path("observations.tsv", results.export_observations, name="export-observations"),
    path("archive.zip", downloads.export_archive, name="export-archive"),
    path("made/<int:download_id>/", downloads.download, name="download"),
    path("made/<int:download_id>/file", downloads.download_file, name="download-file"),
    path("made/<int:download_id>/again", downloads.download_again, name="download-again"),
    path("made/<int:download_id>/discard", downloads.download_discard, name="download-discard"),
    path("formats/<slug:slug>/", releases.export_format, name="export-format"),
    path("<slug:table>.csv", results.export_table, name="export-table"),
]
