"""The rows of a bundle besides its judgments, and the columns that are left out.

Columns that name people (owners, addresses, links, remarks) are not in it; annotators have
pseudonyms, and all people who decided or graded have one name. Stars are private to an annotator.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from django.db import models

from judgments.models import (
    Adjudication,
    AlignerRun,
    AlteredOutput,
    AnnotatorState,
    Campaign,
    Decision,
    Document,
    ExpectedScore,
    ImportRecord,
    Item,
    ItemOutput,
    KnownFault,
    Note,
    Output,
    OutputLinks,
    PrefilledLink,
    PrefilledSpan,
    PublishedFigure,
    QualityRule,
    Question,
    Reference,
    ReferenceFacts,
    RegisteredPlan,
    RemovedItem,
    Segment,
    ShownHints,
    SuggestionOrigin,
    System,
    SystemFacts,
    TargetedReference,
    Task,
    TestSet,
    UnaidedSegment,
)
from judgments.web.extension_points import registered

PEOPLE = "people"  # annotators, by pseudonyms
OWNER = "owner"  # the managers of the campaign: one account of the copy

Find = Callable[[Campaign], models.QuerySet]


@dataclass(frozen=True)
class BundledRows:
    """The rows of a model that belong to a campaign.

    name: of the file, and of its rows in the links of others. links: {column that is a foreign key:
    name of rows, PEOPLE or OWNER}; the last is not written. texts: columns that a bundle may
    contain as hashes. only: the columns that are written, otherwise all except `but`.
    """

    name: str
    model: type[models.Model]
    find: Find
    links: dict[str, str] = field(default_factory=dict)
    texts: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    but: tuple[str, ...] = ()

    @property
    def key_of(self) -> str:
        """The rows whose numbers these use, if each belongs to one of them; "" otherwise."""
        return self.links.get(self.key, "")

    @property
    def key(self) -> str:
        """The column with a row's number."""
        return self.model._meta.pk.name

    @property
    def columns(self) -> list[models.Field]:
        """The columns written for each row, besides its number."""
        found = [f for f in self.model._meta.concrete_fields if not (f.primary_key or f.generated)]
        if self.only:
            found = [each for each in found if each.name in self.only]
        return [f for f in found if f.name not in self.but and self.links.get(f.name) != OWNER]


def _of(**lookup: str) -> Callable[[type[models.Model]], Find]:
    """Return a function that finds rows by a lookup; "campaign" and "test_set" stand for those of
    the campaign."""

    def bound(model: type[models.Model]) -> Find:
        def find(campaign: Campaign) -> models.QuerySet:
            known = {"campaign": campaign.pk, "test_set": campaign.test_set_id}
            return model._default_manager.filter(
                **{name: known[value] for name, value in lookup.items()}
            )

        return find

    return bound


def _rows(name, model, lookup, links, **more) -> BundledRows:
    return BundledRows(name, model, lookup(model), links, **more)


_OF_SET = _of(test_set="test_set")
_OF_CAMPAIGN = _of(campaign="campaign")
_SET = {"test_set": "test-sets"}
_CAMPAIGN = {"campaign": "campaigns"}
_OUTPUT = {"output": "outputs"}
_DECIDED = {**_CAMPAIGN, "annotator": PEOPLE, "decided_by": OWNER}

# In an order in which each comes before those that refer to it.
ROWS: tuple[BundledRows, ...] = (
    _rows(
        "test-sets",
        TestSet,
        _of(pk="test_set"),
        {"owner": OWNER},
        only=(
            "name",
            "source_language",
            "target_language",
            "gloss_language",
            "has_texts",
            "release",
            "created_at",
        ),
    ),
    _rows("documents", Document, _OF_SET, _SET, texts=("instructions",)),
    _rows(
        "segments",
        Segment,
        _OF_SET,
        {**_SET, "document": "documents"},
        texts=("source", "gloss"),
    ),
    _rows("systems", System, _OF_SET, _SET),
    _rows(
        "references",
        Reference,
        _of(segment__test_set="test_set"),
        {"segment": "segments", "donor": "systems"},
        texts=("text",),
    ),
    _rows("reference-facts", ReferenceFacts, _OF_SET, {**_SET, "system": "systems"}),
    _rows(
        "system-facts",
        SystemFacts,
        _of(system__test_set="test_set"),
        {"system": "systems", "post_edited_from": "systems"},
    ),
    _rows(
        "outputs",
        Output,
        _of(segment__test_set="test_set"),
        {"segment": "segments", "system": "systems"},
        texts=("text",),
    ),
    _rows(
        "targeted-references",
        TargetedReference,
        _of(output__segment__test_set="test_set"),
        _OUTPUT,
        texts=("text",),
    ),
    _rows("campaigns", Campaign, _of(pk="campaign"), _SET, but=("staffing",)),
    _rows(
        "tasks",
        Task,
        _OF_CAMPAIGN,
        {**_CAMPAIGN, "annotator": PEOPLE},
        but=("claimed_at", "assigned_at", "leased_until"),
    ),
    _rows(
        "items",
        Item,
        _of(task__campaign="campaign"),
        {"task": "tasks", "segment": "segments", "control_output": "outputs"},
    ),
    _rows(
        "altered-outputs",
        AlteredOutput,
        _OF_CAMPAIGN,
        {**_CAMPAIGN, **_OUTPUT, "donor": "segments"},
        texts=("text",),
    ),
    _rows(
        "shown",
        ItemOutput,
        _of(item__task__campaign="campaign"),
        {"item": "items", **_OUTPUT, "altered": "altered-outputs"},
    ),
    _rows(
        "expected-scores",
        ExpectedScore,
        _of(item__task__campaign="campaign"),
        {"item": "items", **_OUTPUT, "above": "outputs"},
    ),
    _rows("prefilled-spans", PrefilledSpan, _OF_CAMPAIGN, {**_CAMPAIGN, **_OUTPUT}),
    _rows("suggestion-origins", SuggestionOrigin, _OF_CAMPAIGN, _CAMPAIGN),
    _rows("unaided-segments", UnaidedSegment, _OF_CAMPAIGN, {**_CAMPAIGN, "segment": "segments"}),
    _rows("prefilled-links", PrefilledLink, _OF_CAMPAIGN, {**_CAMPAIGN, **_OUTPUT}),
    _rows("aligner-runs", AlignerRun, _OF_CAMPAIGN, _CAMPAIGN),
    _rows(
        "output-links",
        OutputLinks,
        _of(run__campaign="campaign"),
        {"run": "aligner-runs", **_OUTPUT, "altered": "altered-outputs"},
    ),
    _rows("questions", Question, _OF_CAMPAIGN, {**_CAMPAIGN, "document": "documents"}),
    _rows(
        "adjudications",
        Adjudication,
        _OF_CAMPAIGN,
        {
            **_CAMPAIGN,
            **dict.fromkeys(("first", "second", "item"), "items"),
            **_OUTPUT,
            "asked_by": OWNER,
        },
    ),
    _rows("decisions", Decision, _OF_CAMPAIGN, _DECIDED),
    _rows("annotator-states", AnnotatorState, _OF_CAMPAIGN, _DECIDED),
    _rows(
        "removed-items",
        RemovedItem,
        _OF_CAMPAIGN,
        {**_CAMPAIGN, "segment": "segments", "system": "systems", "decided_by": OWNER},
    ),
    _rows("quality-rules", QualityRule, _OF_CAMPAIGN, {**_CAMPAIGN, "written_by": OWNER}),
    _rows("stopping-plans", RegisteredPlan, _OF_CAMPAIGN, {**_CAMPAIGN, "registered_by": OWNER}),
    _rows("published-figures", PublishedFigure, _OF_CAMPAIGN, _CAMPAIGN),
    # Only counts: reasons and notes quote texts and names.
    _rows("import-records", ImportRecord, _OF_CAMPAIGN, _CAMPAIGN, but=("notes", "left_out")),
    _rows(
        "known-faults",
        KnownFault,
        _of(figure__campaign="campaign"),
        {"figure": "published-figures", "decided_by": OWNER},
    ),
)
# Rows that refer to judgments, and come after them.
OF_JUDGMENTS: tuple[BundledRows, ...] = (
    _rows(
        "shown-hints",
        ShownHints,
        _of(judgment__campaign="campaign"),
        {"judgment": "judgments", **_OUTPUT},
    ),
)
# Voluntary notes of annotators: only on request.
NOTES = _rows(
    "notes",
    Note,
    _of(item__task__campaign="campaign"),
    {"item": "items", "annotator": PEOPLE, **_OUTPUT},
    texts=("quote",),
)


def all_rows(*, notes: bool = False) -> list[BundledRows]:
    """Return our own rows, then those of the apps above."""
    return [*ROWS, *([NOTES] if notes else []), *registered("bundled_rows")]
