"""Addresses of the word links that an aligner makes for a campaign."""

from django.urls import path

from mteval_site.lazy_views import LazyViews

links = LazyViews("judgments.test_sets.word_links.views")

urlpatterns = [
    path("make/", links.links_make, name="links-make"),
    path("shown/", links.shown_links, name="shown-links"),
    path("made/<slug:purpose>/", links.links_progress, name="links-progress"),
]
