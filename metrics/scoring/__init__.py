"""Computing the scores of metrics: possible choices, jobs and their parts, the texts."""
