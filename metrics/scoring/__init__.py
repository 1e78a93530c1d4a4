"""Computing the scores of metrics: what may be asked, jobs and their parts, the texts."""
