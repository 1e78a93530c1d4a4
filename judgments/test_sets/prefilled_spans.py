"""Import of errors proposed by a program."""

from collections.abc import Iterator

from django.utils import timezone

from judgments.files.prefilled_spans import ProposedError
from judgments.files.rows import RowKind
from judgments.files.span_places import place_of
from judgments.models import Campaign, PrefilledSpan, SuggestionOrigin
from judgments.protocols import protocol_of
from judgments.protocols.spans.marking import Marking, slug_of

from . import suggestion_arms
from .outputs import Outputs

LONGEST_ORIGIN = 300  # like the column


class SuggestedErrors(RowKind[ProposedError]):
    """Rows of a campaign, checked against its marking of errors."""

    model = PrefilledSpan
    fields = ("campaign", "output", "side", "start", "end", "severity", "category")
    nouns = "suggestions"

    def __init__(self, owner: Campaign, *, replace: bool) -> None:
        super().__init__(owner, replace=replace)
        self.marking = Marking.of(owner)
        self.shows_source, _ = protocol_of(owner).texts_beside()
        self.outputs = Outputs(owner.test_set_id, with_texts=True)
        self.files: dict[str, None] = {}

    def records(self, row: ProposedError) -> Iterator[tuple]:
        output, text, source = self.outputs.find(row)
        self.files[row.file] = None
        start, end = self.range(row, {"target": text, "source": source})
        severity, category = self.kind(row)
        if not self.first_time(output, (row.side, start, end, category)):
            raise row.problem("segment", "the same error is proposed twice.")
        if self.n_in(output) > self.marking.most:
            reason = f"more than {self.marking.most} errors in one translation."
            raise row.problem("segment", reason)
        yield self.owner.pk, output, row.side, start, end, severity, category

    def finish(self) -> None:
        seed = suggestion_arms.seed_of(self.owner)
        said = {"name": ", ".join(self.files)[:LONGEST_ORIGIN], "brought_at": timezone.now()}
        SuggestionOrigin.objects.filter(campaign=self.owner).delete()
        SuggestionOrigin.objects.create(campaign=self.owner, seed=seed, **said)
        suggestion_arms.draw(self.owner, self.marking, seed)

    def range(self, row: ProposedError, texts: dict[str, str]) -> tuple[int, int]:
        """Return the start and the end in code points; 0, 0 for omissions."""
        side = row.side
        if side not in self.marking.sides:
            raise row.problem("side", f"the sides here are {', '.join(self.marking.sides)}.")
        if side == "source" and not self.shows_source:
            raise row.problem("side", "the source is not shown in this campaign.")
        if side == "missing":
            if row.start or row.end or row.text:
                raise row.problem("side", "a missing part has no position in the text.")
            return 0, 0
        return place_of(row, texts[side], row.start, row.end, row.text)

    def kind(self, row: ProposedError) -> tuple[str, str]:
        """Return (severity, category) as they are stored."""
        marking = self.marking
        if row.severity not in marking.severities:
            reason = f"the severities here are {', '.join(marking.severities)}."
            raise row.problem("severity", reason)
        category = slug_of(row.category) if row.category.strip() else ""
        if category and category not in marking.slugs:
            known = ", ".join(marking.categories[:20]) or "none"
            raise row.problem("category", f"the categories here are {known}.")
        return row.severity, category
