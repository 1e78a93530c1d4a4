"""Word links that a program proposes, from files."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction

from judgments.formats import ImportProblem
from judgments.formats.prefilled_links import ProposedLinks
from judgments.formats.problem import shortened
from judgments.models import Campaign, Judgment, Output, PrefilledLink, Segment, System
from judgments.protocols import alignment
from judgments.protocols.pharaoh import LinkPlaces, read_links

LINKS_AT_ONCE = 10_000


@dataclass(frozen=True)
class Added:
    """How many links are proposed, and in how many translations."""

    links: int
    outputs: int


@transaction.atomic
def import_prefilled_links(campaign: Campaign, rows: Iterable[ProposedLinks]) -> Added:
    """Put these in the place of all that the campaign has, or change nothing.

    Raises ImportProblem, also when judging has begun: annotators would have started from different
    proposals.
    """
    campaign = Campaign.objects.select_for_update(of=["self"]).get(pk=campaign.pk)
    if Judgment.objects.filter(campaign=campaign).exists():
        raise ImportProblem(
            "files", None, "", "judging has begun; proposed links stay as they are."
        )
    PrefilledLink.objects.filter(campaign=campaign).delete()
    places = _Places(campaign)
    found: list[PrefilledLink] = []
    n_links = 0
    for proposed in rows:
        output, links = places.links(proposed)
        n_links += len(links)
        if n_links > settings.MAX_IMPORT_ROWS:
            reason = (
                f"there are more than {settings.MAX_IMPORT_ROWS:,} links, the limit of this site."
            )
            raise proposed.problem("", reason)
        found += (
            PrefilledLink(campaign=campaign, output_id=output, **_fields(link)) for link in links
        )
        if len(found) >= LINKS_AT_ONCE:
            PrefilledLink.objects.bulk_create(found)
            found = []
    PrefilledLink.objects.bulk_create(found)
    if not n_links:
        raise ImportProblem("files", None, "", "there is no link in them.")
    return Added(n_links, len(places.seen))


def _fields(link: LinkPlaces) -> dict[str, int | bool]:
    source, target, is_sure = link
    return {"source_token": source, "target_token": target, "is_sure": is_sure}


class _Places:
    """Finds the output that links belong to, and reads them against its words."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.possible = campaign.options.get("possible_links", True)
        systems = System.objects.filter(test_set=campaign.test_set_id)
        self.systems = dict(systems.values_list("name", "pk"))
        rows = Segment.objects.filter(test_set=campaign.test_set_id).order_by("position")
        self.in_order = list(rows.values_list("pk", "key", "source"))
        self.by_key = {key: place for place, (_, key, _) in enumerate(self.in_order)}
        self.outputs: dict[str, dict[int, tuple[int, str]]] = {}
        self.seen: set[int] = set()

    def links(self, proposed: ProposedLinks) -> tuple[int, list[LinkPlaces]]:
        """(key of the output in the database, its links)."""
        if proposed.system not in self.systems:
            known = ", ".join(sorted(self.systems)[:20])
            reason = f"the test set has no system {shortened(proposed.system)}; it has {known}."
            raise proposed.problem("system", reason)
        place = self.by_key.get(proposed.segment) if proposed.segment else proposed.row - 1
        if place is None:
            raise proposed.problem("segment", f"there is no segment {shortened(proposed.segment)}.")
        segment, _, source = self.in_order[place]
        found = self.of_system(proposed.system).get(segment)
        if found is None:
            reason = f"{shortened(proposed.system)} has no output for this segment."
            raise proposed.problem("segment", reason)
        output, text = found
        if output in self.seen:
            raise proposed.problem("segment", "a second line of links of the same output.")
        self.seen.add(output)
        n_source, n_target = (len(alignment.words(self.campaign, each)) for each in (source, text))
        try:
            return output, read_links(proposed.links, n_source, n_target, possible=self.possible)
        except ValueError as error:
            raise proposed.problem("links", str(error)) from None

    def of_system(self, system: str) -> dict[int, tuple[int, str]]:
        if system not in self.outputs:
            rows = Output.objects.filter(system=self.systems[system]).order_by()
            self.outputs[system] = {
                segment: (pk, text)
                for segment, pk, text in rows.values_list("segment_id", "pk", "text")
            }
        return self.outputs[system]
