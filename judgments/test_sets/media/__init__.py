"""Media of sources: which files are taken, where they lie, how they come in."""
