"""Statistics of judgments, as functions on NumPy arrays.

Nothing here depends on Django or the database: ``judgments.results`` turns rows into arrays and
calls these functions. Every function validates its input once, takes its random generator from the
caller, and returns a frozen dataclass; undefined values are NaN with a reason.
"""
