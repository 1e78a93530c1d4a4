"""What judgments say, as functions on NumPy arrays.

Nothing here knows of Django or of the database: ``judgments.results`` turns rows into arrays and
calls these functions. Every function validates its input once, takes its random generator from the
caller, and returns a frozen dataclass; what is undefined is NaN with a reason.
"""
