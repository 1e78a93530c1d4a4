"""Results of a project: campaigns that belong together, on common pages."""
