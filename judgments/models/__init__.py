"""People, texts, work and judgments. Import models from here."""

from judgments.models.published_figure import PublishedFigure
from judgments.models.quality_control import Decision, QualityRule, RemovedItem

from .annotator import Note, NoteKind, ReadingSettings, Reason, SpanUnit, Theme
from .audit import Act, Result
from .campaign import Campaign, Invitation, Membership, Role, Status
from .chain import Chain, DeletedCampaign, ErasedJudgment, Erasure, Seal
from .corpus import Document, Output, Reference, Segment, System, TargetedReference, TestSet
from .devices import DeviceMark, MarkKind
from .judgment import Judgment, Preference, Rating
from .material import Level, Practice, PrefilledLink, PrefilledSpan, Question
from .observations import AlignmentLink, Answer, ErrorSpan, Grade, Outcome, PostEdit, Side
from .stopping import Aim, RegisteredPlan, Spending
from .tokens import ApiToken, Attempts, Scope
from .uploads import Upload, UploadPiece, UploadState
from .work import (
    TEXT_SHOWN,
    Alteration,
    AlteredOutput,
    Item,
    ItemOutput,
    Kind,
    Task,
    kind_of_output,
)

__all__ = [
    "TEXT_SHOWN",
    "Act",
    "Aim",
    "AlignmentLink",
    "Alteration",
    "AlteredOutput",
    "Answer",
    "ApiToken",
    "Attempts",
    "Campaign",
    "Chain",
    "Decision",
    "DeletedCampaign",
    "DeviceMark",
    "Document",
    "ErasedJudgment",
    "Erasure",
    "ErrorSpan",
    "Grade",
    "Invitation",
    "Item",
    "ItemOutput",
    "Judgment",
    "Kind",
    "Level",
    "MarkKind",
    "Membership",
    "Note",
    "NoteKind",
    "Outcome",
    "Output",
    "PostEdit",
    "Practice",
    "Preference",
    "PrefilledLink",
    "PrefilledSpan",
    "PublishedFigure",
    "QualityRule",
    "Question",
    "Rating",
    "ReadingSettings",
    "Reason",
    "Reference",
    "RegisteredPlan",
    "RemovedItem",
    "Result",
    "Role",
    "Scope",
    "Seal",
    "Segment",
    "Side",
    "SpanUnit",
    "Spending",
    "Status",
    "System",
    "TargetedReference",
    "Task",
    "TestSet",
    "Theme",
    "Upload",
    "UploadPiece",
    "UploadState",
    "kind_of_output",
]
