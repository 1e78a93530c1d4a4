"""Errors that a program proposes, from a file."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction

from judgments.formats import ImportProblem
from judgments.formats.prefilled_spans import ProposedError
from judgments.formats.problem import shortened
from judgments.models import Campaign, Judgment, PrefilledSpan
from judgments.protocols.spans.marking import Marking, slug_of

from .outputs import Outputs

ROWS_AT_ONCE = 5_000


@dataclass(frozen=True)
class AddedSpans:
    """How many errors are proposed, and in how many translations."""

    spans: int
    outputs: int


@transaction.atomic
def import_prefilled_spans(campaign: Campaign, rows: Iterable[ProposedError]) -> AddedSpans:
    """Put these in the place of all that the campaign has, or change nothing.

    Raises ImportProblem, also when judging has begun: annotators would have started from different
    suggestions.
    """
    campaign = Campaign.objects.select_for_update(of=["self"]).get(pk=campaign.pk)
    if Judgment.objects.filter(campaign=campaign).exists():
        raise ImportProblem(
            "file", None, "", "judging has started, so suggestions cannot be changed."
        )
    PrefilledSpan.objects.filter(campaign=campaign).delete()
    places = _Places(campaign)
    found = []
    for proposed in rows:
        found.append(places.span(proposed))
        if len(found) > settings.MAX_IMPORT_ROWS:
            reason = (
                f"there are more than {settings.MAX_IMPORT_ROWS:,} rows, the limit of this site."
            )
            raise proposed.row.problem("", reason)
    PrefilledSpan.objects.bulk_create(found, batch_size=ROWS_AT_ONCE)
    return AddedSpans(len(found), len({span.output_id for span in found}))


class _Places:
    """Finds the output that a row belongs to, and what is marked in it."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.marking = Marking.of(campaign)
        self.outputs = Outputs(campaign.test_set_id, with_texts=True)
        self.seen: set[tuple] = set()
        self.counts: Counter[int] = Counter()

    def span(self, proposed: ProposedError) -> PrefilledSpan:
        output, text, source = self.outputs.find(
            proposed.system, proposed.segment, proposed.row.problem
        )
        texts = {"target": text, "source": source}
        start, end = self.range(proposed, texts)
        severity, category = self.kind(proposed)
        key = (output, proposed.side, start, end, category)
        if key in self.seen:
            raise proposed.row.problem("segment", "the same error is proposed twice.")
        self.seen.add(key)
        self.counts[output] += 1
        if self.counts[output] > self.marking.most:
            reason = f"more than {self.marking.most} errors in one translation."
            raise proposed.row.problem("segment", reason)
        return PrefilledSpan(
            campaign=self.campaign,
            output_id=output,
            side=proposed.side,
            start=start,
            end=end,
            severity=severity,
            category=category,
        )

    def range(self, proposed: ProposedError, texts: dict[str, str]) -> tuple[int, int]:
        """The start and the end in code points; those of what is missing are 0."""
        row, side = proposed.row, proposed.side
        if side not in self.marking.sides:
            raise row.problem("side", f"the sides here are {', '.join(self.marking.sides)}.")
        if side == "missing":
            if proposed.start or proposed.end or proposed.text:
                raise row.problem("side", "a missing part has no position in the text.")
            return 0, 0
        text = texts[side]
        if proposed.start is None or proposed.end is None:
            return self.occurrence(proposed, text)
        start, end = proposed.start, proposed.end
        if not start < end <= len(text):
            reason = f"from {start} to {end} there is no text: it has only {len(text)} characters."
            raise row.problem("end", reason)
        if proposed.text and text[start:end] != proposed.text:
            reason = (
                f"from {start} to {end} the text reads {shortened(text[start:end])}, not "
                f"{shortened(proposed.text)}. Count code points, the end exclusive."
            )
            raise row.problem("text", reason)
        return start, end

    def occurrence(self, proposed: ProposedError, text: str) -> tuple[int, int]:
        marked = proposed.text
        at = text.find(marked)
        if at < 0:
            raise proposed.row.problem("text", f"{shortened(marked)} does not occur in the text.")
        if text.find(marked, at + 1) >= 0:
            reason = f"{shortened(marked)} occurs more than once; give start and end."
            raise proposed.row.problem("text", reason)
        return at, at + len(marked)

    def kind(self, proposed: ProposedError) -> tuple[str, str]:
        """(severity, category) as they are stored."""
        row, marking = proposed.row, self.marking
        if proposed.severity not in marking.severities:
            reason = f"the severities here are {', '.join(marking.severities)}."
            raise row.problem("severity", reason)
        category = slug_of(proposed.category) if proposed.category.strip() else ""
        if category and category not in marking.slugs:
            known = ", ".join(marking.categories[:20]) or "none"
            raise row.problem("category", f"the categories here are {known}.")
        return proposed.severity, category
