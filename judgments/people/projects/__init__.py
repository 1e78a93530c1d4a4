"""Who takes part in a project, and what that opens in its campaigns."""
