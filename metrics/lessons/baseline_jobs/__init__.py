"""Baseline systems of test sets: their training texts, and the jobs that train them."""
