"""Campaigns as folders of pages."""
