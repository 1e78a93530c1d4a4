"""Addresses of the programming interface, under api/."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView

from . import answers, edits, errors, links, power, quality, stopping, views

urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("campaigns/", views.CampaignList.as_view(), name="api-campaigns"),
    path("campaigns/<int:campaign_id>/", views.campaign, name="api-campaign"),
    path("campaigns/<int:campaign_id>/scores/", views.scores, name="api-scores"),
    path("campaigns/<int:campaign_id>/agreement/", views.agreement, name="api-agreement"),
    path("campaigns/<int:campaign_id>/answers/", answers.answers, name="api-answers"),
    path("campaigns/<int:campaign_id>/errors/", errors.errors, name="api-errors"),
    path("campaigns/<int:campaign_id>/edits/", edits.edits, name="api-edits"),
    path("campaigns/<int:campaign_id>/links/", links.links, name="api-links"),
    path("campaigns/<int:campaign_id>/quality/", quality.quality, name="api-quality"),
    path("campaigns/<int:campaign_id>/power/", power.power, name="api-power"),
    path("campaigns/<int:campaign_id>/stopping/", stopping.stopping, name="api-stopping"),
]
