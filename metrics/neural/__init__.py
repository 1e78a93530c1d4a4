"""Neural metrics: a program in a separate environment, and the pipe to it.

``environment`` and ``process`` run in the site; ``worker`` and its imports run in the other
environment, which has PyTorch and not Django. ``metrics.scorers.neural`` has the metrics.
"""
