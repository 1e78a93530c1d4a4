"""Results of the judgments: rows → arrays → judgments.stats → named results, one package per topic.

A topic has its figures, its page and, if needed, views, forms and an API. Everything is computed
from current judgments (revisions count, superseded ones do not) and cached until a judgment is
added.
"""
