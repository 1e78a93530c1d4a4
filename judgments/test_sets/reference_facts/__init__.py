"""Where the references of a test set come from: what is stated, and donors found from texts."""
