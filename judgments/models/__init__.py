"""People, texts, work and judgments. Import models from here."""

from .campaign import Campaign, Invitation, Membership, Role, Status
from .corpus import Document, Output, Reference, Segment, System, TargetedReference, TestSet
from .judgment import Judgment, Preference, Rating
from .quality import Decision, QualityRule
from .work import Item, ItemOutput, Kind, Task

__all__ = [
    "Campaign",
    "Decision",
    "Document",
    "Invitation",
    "Item",
    "ItemOutput",
    "Judgment",
    "Kind",
    "Membership",
    "Output",
    "Preference",
    "QualityRule",
    "Rating",
    "Reference",
    "Role",
    "Segment",
    "Status",
    "System",
    "TargetedReference",
    "Task",
    "TestSet",
]
