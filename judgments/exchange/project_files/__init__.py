"""A project as a file: what its campaigns have in common, and in what they differ."""
