"""The documentation as a static site: `make docs` (docs/decisions/0072)."""
