"""Django's backend of PostgreSQL with a cheaper check of kept connections (base.py)."""
