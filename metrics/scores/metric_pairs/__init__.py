"""One metric against another, and every metric against every other, on the texts of a test set."""
