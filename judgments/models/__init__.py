"""People, texts, work and judgments. Import models from here."""

from judgments.models.import_record import ImportRecord
from judgments.models.published_figure import KnownFault, PublishedFigure
from judgments.models.quality_control import (
    AnnotatorState,
    Decision,
    QualityRule,
    RemovedItem,
    StateChange,
)

from .annotator import Note, NoteKind, ReadingSettings, Reason, SpanUnit, Star, Theme
from .audit import Act, Refusals, Result
from .campaign import (
    Campaign,
    ConsentRecord,
    Invitation,
    MailState,
    Membership,
    Role,
    Status,
)
from .chain import (
    CampaignRecord,
    Chain,
    DeletedCampaign,
    ErasedJudgment,
    Erasure,
    RecordedPart,
    Seal,
)
from .clashes import Adjudication, ClashMark
from .corpus import Document, Output, Reference, Segment, System, TargetedReference, TestSet
from .demo_copies import DemoCopy
from .devices import DeviceMark, MarkKind
from .downloads import Download, DownloadKind, DownloadPiece
from .figure_address import FigureAddress
from .jobs import Job, JobQuerySet, JobStatus, NotWanted
from .judges import AT_WORK, Judge, JudgeAnswer, JudgeStatus
from .judgment import Judgment, Preference, Rating
from .material import (
    Level,
    Practice,
    PrefilledLink,
    PrefilledSpan,
    Question,
    SuggestionOrigin,
    UnaidedSegment,
)
from .media import MediaFile, SegmentMedia
from .messages import Delivery, Message
from .notices import Notice, NoticeEvent, NoticeRule, NoticeState, NoticeWay
from .observations import (
    WITHOUT_PLACE,
    AlignmentLink,
    Answer,
    ErrorSpan,
    Grade,
    Outcome,
    PostEdit,
    Press,
    Side,
)
from .payments import Payment, PaymentKind
from .project import Project, ProjectCampaign, ProjectLink, ProjectMember, ProjectRole
from .reference_facts import (
    CloningStep,
    ReferenceFacts,
    ReferenceKind,
    donors_of,
    reference_facts_of,
)
from .segments import SegmentMark
from .stopping import Aim, PlanTest, RegisteredPlan, Spending
from .system_facts import SystemFacts, controls_of, facts_of, humans_among
from .tokens import ApiToken, Attempts, CacheEntry, Scope
from .uploads import Upload, UploadPiece
from .word_links import AlignerRun, LinkPurpose, OutputLinks, ShownHints
from .work import (
    NO_CONTROLS,
    TEXT_SHOWN,
    Alteration,
    AlteredOutput,
    ExpectedScore,
    Item,
    ItemOutput,
    Kind,
    Task,
    is_finished,
    is_whole,
    kind_of_output,
)

__all__ = [
    "AT_WORK",
    "NO_CONTROLS",
    "TEXT_SHOWN",
    "WITHOUT_PLACE",
    "Act",
    "Adjudication",
    "Aim",
    "AlignerRun",
    "AlignmentLink",
    "Alteration",
    "AlteredOutput",
    "AnnotatorState",
    "Answer",
    "ApiToken",
    "Attempts",
    "CacheEntry",
    "Campaign",
    "CampaignRecord",
    "Chain",
    "ClashMark",
    "CloningStep",
    "ConsentRecord",
    "Decision",
    "DeletedCampaign",
    "Delivery",
    "DemoCopy",
    "DeviceMark",
    "Document",
    "Download",
    "DownloadKind",
    "DownloadPiece",
    "ErasedJudgment",
    "Erasure",
    "ErrorSpan",
    "ExpectedScore",
    "FigureAddress",
    "Grade",
    "ImportRecord",
    "Invitation",
    "Item",
    "ItemOutput",
    "Job",
    "JobQuerySet",
    "JobStatus",
    "Judge",
    "JudgeAnswer",
    "JudgeStatus",
    "Judgment",
    "Kind",
    "KnownFault",
    "Level",
    "LinkPurpose",
    "MailState",
    "MarkKind",
    "MediaFile",
    "Membership",
    "Message",
    "NotWanted",
    "Note",
    "NoteKind",
    "Notice",
    "NoticeEvent",
    "NoticeRule",
    "NoticeState",
    "NoticeWay",
    "Outcome",
    "Output",
    "OutputLinks",
    "Payment",
    "PaymentKind",
    "PlanTest",
    "PostEdit",
    "Practice",
    "Preference",
    "PrefilledLink",
    "PrefilledSpan",
    "Press",
    "Project",
    "ProjectCampaign",
    "ProjectLink",
    "ProjectMember",
    "ProjectRole",
    "PublishedFigure",
    "QualityRule",
    "Question",
    "Rating",
    "ReadingSettings",
    "Reason",
    "RecordedPart",
    "Reference",
    "ReferenceFacts",
    "ReferenceKind",
    "Refusals",
    "RegisteredPlan",
    "RemovedItem",
    "Result",
    "Role",
    "Scope",
    "Seal",
    "Segment",
    "SegmentMark",
    "SegmentMedia",
    "ShownHints",
    "Side",
    "SpanUnit",
    "Spending",
    "Star",
    "StateChange",
    "Status",
    "SuggestionOrigin",
    "System",
    "SystemFacts",
    "TargetedReference",
    "Task",
    "TestSet",
    "Theme",
    "UnaidedSegment",
    "Upload",
    "UploadPiece",
    "controls_of",
    "donors_of",
    "facts_of",
    "humans_among",
    "is_finished",
    "is_whole",
    "kind_of_output",
    "reference_facts_of",
]
