"""What Django has no name for: grants of two roles."""
