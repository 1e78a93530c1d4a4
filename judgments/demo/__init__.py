"""The demo: a small test set of our own and four campaigns with simulated judgments.

The texts are written for this project; the four systems are invented, each with the errors of its
kind. See `simulation` for the annotators.
"""

from .loading import SIGN_INS, TEST_SET, load

__all__ = ["SIGN_INS", "TEST_SET", "load"]
