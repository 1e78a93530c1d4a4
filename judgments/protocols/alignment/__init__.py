"""Word alignment: which words of the source correspond to which words of the translation.

Links are sure or only possible, as in Och and Ney (2003), "A systematic comparison of various
statistical alignment models". Words are those of `tokens`, by the campaign's option; links are
stored as places of words, so neither the texts nor the option may change once people have begun.
"""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms import Script
from django.utils.translation import gettext_lazy as _

from judgments.models.material import PrefilledLink

from ..base import Link, Observations
from ..contract import Page, Protocol
from ..options import CONTEXT, SHOW_REFERENCE, choice, yes_no
from ..tokens import SPACES, WORDS
from .options import AlignmentOptions
from .pharaoh import LinkPlaces, read_links, write_links
from .presets import PRESETS
from .table import LINKS

TOKENIZATION = choice(
    "tokenization",
    "What counts as a word",
    (
        (
            WORDS,
            "Words and punctuation marks; single characters of Chinese, Japanese, Thai and Khmer",
        ),
        (SPACES, "What stands between spaces, for texts that are already tokenized"),
    ),
    "An automatic alignment that you upload must have been made with the same words.",
)
POSSIBLE = yes_no(
    "possible_links",
    "Links may be sure or only possible",
    "Without this, all links are sure.",
)
LONGEST = 60_000  # characters of a list of links


@dataclass(frozen=True)
class Place:
    """One translation on the screen: its words and those of the source, and what was answered."""

    place: int
    name: str
    none_name: str
    source: list[str]
    target: list[str]
    value: str
    none: bool
    error: str


class LinksField(forms.CharField):
    """Links in Pharaoh's format; cleans to a list of them. The four last methods are for tutorial
    items: right is who draws every sure link that is expected, and none beyond the possible ones.
    """

    def __init__(self, source: list[str], target: list[str], *, possible: bool):
        super().__init__(required=False, max_length=LONGEST, label=_("Links of words"))
        self.source, self.target, self.possible = source, target, possible

    def clean(self, value):
        text = super().clean(value)
        try:
            return self.read(text)
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None

    def read(self, text: str) -> list[LinkPlaces]:
        return read_links(text, len(self.source), len(self.target), possible=self.possible)

    def check_expected(self, accepted: Any) -> None:
        if not isinstance(accepted, str):
            raise ValueError("Expected links are one text, such as “0-0 1p2”.")
        read_links(accepted, len(self.source), len(self.target))

    def is_accepted(self, value: list[LinkPlaces], accepted: str) -> bool:
        expected = read_links(accepted, len(self.source), len(self.target))
        drawn = {link[:2] for link in value}
        sure = {link[:2] for link in expected if link[2]}
        return sure <= drawn <= {link[:2] for link in expected}

    def in_words(self, value: list[LinkPlaces]) -> str:
        possible = " " + str(_("(possible)"))
        found = [
            f"{self.source[i]} – {self.target[j]}{'' if sure else possible}" for i, j, sure in value
        ]
        return ", ".join(found) or str(_("no links"))

    def expected_words(self, accepted: str) -> str:
        return self.in_words(read_links(accepted, len(self.source), len(self.target)))


class AlignmentForm(forms.Form):
    """Per place a list of links in Pharaoh's format, and whether there is none at all."""

    KEYS = (
        (("←", "→"), _("move along the words")),
        (("↓", "↑"), _("to the translation, and back to the source")),
        ((_("Space"),), _("link the two words; again for possible, once more for no link")),
        ((_("Shift"), "←", "→"), _("another word of the source, staying in the translation")),
    )

    class Media:
        js = (Script("js/alignment.js", defer=True),)
        css = {"all": ("css/alignment.css",)}

    def __init__(self, options: AlignmentOptions, item, shown, **kwargs):
        super().__init__(**kwargs)
        self.possible = options.possible_links
        self.source = options.words(item.segment.source)
        self.targets = {p: options.words(row.output.text) for p, row in enumerate(shown, 1)}
        for place, target in self.targets.items():
            self.fields[f"output{place}-links"] = LinksField(
                self.source, target, possible=self.possible
            )
            self.fields[f"output{place}-none"] = forms.BooleanField(
                required=False, label=_("No words correspond")
            )

    def clean(self):
        cleaned = super().clean() or {}
        for place in self.targets:
            name = f"output{place}-links"
            links, none = cleaned.get(name), cleaned[f"output{place}-none"]
            if links is None:
                continue
            if not (links or none):
                self.add_error(name, _("Link words, or say that no words correspond."))
            elif links and none:
                self.add_error(name, _("Words are linked, so it is not true that none correspond."))
        return cleaned

    def places(self) -> list[Place]:
        """For the template."""
        found = []
        for place, target in self.targets.items():
            links, none = self[f"output{place}-links"], self[f"output{place}-none"]
            found.append(
                Place(
                    place,
                    links.html_name,
                    none.html_name,
                    self.source,
                    target,
                    links.value() or "",
                    bool(none.value()),
                    " ".join(map(str, links.errors)),
                )
            )
        return found


class Alignment(Protocol):
    slug = "alignment"
    name = "Word alignment"
    template = "judgments/protocols/alignment.html"
    kinds = ("links",)
    presets = PRESETS
    reads = AlignmentOptions
    table = LINKS
    pages = (Page("word-links", "Word alignment"),)
    agreement_page = "word-links"
    rates = False

    options: AlignmentOptions

    @classmethod
    def option_fields(cls, preset):
        return TOKENIZATION, POSSIBLE, CONTEXT, SHOW_REFERENCE

    def outputs_per_item(self) -> tuple[int, int]:
        return 1, 1

    def materials(self) -> tuple[Page, ...]:
        return (Page("proposed-links", "Proposed links"),)

    def counts(self, selection, observed) -> dict[str, int]:
        from judgments.results.links import word_links  # results know the protocols

        linked = word_links(selection)
        return {
            "annotators": len(linked.linkers),
            "judgments": linked.n_judgments,
            "observations": linked.n_links,
            "left_out": 0,
        }

    def form(self, item, shown, data=None, initial=None) -> AlignmentForm:
        if data is None and initial is None:
            initial = self.proposed(shown)
        return AlignmentForm(self.options, item, shown, data=data, initial=initial)

    def proposed(self, shown) -> dict:
        """The form's data from an automatic alignment, where there is one."""
        place_of = {row.output_id: place for place, row in enumerate(shown, 1)}
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
