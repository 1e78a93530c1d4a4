"""Media of sources: accepted kinds, storage, import."""
