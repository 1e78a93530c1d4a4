"""Addresses of the programming interface to metrics, under api/."""

from django.urls import path

from . import uploads, views

urlpatterns = [
    path("testsets/<int:test_set_id>/metrics/", views.test_set_metrics, name="api-metrics"),
    path("testsets/<int:test_set_id>/scores/", uploads.test_set_scores, name="api-upload"),
    path("campaigns/<int:campaign_id>/correlation/", views.correlation, name="api-correlation"),
]
