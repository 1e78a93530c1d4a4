"""Origin of the references of a test set: stated facts, and donors found from texts."""
