"""One metric against another, and all pairs of metrics, on the texts of a test set."""
