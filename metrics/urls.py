"""Addresses of the metrics app."""

urlpatterns: list = []
