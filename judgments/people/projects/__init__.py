"""The people of a project, and what their parts open in its campaigns."""
