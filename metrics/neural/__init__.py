"""Neural metrics: a program in an environment of its own, and the pipe to it.

``environment`` and ``process`` run in the site; ``worker`` and what it imports run in the other
environment, which has PyTorch and not Django. ``metrics.scorers.neural`` has the metrics.
"""
