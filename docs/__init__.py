"""Guides, decisions, and what makes a site of them."""
