"""Projects: campaigns that belong together."""
