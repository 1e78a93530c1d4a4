"""What people do with metrics, in the words of the audit log."""

ACTS = {
    "baseline": "asked for a baseline system",
    "baseline-cancel": "cancelled a baseline system",
    "corpora": "added a corpus",
    "corpus-delete": "deleted a corpus",
    "bitexts": "added a bitext",
    "bitext-delete": "deleted a bitext",
    "bitext-link": "had the words of a bitext linked",
    "metric-phrases-link": "had the words of a test set linked",
    "project-metrics": "asked for metrics against people",
    "metric-delete": "deleted scores of a metric",
    "score-upload": "uploaded scores",
    "score-start": "started scoring",
    "score-cancel": "cancelled scoring",
    "score-retry": "retried scoring",
    "score-test": "tested differences between systems",
    "score-download": "took the scores",
    "api-metrics": "started scoring",
    "api-job-cancel": "cancelled scoring",
    "api-job-retry": "retried scoring",
    "api-upload": "uploaded scores",
}
