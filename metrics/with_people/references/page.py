"""The page of a test set's references as a list of sections."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from judgments.web.sections import ASIDE, Lazy, Section
from judgments.web.tables import Table

from ..literalness.tables import of_references as literalness_of_references
from . import choice_section, correction_section, diagnosis_tables, tables
from . import provenance_tables as origins
from .findings import ReferencePage


def of_references(page: ReferencePage) -> Sequence[Section]:
    """Return what references do to systems, and what they are."""
    several = len(page.texts.names) > 1
    return (
        Section(
            "standings",
            _("Systems under each reference"),
            sentence=lambda: tables.standings_lead(page),
            tables=[Lazy("standings", _("Scores and ranks"), lambda: tables.standings(page))],
        ),
        Section(
            "held-out",
            _("A reference against the others"),
            sentence=lambda: tables.held_out_lead(page),
            tables=[
                Lazy("held-out", _("References as systems"), lambda: tables.held_out(page), ASIDE)
            ],
            exists=lambda: len(page.counted) > 1,
        ),
        Section(
            "unkind",
            _("Segments that a reference makes look bad"),
            sentence=lambda: tables.unkind_lead(page),
            notes=lambda: tables.unkind_notes(page),
            tables=[
                Lazy(
                    "against-people",
                    _("High for people, low for the metric"),
                    lambda: tables.against_people_table(page),
                    ASIDE,
                ),
                Lazy(
                    "unkind",
                    _("Low against one reference, high against another"),
                    lambda: tables.unkind_table(page),
                    ASIDE,
                ),
            ],
            exists=lambda: several or page.people is not None,
        ),
        *of_origins(page),
    )


def of_origins(page: ReferencePage) -> Sequence[Section]:
    """Where references come from, and what that does to scores."""
    return (
        Section(
            "provenance",
            _("Where the references come from"),
            sentence=lambda: origins.provenance_lead(page),
            notes=lambda: origins.provenance_notes(page),
            tables=[
                Lazy("provenance", _("References"), lambda: origins.provenance_table(page), ASIDE),
                Lazy("post-edits", _("Post-edits"), lambda: origins.post_edit_table(page), ASIDE),
            ],
        ),
        Section(
            "donors",
            _("Systems that references were made from"),
            sentence=lambda: origins.donors_lead(page),
            notes=lambda: origins.effect_words(page),
            tables=[
                Lazy(
                    "donor-standings",
                    _("With and without the segments that were made from their outputs"),
                    lambda: origins.donor_table(page),
                    ASIDE,
                ),
                *effect_tables(page),
            ],
            exists=lambda: bool(page.donors),
        ),
        literalness_of_references(page.texts.test_set, page.asked.selection),
    )


def of_several(page: ReferencePage) -> Sequence[Section]:
    """Return what more references, or better ones, would change."""
    return (choice_section.section(page), correction_section.section(page))


def effect_tables(page: ReferencePage) -> list[Lazy[Table]]:
    """Return what donors change of metrics against people, where a campaign was asked for."""
    if page.asked.selection is None:
        return []
    title = _("Metrics against people, with and without donors")
    return [Lazy("metric-donors", title, lambda: origins.effect_table(page), ASIDE)]


def of_words(page: ReferencePage) -> Sequence[Section]:
    """Return Forsbom's diagnosis over the whole set."""
    has_system = page.asked.system is not None
    words = diagnosis_tables
    return (
        Section(
            "diagnosis",
            _("Order or word choice: NEVA − WAFT"),
            sentence=lambda: words.diagnosis_lead(page),
            charts=[Lazy("neva-waft", _("NEVA − WAFT"), lambda: words.diagnosis_chart(page))],
            tables=[
                Lazy("above", _("Segments with NEVA above WAFT"), lambda: words.above(page), ASIDE),
                Lazy("by-system", _("All systems"), lambda: words.by_system(page), ASIDE),
            ],
            remark=lambda: str(words.OF_DIAGNOSIS),
            exists=lambda: has_system,
        ),
        Section(
            "unfound",
            _("Words and runs that the other side never has"),
            sentence=lambda: words.unfound_lead(page),
            tables=[
                Lazy("unfound", _("Only in references"), lambda: words.missing(page), ASIDE),
                Lazy("unwanted", _("Only in outputs"), lambda: words.unwanted(page), ASIDE),
            ],
            remark=lambda: str(words.OF_UNFOUND),
            exists=lambda: has_system,
        ),
        Section(
            "kinds",
            _("Substitutions by kind"),
            sentence=lambda: words.kinds_lead(page),
            notes=lambda: words.kinds_notes(page),
            tables=[
                Lazy("kinds", _("Kinds"), lambda: words.kinds(page), ASIDE),
                Lazy("examples", _("The most frequent"), lambda: words.examples(page), ASIDE),
            ],
            remark=lambda: str(words.OF_KINDS),
            exists=lambda: has_system,
        ),
        Section(
            "wordings",
            _("Inconsistent wordings of references"),
            sentence=lambda: words.wordings_lead(page),
            tables=[
                Lazy("same-source", _("Equal sources"), lambda: words.same_sources(page), ASIDE),
                Lazy("same-run", _("Shared runs of words"), lambda: words.same_runs(page), ASIDE),
            ],
            remark=lambda: str(words.OF_WORDINGS),
        ),
    )


def all_sections(page: ReferencePage) -> list[Section]:
    """In the order of the page."""
    return [*of_references(page), *of_several(page), *of_words(page)]
