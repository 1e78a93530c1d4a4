"""Word alignment: which words of the source correspond to which words of the translation.

Links are sure or only possible, as in Och and Ney (2003), "A systematic comparison of various
statistical alignment models". Words are those of `tokens`, by the campaign's option; links are
stored as places of words, so neither the texts nor the option may change once people have begun.
"""

from judgments.models.material import PrefilledLink
from judgments.models.new_observations import Link, Observations

from ..contract import CHECKS, Protocol, ProtocolPage
from ..options import CONTEXT, SHOW_REFERENCE
from .form import AlignmentForm
from .options import POSSIBLE, TOKENIZATION, AlignmentOptions
from .pharaoh import LinkPlaces, write_links
from .presets import PRESETS
from .table import LINKS


class WordAlignment(Protocol):
    slug = "alignment"
    name = "Word alignment"
    template = "judgments/protocols/alignment.html"
    kinds = ("links",)
    asks_models = False
    presets = PRESETS
    reads = AlignmentOptions
    seconds_per_word = 4.0
    table = LINKS
    counted_by = "judgments.results.links.rows.counts"
    pages = (ProtocolPage("word-links", "Word alignment"),)
    agreement_page = "word-links"
    rates = False

    options: AlignmentOptions

    @classmethod
    def option_fields(cls, preset):
        return TOKENIZATION, POSSIBLE, CONTEXT, SHOW_REFERENCE

    def outputs_per_item(self) -> tuple[int, int]:
        return 1, 1

    def materials(self) -> tuple[ProtocolPage, ...]:
        return (ProtocolPage("proposed-links", "Proposed links"),)

    def no_controls(self) -> dict[str, str]:
        reason = "Words are linked, however good the translation is: there is no score to compare."
        return dict.fromkeys(("references", "degraded", *CHECKS), reason)

    def texts_by_output(self) -> tuple[bool, bool]:
        return True, False  # as words to be linked, whatever `visible` says

    def form(self, item, shown, data=None, initial=None) -> AlignmentForm:
        if data is None and initial is None:
            initial = self.proposed(shown)
        test_set = self.campaign.test_set
        languages = test_set.source_language, test_set.target_language
        return AlignmentForm(
            self.options, item, shown, languages=languages, data=data, initial=initial
        )

    def proposed(self, shown) -> dict:
        """Return the form's data from an automatic alignment, where there is one; it is of the
        words of the output, and not of an altered one."""
        if self.given is not None:
            return {}
        places = enumerate(shown, 1)
        place_of = {row.output_id: place for place, row in places if row.altered is None}
        links: dict[int, list[LinkPlaces]] = {}
        rows = PrefilledLink.objects.filter(campaign=self.campaign, output__in=place_of)
        for row in rows.values_list("output_id", "source_token", "target_token", "is_sure"):
            links.setdefault(place_of[row[0]], []).append(row[1:])
        return {f"output{place}-links": write_links(found) for place, found in links.items()}

    def observations(self, item, shown, cleaned) -> Observations:
        return Observations(
            links=tuple(
                Link(row.output_id, *link)
                for place, row in enumerate(shown, 1)
                for link in cleaned[f"output{place}-links"]
            )
        )

    def initial(self, item, shown, judgment) -> dict:
        links: dict[int, list[LinkPlaces]] = {row.output_id: [] for row in shown}
        for link in judgment.links.all():
            if link.output_id in links:
                links[link.output_id].append((link.source_token, link.target_token, link.is_sure))
        found: dict = {}
        for place, row in enumerate(shown, 1):
            found[f"output{place}-links"] = write_links(links[row.output_id])
            found[f"output{place}-none"] = not links[row.output_id]
        return found
