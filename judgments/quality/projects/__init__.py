"""The campaigns of a project while they are judged."""
