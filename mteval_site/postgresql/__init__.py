"""What Django has no name for: grants of two roles, and foreign keys without an index."""
