"""Judging without an account: one throw-away item of every preset; nothing is stored."""

from .screens import presets, trial_screen
from .words import lines

__all__ = ["lines", "presets", "trial_screen"]
