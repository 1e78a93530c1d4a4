"""Baseline systems of test sets: what they learn from, and the jobs that make them."""
