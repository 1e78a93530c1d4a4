"""Results of a project: pages common to its campaigns."""
