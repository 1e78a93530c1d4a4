"""Which campaigns belong together."""
