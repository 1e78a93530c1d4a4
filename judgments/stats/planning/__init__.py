"""Design of a campaign before its first judgment: what to draw, and what it costs."""
