"""Alignment links that a program proposes, from files."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction

from judgments.formats import ImportProblem
from judgments.formats.prefilled_links import ProposedLinks
from judgments.models import Campaign, Judgment, PrefilledLink
from judgments.protocols.alignment.options import AlignmentOptions
from judgments.protocols.alignment.pharaoh import LinkPlaces, read_links

from .outputs import Outputs

LINKS_AT_ONCE = 10_000


@dataclass(frozen=True)
class AddedLinks:
    """How many links are proposed, and in how many translations."""

    links: int
    outputs: int


@transaction.atomic
def import_prefilled_links(campaign: Campaign, rows: Iterable[ProposedLinks]) -> AddedLinks:
    """Put these in the place of all that the campaign has, or change nothing.

    Raises ImportProblem, also when judging has begun: annotators would have started from different
    proposals.
    """
    campaign = Campaign.objects.select_for_update(of=["self"]).get(pk=campaign.pk)
    if Judgment.objects.filter(campaign=campaign).exists():
        raise ImportProblem(
            "files", None, "", "judging has started, so proposed links cannot be changed."
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
        raise ImportProblem("files", None, "", "they contain no links.")
    return AddedLinks(n_links, len(places.seen))


def _fields(link: LinkPlaces) -> dict[str, int | bool]:
    source, target, is_sure = link
    return {"source_token": source, "target_token": target, "is_sure": is_sure}


class _Places:
    """Finds the output that links belong to, and reads them against its words."""

    def __init__(self, campaign: Campaign) -> None:
        self.options = AlignmentOptions.of(campaign)
        self.outputs = Outputs(campaign.test_set_id, with_texts=True)
        self.seen: set[int] = set()

    def links(self, proposed: ProposedLinks) -> tuple[int, list[LinkPlaces]]:
        """(key of the output in the database, its links)."""
        output, text, source = self.outputs.find(
            proposed.system, proposed.segment, proposed.problem, row=proposed.row
        )
        if output in self.seen:
            raise proposed.problem("segment", "a second line of links for the same output.")
        self.seen.add(output)
        n_source, n_target = (len(self.options.words(each)) for each in (source, text))
        try:
            return output, read_links(
                proposed.links, n_source, n_target, possible=self.options.possible_links
            )
        except ValueError as error:
            raise proposed.problem("links", str(error)) from None
