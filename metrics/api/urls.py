"""Addresses of the programming interface to metrics, under api/."""

from django.urls import path

from . import views

urlpatterns = [
    path("testsets/<int:test_set_id>/metrics/", views.test_set_metrics, name="api-metrics"),
    path("campaigns/<int:campaign_id>/correlation/", views.correlation, name="api-correlation"),
]
