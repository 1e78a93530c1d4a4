"""Copies of the demo for the visitors of a public demo server (docs/guide/operator.md)."""
