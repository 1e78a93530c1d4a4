"""The contract of every protocol: what annotators are asked, and what is stored.

A protocol is a class; `protocol_of(campaign)` returns one for a campaign, with its options read.
The registry rejects a class that breaks the contract (`check`). Everything else that the product
needs to know about a protocol goes through this class: nothing outside `judgments.protocols` names
one.
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
    """A page about a campaign: the name of its URL, and the label of its tab or button."""

    address: str
    title: str


class ExportFile(NamedTuple):
    """A file in addition to those of every campaign: its URL takes the kind and the extension."""

    address: str
    name: str
    kinds: tuple[str, ...]
    words: str


# For protocols whose observations rate or compare outputs.
SCORED_PAGES = (
    ProtocolPage("agreement", "Agreement"),
    ProtocolPage("quality", "Quality control"),
    ProtocolPage("scores", "Scores"),
    ProtocolPage("power", "Power"),
    ProtocolPage("correlation", "Metrics"),
)


class Protocol(ABC):
    """The questions for annotators of one campaign.

    A subclass sets the class attributes that have no value here, and writes `form`, `observations`
    and `initial`. `shown` is always the outputs of one item in their order on the screen, with
    `output` loaded. A preset is data: wording, scale, anchors and visibility.
    """

    slug: ClassVar[str]
    name: ClassVar[StrOrPromise]
    template: ClassVar[str]
    """The part of the judging screen below the texts; its context has `form`, `screen`, `places`
    and `questions`."""
    kinds: ClassVar[tuple[str, ...]]
    """The kinds of observations in its judgments, by their names in `Observations`."""
    presets: ClassVar[tuple[Preset, ...]]
    released: ClassVar[tuple[Preset, ...]] = ()
    """Presets of campaigns from releases: no new campaign can use one."""
    reads: ClassVar[type[Options]] = Options
    """The class of its options, with their defaults."""
    table: ClassVar[ObservationTable]
    """How its observations are written to files."""
    counted_by: ClassVar[str] = ""
    """The dotted name of a function of a selection that counts the data of results, if these are
    not rows of values."""
    pages: ClassVar[tuple[ProtocolPage, ...]] = SCORED_PAGES
    """The pages of results, starting with the default one."""
    files: ClassVar[tuple[ExportFile, ...]] = ()
    """Its additional files on the page Exports."""
    agreement_page: ClassVar[str] = "agreement"
    """The URL of the page on agreement between annotators."""
    design_note: ClassVar[str] = ""
    """A template with information for managers before planning; none if empty."""
    rates: ClassVar[bool] = True
    """Whether its ratings are scores, which mean the same on every screen."""
    ranks: ClassVar[bool] = False
    """Whether its ratings are ranks among the outputs of one screen."""
    compares: ClassVar[bool] = False
    """Whether outputs are compared with each other: identical ones are then uninformative."""
    in_pairs: ClassVar[bool] = False
    """Whether a screen is one comparison of two outputs."""
    measures: ClassVar[tuple[str, ...]] = ()
    """Measures of its task and process, as scores to compare metrics with: slugs of
    `judgments.results.observations.measures.MEASURES`."""
    seconds_per_output: ClassVar[float] = 0.0
    seconds_per_word: ClassVar[float] = 0.45
    """Usual time for judging: seconds for each output, and for each word of sources and outputs. If
    the first is 0 it is a rule of thumb, from rankings of five in 61 s (WMT16) and adequacy and
    fluency of five in 86 s (Koehn and Monz 2006). Campaigns of the site move both."""
    asks_models: ClassVar[bool] = True
    """Whether its form can ask a language model."""
    shows_twins: ClassVar[bool] = False
    """Whether identical outputs of a segment each get a place on the screen."""

    given: Mapping[type[Model], Sequence[Any]] | None = None
    """For a screen whose campaign is not in the database: the rows, by model, that replace data
    stored with the item, such as questions about its text. None: query the database."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign

    @cached_property
    def options(self) -> Options:
        """Options of the preset, overridden by those of the campaign."""
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
        """Unit of an item: see `judgments.plans.design`."""
        return self.options.unit

    @property
    def shares_places(self) -> bool:
        """Return whether outputs with the same text are judged once; the plan may decide
        otherwise."""
        return not self.shows_twins and self.campaign.plan.get("equal_once", True)

    def outputs_per_item(self) -> tuple[int, int]:
        """Return the numbers of outputs per screen: (fewest, most)."""
        most = self.options.outputs_per_item
        return min(most, self.options.fewest_per_item), most

    def dimensions(self) -> tuple[Dimension, ...]:
        """Return the rated dimensions, and those derived from other observations."""
        return ()

    def instructions(self) -> str:
        """Return the preset's instructions, worded for the shown texts, for campaigns without a
        text of their own."""
        preset = self.preset
        shows_source, _ = self.texts_beside()
        return str(preset.instructions if shows_source else preset.unsourced or preset.instructions)

    def derived_scores(self, errors: Sequence[tuple[str, str]]) -> tuple[tuple[str, float], ...]:
        """Return (dimension, value) for each score derived from the errors (severity, category) of
        an output."""
        return ()

    def parts(self) -> tuple[str, ...]:
        """Return the passes, in order; ("",) if everything is asked at once."""
        return ("",)

    @property
    def last_part(self) -> str:
        """The `part` of the last item of a document, if that item also asks about the whole
        document; empty if only segments are judged."""
        return ""

    def rates_documents(self, dimension: str) -> bool:
        """Return whether a rating on the dimension is about a document whose segments have other
        ratings."""
        return False

    @property
    def asks_strength(self) -> bool:
        """Whether a preference has a strength."""
        return False

    def asks_nothing(self) -> bool:
        """Return whether the options leave no question to ask."""
        return False

    def why_only_read(self) -> str:
        """Return why people cannot judge in this campaign; empty if they can."""
        if self.campaign.by_model:
            return "A language model judges in it, and nobody else."
        if self.options.are_means:
            return "Its values are means over raters that the release does not name."
        computed = {slug for slug, _ in self.derived_scores(())}
        asked = [each for each in self.dimensions() if each.slug not in computed]
        if without_end := [each.name for each in asked if each.scale.is_open]:
            return f"No screen can ask for {without_end[0]}: its scale has no ends or no steps."
        return ""

    def answers_on(self, n_outputs: int) -> int:
        """Return the number of ratings, or comparisons, that one screen yields."""
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
        """Return whether source and reference are next to the judged segment."""
        options = self.options
        # Texts that would give the answer away are held back, whatever the campaign's options say.
        return (
            options.show_source and "source" not in options.held_back,
            options.show_reference and "reference" not in options.held_back,
        )

    def texts_by_output(self) -> tuple[bool, bool]:
        """Return whether the screen of an item shows the source, and the reference, of each
        output's segment with the output, as with the paragraphs of a document."""
        return False, False

    def gives_references(self) -> bool:
        """Return whether a reference is read anywhere on the screens of the campaign."""
        return self.texts_beside()[1] or self.texts_by_output()[1]

    def hides_for_now(self, item: Item) -> bool:
        """Return whether an item is judged without source and reference, which are shown in a later
        pass."""
        return False

    def no_controls(self) -> dict[str, str]:
        """Return the kinds of control items that make no sense here: names of a plan's settings,
        with the reasons."""
        found = {}
        if self.texts_beside()[1]:
            found["references"] = REFERENCE_IS_SHOWN
        if self.compares:
            found["degraded"] = (
                "Translations are compared, so no score of a damaged copy is asked for."
            )
        return found

    def fit_for(self, annotator_id: int, tasks: QuerySet[Task]) -> QuerySet[Task]:
        """Return the tasks that an annotator may take."""
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
        sheets. Valid data are stored permanently."""

    @abstractmethod
    def observations(
        self, item: Item, shown: Sequence[ItemOutput], cleaned: dict[str, Any]
    ) -> Observations:
        """Return the observations to store, from the form's cleaned data."""

    @abstractmethod
    def initial(
        self, item: Item, shown: Sequence[ItemOutput], judgment: Judgment
    ) -> dict[str, Any]:
        """Return the form's initial data from a stored judgment."""

    # ---- What a manager may set or upload ------------------------------------------------------

    @classmethod
    def option_fields(cls, preset: Preset) -> tuple[Option, ...]:
        """Return the protocol's own options with fields in the form New campaign; see `options`."""
        return SHOW_SOURCE, SHOW_REFERENCE

    @classmethod
    def every_option(cls, preset: Preset) -> tuple[Option, ...]:
        """Return all options: its own, and those of every campaign."""
        return *cls.option_fields(preset), HIDDEN_PROGRESS

    @classmethod
    def problems(
        cls, preset: Preset, options: Mapping[str, Any], test_set: TestSet
    ) -> dict[str | None, str]:
        """Return the problems of options that are valid individually: from an option's slug (None:
        the form as a whole) to the message."""
        return {}

    @classmethod
    def takes_dimensions(cls, preset: Preset) -> bool:
        """Return whether the campaign defines its own dimensions."""
        return any(option.slug == "dimensions" for option in cls.option_fields(preset))

    # ---- Results -------------------------------------------------------------------------------

    def counts(self, selection: Any, observed: Any) -> dict[str, int]:
        """Return the counts of the data behind results. `selection` and `observed` are those of
        judgments.results. left_out: observations on dimensions that are not asked (any more)."""
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
        """Return pages on which managers upload what the campaign needs in addition to its
        texts."""
        shows_links = self.options.word_links or self.options.omission_hints
        return (ProtocolPage("shown-links", "Links for reading"),) if shows_links else ()

    def has_page(self, address: str) -> bool:
        return any(page.address == address for page in (*self.pages, *self.materials()))


def check(protocol: type[Protocol]) -> None:
    """Raise TypeError, with everything that is wrong, unless the class fulfills the contract."""
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
