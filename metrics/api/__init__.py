"""The programming interface to metric scores and correlations."""
