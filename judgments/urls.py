"""Addresses of the judgments app."""

urlpatterns: list = []
