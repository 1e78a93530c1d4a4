"""What pages, commands and the API say about the registered metrics."""

from dataclasses import dataclass, field
from math import isinf
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from judgments.models import TestSet
from metrics.scorers import SCORERS, Scorer
from metrics.scorers.base import FAMILIES
from metrics.scoring import choices

GUIDE = Path(settings.BASE_DIR) / "docs" / "guide" / "metrics"


@dataclass(frozen=True)
class Supply:
    """What a test set has for metrics to read."""

    references: list[str]
    post_edits: list[str]
    has_sources: bool
    # Names of monolingual corpora that the person who asks may use.
    corpora: list[str] = field(default_factory=list)


def supply_of(test_set: TestSet, user=None) -> Supply:
    return Supply(
        references=test_set.reference_names,
        post_edits=test_set.targeted_names,
        has_sources=test_set.segments.exclude(source="").exists(),
        corpora=corpus_names(user),
    )


def corpus_names(user) -> list[str]:
    """Return the names of a person's monolingual corpora."""
    if user is None or not user.is_authenticated:
        return []
    return list(user.monolingual_corpora.order_by("name").values_list("name", flat=True))


def needs_corpus(scorer: type[Scorer]) -> bool:
    """Return whether a metric is trained on a corpus that its option `corpus` names."""
    return bool(getattr(scorer, "needs_corpus", False))


def lacking(scorer: type[Scorer], supply: Supply) -> str:
    """Return why a metric cannot score a test set with this supply, and what to do; nothing if it
    can."""
    if scorer.targeted:
        if not supply.post_edits:
            return _("The test set has no post-edits; add them first.")
    elif scorer.needs_references and not supply.references:
        return _("The test set has no reference translations; this metric needs one.")
    if scorer.needs_sources and not supply.has_sources:
        return _("The test set has no source texts.")
    if needs_corpus(scorer) and not supply.corpora:
        return _("It is trained on a text of the target language; upload a corpus first.")
    return ""


def computed_metrics() -> dict[str, type[Scorer]]:
    """Return the metrics that people can ask for, by slug; scores of others only come in files."""
    return {slug: scorer for slug, scorer in SCORERS.items() if slug != "uploaded"}


def by_family(slugs: list[str]) -> list[tuple[str, list[str]]]:
    """Return metrics under the headings of their families; families without any are left out."""
    names = list(FAMILIES)
    names += sorted({SCORERS[slug].family for slug in slugs} - set(names))
    groups = [(name, [s for s in slugs if SCORERS[s].family == name]) for name in names]
    return [group for group in groups if group[1]]


def direction(scorer: type[Scorer]) -> str:
    if "higher_is_better" in scorer.option_names():  # of scores that come in files
        return _("higher or lower is better, as said with the file")
    return _("higher is better") if scorer.higher_is_better else _("lower is better")


def range_words(scorer: type[Scorer]) -> str:
    """Return the possible scores in words: `0 to 100`, `0 and above`."""
    low, high = scorer.score_range
    if isinf(low) and isinf(high):
        return _("any number")
    if isinf(high):
        return _("%(low)s and above") % {"low": f"{low:g}"}
    if isinf(low):
        return _("%(high)s and below") % {"high": f"{high:g}"}
    return _("%(low)s to %(high)s") % {"low": f"{low:g}", "high": f"{high:g}"}


def needs_words(scorer: type[Scorer]) -> list[str]:
    """Return what a metric reads beside the outputs."""
    needs = []
    if scorer.targeted:
        needs.append(_("post-edits of the outputs"))
    elif scorer.needs_references:
        needs.append(_("references"))
    if scorer.needs_sources:
        needs.append(_("source texts"))
    if needs_corpus(scorer):
        needs.append(_("a text of the target language"))
    return needs


@dataclass(frozen=True)
class ScorerOption:
    """One option of a metric, as pages and commands list it."""

    name: str
    kind: str
    default: Any
    values: tuple[str, ...]

    @property
    def default_words(self) -> str:
        if self.default is None:
            return _("left open")
        if isinstance(self.default, bool):
            return _("yes") if self.default else _("no")
        return str(self.default) or _("empty")


def options_of(slug: str) -> list[ScorerOption]:
    defaults = choices.default_options(slug)
    words = {
        bool: _("yes or no"),
        int: _("whole number"),
        float: _("number"),
        str: _("text"),
    }
    return [
        ScorerOption(name, words[kind], defaults[name], choices.values_of(slug, name))
        for name, kind in choices.option_types(slug).items()
    ]


def guide_of(slug: str) -> str:
    """Return the page of the guide about a metric as Markdown; empty for one that has none, such as
    a plug-in's. `slug` is one of the registry's, never text from outside."""
    path = GUIDE / f"{slug}.md"
    return path.read_text(encoding="utf-8") if path.is_file() else ""
