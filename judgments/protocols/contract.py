"""The contract that every protocol keeps: what annotators are asked, and what comes of it.

A protocol is a class; `protocol_of(campaign)` is one for a campaign, with its options read. The
registry refuses a class that does not keep the contract (`check`). Whatever else the product needs
to know of a protocol, it asks through this class: nothing outside `judgments.protocols` names one.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from django.utils.module_loading import import_string

from judgments.models.new_observations import Observations
from judgments.protocols.base import Dimension, Preset
from judgments.stats.planning.spreads import DifferenceSpread

from .options import HIDDEN_PROGRESS, SHOW_REFERENCE, SHOW_SOURCE, Option, Options
from .presets import preset_named

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet
    from django.forms import BaseForm
    from django_stubs_ext import StrOrPromise

    from judgments.models import Campaign, Item, ItemOutput, Judgment, Task, TestSet

    from .tables import ObservationTable

UNITS = ("segment", "document", "whole document", "edit")
KINDS = tuple(field.name for field in fields(Observations) if field.name != "copies")
SLUG = re.compile(r"[a-z][a-z0-9_]{0,39}")  # as long as the column


# As in `judgments.plans.settings`.
CONTROLS = (
    "repeats", "references", "degraded", "calibration",
    "loud_checks", "silent_checks", "beside_checks",
)  # fmt: skip
CHECKS = ("loud_checks", "silent_checks", "beside_checks")
REFERENCE_IS_SHOWN = "The reference is shown, so it cannot be judged as a translation."


class ProtocolPage(NamedTuple):
    """One page about a campaign: the name of its address, and how the tab or button reads."""

    address: str
    title: str


class ExportFile(NamedTuple):
    """A file beside those that every campaign has: its address takes the kind, its ending."""

    address: str
    name: str
    kinds: tuple[str, ...]
    words: str


# Of protocols whose observations rate or compare outputs.
SCORED_PAGES = (
    ProtocolPage("agreement", "Agreement"),
    ProtocolPage("quality", "Quality control"),
    ProtocolPage("scores", "Scores"),
    ProtocolPage("power", "Power"),
    ProtocolPage("correlation", "Metrics"),
)


class Protocol(ABC):
    """What annotators of one campaign are asked.

    A subclass sets the class attributes that have no value here, and writes `form`, `observations`
    and `initial`. `shown` is always the outputs of one item in their order on the screen, with
    `output` loaded. A preset is data: wording, scale, anchors and what is visible.
    """

    slug: ClassVar[str]
    name: ClassVar[StrOrPromise]
    template: ClassVar[str]
    """The part of the judging screen under the texts; its context has `form`, `screen`, `places`
    and `questions`."""
    kinds: ClassVar[tuple[str, ...]]
    """The kinds of observations that its judgments hold, by their names in `Observations`."""
    presets: ClassVar[tuple[Preset, ...]]
    released: ClassVar[tuple[Preset, ...]] = ()
    """Presets of campaigns that come from releases: nobody can begin one of them."""
    reads: ClassVar[type[Options]] = Options
    """The class of its options, with their defaults."""
    table: ClassVar[ObservationTable]
    """How its observations stand in files."""
    counted_by: ClassVar[str] = ""
    """The dotted name of a function of a selection that counts what results are of, where these are
    no rows of values."""
    pages: ClassVar[tuple[ProtocolPage, ...]] = SCORED_PAGES
    """The pages of results, the first of them the one to begin with."""
    files: ClassVar[tuple[ExportFile, ...]] = ()
    """Files of its own on the page Exports."""
    agreement_page: ClassVar[str] = "agreement"
    """The address of the page that says how far annotators agree."""
    design_note: ClassVar[str] = ""
    """A template with what a manager should know before planning; none where it is empty."""
    rates: ClassVar[bool] = True
    """Whether its ratings are scores, which mean the same on every screen."""
    ranks: ClassVar[bool] = False
    """Whether its ratings are ranks among the outputs of one screen."""
    compares: ClassVar[bool] = False
    """Whether outputs are compared with each other: those that read the same then tell nothing."""
    in_pairs: ClassVar[bool] = False
    """Whether a screen is one comparison of two outputs."""
    measures: ClassVar[tuple[str, ...]] = ()
    """What its task took and how it went, as scores that metrics are compared with: slugs of
    `judgments.results.observations.measures.MEASURES`."""
    seconds_per_output: ClassVar[float] = 0.0
    seconds_per_word: ClassVar[float] = 0.45
    """How long judging usually takes: seconds for each output, and for each word of sources and
    outputs. Where the first is 0 it is a rule of thumb, from rankings of five in 61 s (WMT16) and
    adequacy and fluency of five in 86 s (Koehn and Monz 2006). Campaigns of the site move both."""
    asks_models: ClassVar[bool] = True
    """Whether its form can put its questions to a language model."""
    shows_twins: ClassVar[bool] = False
    """Whether outputs of a segment that read the same each get a place on the screen."""

    given: Mapping[type[Model], Sequence[Any]] | None = None
    """For a screen whose campaign is in no table: the rows, by their model, that stand in for what
    the database holds beside the item, such as questions about its text. None: ask the database."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign

    @cached_property
    def options(self) -> Options:
        """What the preset says, and the campaign above it, in one reading."""
        return self.reads.of(self.campaign)

    @property
    def preset(self) -> Preset:
        return preset_named(self.campaign.preset)

    def usual_spread(self) -> DifferenceSpread:
        """Return how much differences between two systems vary, until a campaign has data."""
        return DifferenceSpread()

    # ---- What is asked -------------------------------------------------------------------------

    @property
    def unit(self) -> str:
        """What one item is about: see `judgments.plans.design`."""
        return self.options.unit

    def outputs_per_item(self) -> tuple[int, int]:
        """Return how many outputs one screen holds: (fewest, most)."""
        most = self.options.outputs_per_item
        return min(most, self.options.fewest_per_item), most

    def dimensions(self) -> tuple[Dimension, ...]:
        """Return what is rated, and what is derived from other observations as if it were."""
        return ()

    def instructions(self) -> str:
        """Return the preset's, in the words for what is shown: what annotators read where the
        campaign has no text of its own."""
        preset = self.preset
        shows_source, _ = self.texts_beside()
        return str(preset.instructions if shows_source else preset.unsourced or preset.instructions)

    def derived_scores(self, errors: Sequence[tuple[str, str]]) -> tuple[tuple[str, float], ...]:
        """Return (dimension, value) of what follows from the errors (severity, category) of an
        output."""
        return ()

    def parts(self) -> tuple[str, ...]:
        """Return the passes, in order; ("",) when all is asked at once."""
        return ("",)

    @property
    def last_part(self) -> str:
        """The `part` of the last item of a reading through a document, where that item asks about
        all of it too; empty where nothing is asked beside the segments."""
        return ""

    def rates_documents(self, dimension: str) -> bool:
        """Return whether a rating on the dimension is about a document whose segments have
        others."""
        return False

    @property
    def asks_strength(self) -> bool:
        """Whether a preference has a strength."""
        return False

    def asks_nothing(self) -> bool:
        """Return whether the options leave no question to be asked."""
        return False

    def why_only_read(self) -> str:
        """Return why people cannot judge in this campaign; empty where they can."""
        if self.campaign.by_model:
            return "A language model judges in it, and nobody else."
        if self.options.are_means:
            return "Its values are means over raters whom the release does not name."
        without_end = [each.name for each in self.dimensions() if each.scale.is_open]
        if without_end:
            return f"No screen can ask for {without_end[0]}: its scale has no ends or no steps."
        return ""

    def answers_on(self, n_outputs: int) -> int:
        """Return how many ratings, or comparisons, come of one screen."""
        return n_outputs * (len(self.dimensions()) or 1)

    def visible(self, item: Item) -> tuple[bool, bool]:
        """Return whether the source and the reference are sent at all."""
        if self.hides_for_now(item):
            return False, False
        return self.texts_beside()

    def gives_source(self, item: Item) -> bool:
        """Return whether the source is read or heard anywhere on the screen of an item."""
        return self.visible(item)[0]

    def texts_beside(self) -> tuple[bool, bool]:
        """Return whether source and reference stand beside the segment that is judged."""
        options = self.options
        # What would give the answer away is held back, whatever the campaign's options say.
        return (
            options.show_source and "source" not in options.held_back,
            options.show_reference and "reference" not in options.held_back,
        )

    def texts_by_output(self) -> tuple[bool, bool]:
        """Return whether the screen of an item shows with each output the source, and the
        reference, of the output's segment, as with the paragraphs of a document."""
        return False, False

    def gives_references(self) -> bool:
        """Return whether a reference is read anywhere on the screens of the campaign."""
        return self.texts_beside()[1] or self.texts_by_output()[1]

    def hides_for_now(self, item: Item) -> bool:
        """Return whether an item is judged without source and reference, which a later pass
        shows."""
        return False

    def no_controls(self) -> dict[str, str]:
        """Return the kinds of control items that make no sense here, by the names of the settings
        of a plan, with the reason in words."""
        found = {}
        if self.texts_beside()[1]:
            found["references"] = REFERENCE_IS_SHOWN
        if self.compares:
            found["degraded"] = (
                "Translations are compared, so no score of a damaged copy is asked for."
            )
        return found

    def fit_for(self, annotator_id: int, tasks: QuerySet[Task]) -> QuerySet[Task]:
        """Return those of the tasks that an annotator may take."""
        return tasks

    # ---- One screen ----------------------------------------------------------------------------

    @abstractmethod
    def form(
        self,
        item: Item,
        shown: Sequence[ItemOutput],
        data: Mapping[str, Any] | None = None,
        initial: dict[str, Any] | None = None,
    ) -> BaseForm:
        """Return a form over the shown outputs of one item. Its fields are named by place on the
        screen, never by output or system; its `Media` names the protocol's own scripts and style
        sheets. What it lets through is stored for good."""

    @abstractmethod
    def observations(
        self, item: Item, shown: Sequence[ItemOutput], cleaned: dict[str, Any]
    ) -> Observations:
        """Return what is stored, from the form's cleaned data."""

    @abstractmethod
    def initial(
        self, item: Item, shown: Sequence[ItemOutput], judgment: Judgment
    ) -> dict[str, Any]:
        """Return the form's initial data from a stored judgment."""

    # ---- What a manager may set or bring -------------------------------------------------------

    @classmethod
    def option_fields(cls, preset: Preset) -> tuple[Option, ...]:
        """Return the protocol's own options that the form New campaign has fields for; see
        `options`."""
        return SHOW_SOURCE, SHOW_REFERENCE

    @classmethod
    def every_option(cls, preset: Preset) -> tuple[Option, ...]:
        """Return all of them: its own, and what any campaign may choose."""
        return *cls.option_fields(preset), HIDDEN_PROGRESS

    @classmethod
    def problems(
        cls, preset: Preset, options: Mapping[str, Any], test_set: TestSet
    ) -> dict[str | None, str]:
        """Return what is wrong with options that are each right by themselves: from an option's
        slug (None: the form as a whole) to words."""
        return {}

    @classmethod
    def takes_dimensions(cls, preset: Preset) -> bool:
        """Return whether the campaign names what is rated itself."""
        return any(option.slug == "dimensions" for option in cls.option_fields(preset))

    # ---- What comes of it ----------------------------------------------------------------------

    def counts(self, selection: Any, observed: Any) -> dict[str, int]:
        """Return what results are of. `selection` and `observed` are those of judgments.results.
        left_out: observations of what is not asked (any more)."""
        if self.counted_by:
            return import_string(self.counted_by)(selection)
        return {
            "annotators": len(observed.annotators),
            "judgments": len(np.unique(observed.rows["judgment"])),
            "observations": len(observed.rows),
            "left_out": observed.n_off_protocol,
        }

    @property
    def has_values(self) -> bool:
        """Whether annotators give values under their own names: ratings, ranks or preferences."""
        rated = self.rates and bool(self.dimensions())
        return (rated or self.ranks or "preferences" in self.kinds) and not self.options.are_means

    def materials(self) -> tuple[ProtocolPage, ...]:
        """Return pages on which managers bring what the campaign needs beside its texts."""
        shows_links = self.options.word_links or self.options.omission_hints
        return (ProtocolPage("shown-links", "Links for reading"),) if shows_links else ()

    def has_page(self, address: str) -> bool:
        return any(page.address == address for page in (*self.pages, *self.materials()))


def check(protocol: type[Protocol]) -> None:
    """Raise TypeError, with all that is wrong, unless the class keeps the contract."""
    found = list(problems_of(protocol))
    if found:
        raise TypeError(f"The protocol {protocol.__name__} is not complete: {'; '.join(found)}.")


def problems_of(protocol: type[Protocol]):
    for name in ("slug", "name", "template", "kinds", "presets", "table"):
        if not getattr(protocol, name, None):
            yield f"it has no `{name}`"
    for name in sorted(getattr(protocol, "__abstractmethods__", ())):
        yield f"it does not write `{name}`"
    slug = getattr(protocol, "slug", "")
    if slug and not SLUG.fullmatch(slug):
        yield f"its slug is {slug!r}, not small letters, digits and _, 40 at most"
    for kind in getattr(protocol, "kinds", ()):
        if kind not in KINDS:
            yield f"{kind!r} is not a kind of observations; the kinds are {', '.join(KINDS)}"
    known = {field.name: field.default for field in fields(protocol.reads)}
    if protocol.reads().unit not in UNITS:
        yield f"{protocol.reads().unit!r} is not a unit; the units are {', '.join(UNITS)}"
    for preset in (*getattr(protocol, "presets", ()), *protocol.released):
        if preset.protocol != slug:
            yield f"its preset {preset.slug!r} is of the protocol {preset.protocol!r}"
        options = [*preset.options, *(option.slug for option in protocol.option_fields(preset))]
        for name in dict.fromkeys(options):
            if name not in known:
                yield f"its preset {preset.slug!r} has an option {name!r} that nobody reads"
