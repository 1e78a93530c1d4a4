"""The references of a test set: systems' scores under each, problems of the references, and what
systems do with their words (Forsbom 2003). Needs only texts, no campaign.
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
