"""Which judgments a figure is of: campaign, what is stored, who is left out, and filters.

A selection is made once for a request, from its address, and goes to everything that computes or
shows figures; nobody has to remember anything, and nothing is written on a campaign.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from django.db.models import F, Q, QuerySet
from django.http import QueryDict
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from judgments.files.words import n_words
from judgments.models import (
    Campaign,
    Judgment,
    Rating,
    RegisteredPlan,
    Segment,
    System,
    no_texts,
)
from judgments.models.bulk import ids_of
from judgments.models.moments import connection_to_read
from judgments.plans.stopping import plan_of
from judgments.protocols import protocol_of
from judgments.protocols.options import Options
from judgments.stats.mqm import SCHEMES, Scheme
from judgments.web import plurals as counted
from judgments.web.cache import code_mark
from judgments.web.tables import in_a_sentence

from .exclusions import NO_EXCLUSIONS, Exclusions
from .filters import NO_FILTERS, Filters
from .only_errors import EVERY_ERROR, OnlyErrors
from .schemes import checked_weights, scheme_of, weights_in_words

# "kept" leaves out the annotators and items that the campaign's owners excluded; "all" nothing.
ANNOTATORS = ("kept", "all")
WITH_METRIC = "with_metric"
MOST_METRICS = 10

Found = TypeVar("Found", bound=QuerySet)


@dataclass(frozen=True)
class Selection:
    """The judgments that figures are of.

    stored: changes whenever what is stored of the campaign does. members: (user id, alias) pairs.
    decided: what the owners have excluded; annotators: whether that is left out, "kept" or "all".
    without: aliases of annotators who are left out besides, to see what becomes of a result.
    weights: what weighs marked errors, the slug of a scheme or a reader's own weights (`schemes`);
    "" for the scores as they are stored. errors: only these are counted and weighed. with_metrics:
    by their slugs, what stands beside people where one estimate is made of both. site: where the
    site was asked for it, for links in files.
    """

    campaign: Campaign
    stored: str
    members: tuple[tuple[int, str], ...] = dataclasses.field(default=(), repr=False)
    decided: Exclusions = NO_EXCLUSIONS
    annotators: str = ANNOTATORS[0]
    without: tuple[str, ...] = ()
    filters: Filters = NO_FILTERS
    weights: str = ""
    errors: OnlyErrors = EVERY_ERROR
    with_metrics: tuple[str, ...] = ()
    site: str = dataclasses.field(default="", repr=False, compare=False)

    @classmethod
    def of(
        cls,
        campaign: Campaign,
        annotators: str = ANNOTATORS[0],
        *,
        without: Sequence[str] = (),
        filters: Filters = NO_FILTERS,
        weights: str = "",
        errors: OnlyErrors = EVERY_ERROR,
        with_metrics: Sequence[str] = (),
    ) -> Selection:
        """Return the judgments stored now: five statements, whatever is stored. Raise ValueError if
        annotators is neither of ANNOTATORS, for weights that the campaign's errors do not have, for
        some of the errors where none are marked, for a filter by words without texts, or for more
        metrics than MOST_METRICS."""
        if annotators not in ANNOTATORS:
            raise ValueError(f"annotators is one of {', '.join(ANNOTATORS)}, not {annotators!r}")
        if filters.concern_words and not campaign.test_set.has_texts:
            raise ValueError(no_texts.TO_COUNT_WORDS)
        if errors and not protocol_of(campaign).has_page("errors"):
            raise ValueError(_("There are no marked errors here to choose from."))
        if len(set(with_metrics)) > MOST_METRICS:
            raise ValueError(
                _("At most %(n)d metrics in addition to people.") % {"n": MOST_METRICS}
            )
        members = sorted(campaign.memberships.order_by().values_list("user_id", "alias"))
        return cls(
            campaign=campaign,
            stored=stored_mark(campaign, members),
            members=tuple(members),
            decided=Exclusions.of(campaign),
            annotators=annotators,
            without=tuple(sorted(set(without))),
            filters=filters,
            weights=checked_weights(campaign, weights) if weights else "",
            errors=errors,
            with_metrics=tuple(sorted(set(with_metrics))),
        )

    @classmethod
    def asked(cls, campaign: Campaign, query: QueryDict) -> Selection:
        """Return what an address asks for. ValueError, in words, for a date or a number that is
        none."""
        return cls.of(
            campaign,
            "all" if query.get("annotators") == "all" else "kept",
            without=[alias for alias in query.getlist("without") if alias],
            filters=Filters.asked(query),
            weights=query.get("weights", "").strip(),
            errors=OnlyErrors.asked(query),
            with_metrics=[slug for slug in query.getlist(WITH_METRIC) if slug],
        )

    @property
    def address(self) -> list[tuple[str, str]]:
        """The parts of a query string that ask for this selection; none for the usual one."""
        found = [("annotators", "all")] if self.annotators == "all" else []
        found += [("without", alias) for alias in self.without]
        found += [("weights", self.weights)] if self.weights else []
        found += [(WITH_METRIC, slug) for slug in self.with_metrics]
        return found + self.errors.address + self.filters.address

    @property
    def query(self) -> str:
        """The same as text: empty, or beginning with a question mark."""
        query = QueryDict(mutable=True)
        for name, value in self.address:
            query.appendlist(name, value)
        return f"?{query.urlencode()}" if query else ""

    @property
    def everyone(self) -> Selection:
        """The same judgments without anybody or anything left out."""
        return dataclasses.replace(self, annotators="all", without=())

    @property
    def as_decided(self) -> Selection:
        """The same judgments without those that the owners have excluded."""
        return dataclasses.replace(self, annotators="kept", without=())

    @property
    def unfiltered(self) -> Selection:
        """All judgments of the same annotators, with the scores as they are stored."""
        return dataclasses.replace(self, filters=NO_FILTERS, weights="", errors=EVERY_ERROR)

    @property
    def excluded(self) -> tuple[int, ...]:
        """The ids of the users whom the owners have excluded from all dimensions."""
        return self.decided.annotators

    @property
    def in_force(self) -> Exclusions:
        """What of the owners' exclusions is left out of these figures."""
        return NO_EXCLUSIONS if self.annotators == "all" else self.decided

    @property
    def is_everything(self) -> bool:
        """Whether nobody and nothing is left out."""
        return not self.left_out and not self.filters and not self.in_force

    @property
    def is_usual(self) -> bool:
        """Whether there is nothing to say beside that all judgments count."""
        return self.is_everything and not (self.reweighs or self.are_means or self.rows_left_out)

    @property
    def reweighs(self) -> bool:
        """Whether scores of marked errors are others than those that are stored."""
        return bool(self.weights or self.errors)

    @functools.cached_property
    def scheme(self) -> Scheme:
        """What weighs the marked errors of a campaign that has any."""
        return scheme_of(self.campaign, self.weights)

    @functools.cached_property
    def are_means(self) -> bool:
        """Whether the values are means over raters whom a release does not name."""
        return Options.of(self.campaign).are_means

    @functools.cached_property
    def rows_left_out(self) -> int:
        """How many rows of the imported files could not be read and are left out."""
        return Options.of(self.campaign).rows_left_out

    @property
    def sentence(self) -> str:
        """The line that stands with every figure: who and what is left out, and what values are."""
        return capfirst("; ".join([*_counted(self), *_valued(self)]))

    @property
    def described(self) -> dict[str, Any]:
        """The same for files: the sentence, the address, and the mark of what it is of."""
        return {
            "sentence": self.sentence,
            "query": self.query,
            "annotators": self.annotators,
            "left_out": [self.alias(user) for user in self.left_out],
            "left_out_of_dimensions": [
                [self.alias(user), dimension] for user, dimension in self.in_force.partly
            ],
            "removed_items": [[key, ""] for _, key in self.in_force.segments]
            + [[key, system] for *_, key, system in self.in_force.outputs],
            "filters": [list(part) for part in self.errors.address + self.filters.address],
            "weights": self.weights,
            "fingerprint": self.fingerprint,
        }

    @property
    def is_current(self) -> bool:
        """Whether what is stored now is still what this selection is of. In a moment it always is;
        of a page somebody may have answered since it began."""
        return stored_mark(self.campaign, self.members) == self.stored

    @functools.cached_property
    def stopping_plan(self) -> RegisteredPlan | None:
        """The campaign's registered plan, if it has any."""
        return plan_of(self.campaign)

    @functools.cached_property
    def aliases(self) -> dict[int, str]:
        return dict(self.members)

    def alias(self, user: int) -> str:
        """Return what results call a user; who is no member any more goes by the number."""
        return self.aliases.get(user, f"annotator {user}")

    @functools.cached_property
    def left_out(self) -> tuple[int, ...]:
        """The ids of the users whose judgments do not count, in rising order."""
        decided = self.in_force.annotators
        besides = [user for user, alias in self.members if alias in self.without]
        return tuple(sorted({*decided, *besides}))

    @functools.cached_property
    def fingerprint(self) -> str:
        """Changes whenever a figure of this selection may."""
        facts: list[Any] = [self.stored, self.left_out, self.filters.address, self.weights]
        facts += [self.errors.address] if self.errors else []
        if self.filters.system_kinds:
            facts.append(self.system_ids)  # the kind of a system may be stated anew
        if self.in_force:
            facts.append(dataclasses.astuple(self.in_force)[1:])  # but those of `left_out`
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()

    @functools.cached_property
    def segment_ids(self) -> tuple[int, ...] | None:
        """The ids of the segments that the filters let through; None: all."""
        if not self.filters.concern_segments:
            return None
        test_set = self.campaign.test_set
        found = Segment.objects.filter(test_set=test_set, **self.filters.of_segment).order_by("pk")
        if not self.filters.concern_words:
            return tuple(found.values_list("pk", flat=True))
        return tuple(
            pk
            for pk, source in found.values_list("pk", "source").iterator()
            if self.filters.let_words(n_words(source, test_set.source_language))
        )

    @functools.cached_property
    def system_ids(self) -> tuple[int, ...] | None:
        """The ids of the systems that the filters let through; None: all."""
        if not self.filters.of_system:
            return None
        found = System.objects.filter(test_set_id=self.campaign.test_set_id)
        found = found.filter(**self.filters.of_system).order_by("pk")
        return tuple(found.values_list("pk", flat=True))

    @functools.cached_property
    def waves(self) -> tuple[int, ...]:
        """The waves of the campaign's plan, whether or not anything of them is judged."""
        found = self.campaign.tasks.order_by("wave").values_list("wave", flat=True)
        return tuple(found.distinct())

    @functools.cached_property
    def only_users(self) -> tuple[int, ...] | None:
        """The ids of the annotators whom the filters let through; None: all."""
        if not self.filters.annotators:
            return None
        return tuple(user for user, alias in self.members if alias in self.filters.annotators)

    def counts(self, user: int) -> bool:
        """Return whether the judgments of a user count."""
        only = self.only_users
        return user not in self.left_out and (only is None or user in only)

    def judgments(self) -> QuerySet[Judgment]:
        """Return the judgments that count and that no other supersedes."""
        return self.rows_of(Judgment.objects.all(), judgment="", outputs=())

    def is_out(self, user: int, output: int, dimension: str = "") -> bool:
        """Return whether the owners exclude what a user said of an output, also where that is
        shown."""
        people = user in self.excluded or (user, dimension) in self.decided.partly
        return people or output in self.removed_outputs

    @functools.cached_property
    def removed_outputs(self) -> frozenset[int]:
        """The ids of the outputs that the owners exclude."""
        return self.decided.output_ids()

    def rows_of(
        self,
        rows: Found,
        *,
        judgment: str = "judgment",
        outputs: Sequence[str] = ("output",),
        everyone: bool = False,
    ) -> Found:
        """Return for rows that hang on judgments those that count. judgment and outputs: how their
        model calls these ("" where the rows are the judgments). everyone: whoever and whatever the
        owners left out too."""
        lead = f"{judgment}__" if judgment else ""
        known = {"campaign": self.campaign, "superseded_by": None} | self.filters.of_judgment
        if self.only_users is not None:
            known["annotator__in"] = self.only_users
        found = rows.filter(**{lead + name: value for name, value in known.items()})
        if self.filters.kinds:
            found = found.filter(self._of_kinds(f"{lead}item", outputs))
        if self.left_out and not everyone:
            found = found.exclude(**{f"{lead}annotator__in": self.left_out})
        if not everyone:
            found = self._without_items(found, lead, outputs)
        if self.segment_ids is not None:
            where = f"{outputs[0]}__segment__in" if outputs else f"{lead}item__segment__in"
            found = found.filter(**{where: self.segment_ids})
        if self.system_ids is not None:
            for output in outputs:
                found = found.filter(**{f"{output}__system__in": self.system_ids})
        return found

    def _of_kinds(self, item: str, outputs: Sequence[str]) -> Q:
        """Return for the kinds that the filters let through: the rows of these outputs, or, without
        outputs, the judgments that have any."""
        kinds = self.filters.kinds
        of_item = Q(**{f"{item}__kind__in": kinds})
        of_control = Q(**{f"{item}__control_kind__in": kinds})
        if not outputs:
            return of_item | of_control
        is_control = Q()
        for output in outputs:
            is_control |= Q(**{output: F(f"{item}__control_output")})
        none = Q(**{f"{item}__control_output": None})
        return (of_item & (none | ~is_control)) | (of_control & is_control)

    def _without_items(self, rows: Found, lead: str, outputs: Sequence[str]) -> Found:
        """Without what is left out of single dimensions or as items."""
        if rows.model is Rating:
            for user, dimension in self.in_force.partly:
                rows = rows.exclude(Q(**{f"{lead}annotator": user}), dimension=dimension)
        if self.in_force.has_items:
            for output in outputs:
                rows = rows.exclude(**{f"{output}__in": self.removed_outputs})
        if self.in_force.segments and not outputs:
            rows = rows.exclude(**{f"{lead}item__segment__in": self.in_force.segment_ids})
        return rows

    def judgment_ids(self) -> np.ndarray | None:
        """Return the ids of the judgments of the waves and days that the filters let through, or
        None."""
        asked = self.filters.of_judgment
        return ids_of(Judgment.objects.filter(campaign=self.campaign, **asked)) if asked else None


def _counted(selection: Selection) -> list[str]:
    parts = []
    n = len(selection.left_out)
    if n:
        parts.append(
            ngettext("%(n)d annotator is left out", "%(n)d annotators are left out", n) % {"n": n}
        )
    parts += selection.in_force.phrases(_dimension_names(selection))
    if selection.annotators == "all" and selection.excluded:
        n = len(selection.excluded)
        parts.append(
            ngettext(
                "the annotator whom the owners excluded counts too",
                "the %(n)d annotators whom the owners excluded count too",
                n,
            )
            % {"n": n}
        )
    decided = selection.decided
    if selection.annotators == "all" and (decided.partly or decided.has_items):
        parts.append(_("what the owners left out of dimensions or of items counts too"))
    parts += selection.filters.phrases()
    return parts or [_("all judgments count")]


def _valued(selection: Selection) -> list[str]:
    parts = [*selection.errors.phrases()]
    if n := selection.rows_left_out:
        phrase = ngettext(
            "%(n)d row of the release was left out", "%(n)d rows of the release were left out", n
        )
        parts.insert(0, phrase % {"n": n})
    if selection.weights in SCHEMES:
        scheme = _(SCHEMES[selection.weights].name)
        parts.append(_("errors weigh as in %(scheme)s") % {"scheme": scheme})
    elif selection.weights:
        words = weights_in_words(selection.scheme)
        parts.append(_("errors weigh %(weights)s") % {"weights": words})
    if selection.are_means:
        parts.append(_("each value is a mean over raters whom the release does not name"))
    return parts


def _dimension_names(selection: Selection) -> dict[str, str]:
    if not selection.in_force.partly:
        return {}
    dimensions = protocol_of(selection.campaign).dimensions()
    return {each.slug: in_a_sentence(each.name) for each in dimensions}


FACTS = """
    SELECT judged.n, judged.last,
        (SELECT client_key::text FROM judgments_judgment WHERE id = judged.last),
        (SELECT count(*) FROM judgments_segment WHERE test_set_id = %(test_set)s),
        (SELECT array_agg(name::text ORDER BY id) FROM judgments_system
            WHERE test_set_id = %(test_set)s),
        (SELECT target_language::text FROM judgments_testset WHERE id = %(test_set)s),
        (SELECT has_texts FROM judgments_testset WHERE id = %(test_set)s)
    FROM (SELECT count(*) AS n, max(id) AS last FROM judgments_judgment
        WHERE campaign_id = %(campaign)s) judged
"""


def stored_mark(campaign: Campaign, members: Sequence[tuple[int, str]]) -> str:
    """Return a digest that changes whenever figures of the campaign may.

    Judgments are only ever added, and the texts that were judged stay as they are once they are
    there. So the number of judgments and the last one tell of any change; its key, which no other
    has, tells it from one of the same number in a database that was brought back from a copy.
    docs/decisions/0009.
    """
    with connection_to_read().cursor() as cursor:
        cursor.execute(FACTS, {"campaign": campaign.pk, "test_set": campaign.test_set_id})
        facts = cursor.fetchone()
    known = [campaign.pk, campaign.created_at.isoformat(), campaign.protocol, campaign.preset]
    known += [campaign.test_set_id, campaign.options, facts, members, code_mark()]
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()


def sentence_of(selections: Sequence[Selection]) -> str:
    """Return which judgments count in several campaigns, in one line: what they have in common is
    said once."""
    named: dict[str, list[str]] = {}
    for each in selections:
        named.setdefault(each.sentence, []).append(each.campaign.name)
    if len(named) == 1:
        return next(iter(named))
    return ". ".join(f"{counted.names(names)}: {said}" for said, names in named.items())
