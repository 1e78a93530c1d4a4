"""Addresses of the word links that an aligner makes for a campaign."""

from django.urls import path

from mteval_site.lazy_views import LazyViews

links = LazyViews("judgments.test_sets.word_links.views")

urlpatterns = [
    path("campaigns/<int:campaign_id>/links/make/", links.links_make, name="links-make"),
    path("campaigns/<int:campaign_id>/links/shown/", links.shown_links, name="shown-links"),
    path(
        "campaigns/<int:campaign_id>/links/made/<slug:purpose>/",
        links.links_progress,
        name="links-progress",
    ),
]
