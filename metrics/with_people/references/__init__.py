"""The references of a test set: what systems score under each, what is wrong with them, and what
systems do with their words (Forsbom 2003). Texts alone: no campaign is needed.
"""

from .findings import ReferencePage, ReferencesAsked
from .page import all_sections, of_references, of_several, of_words
from .texts import ReferenceTexts

__all__ = [
    "ReferencePage",
    "ReferenceTexts",
    "ReferencesAsked",
    "all_sections",
    "of_references",
    "of_several",
    "of_words",
]
