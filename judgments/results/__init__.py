"""What the judgments say: rows → arrays → judgments.stats → named results, one package a topic.

A topic has its figures, its page and, where it needs them, views, forms and an API. Everything is
computed from current judgments (revisions count, what they supersede does not) and remembered
until a judgment is added.
"""
