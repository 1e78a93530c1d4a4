"""The form of word alignment: per translation the links of its words, or that there are none."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms import Script
from django.utils.translation import gettext_lazy as _

from judgments.protocols.screen_form import ScreenForm

from .options import AlignmentOptions
from .pharaoh import LinkPlaces, read_links

LONGEST = 60_000  # characters of a list of links


@dataclass(frozen=True)
class AlignmentPlace:
    """One translation on the screen: its words and those of the source, and what was answered."""

    place: int
    name: str
    none_name: str
    source: list[str]
    target: list[str]
    begins: tuple[str, str]  # where sentences begin, in words: of the source, of the translation
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


class AlignmentForm(ScreenForm):
    """Per place a list of links in Pharaoh's format, and whether there is none at all."""

    KEYS = (
        (("←", "→"), _("move along the words")),
        (("↓", "↑"), _("to the translation, and back to the source")),
        ((_("Space"),), _("link the two words; again for possible, once more for no link")),
        ((_("Shift"), "←", "→"), _("another word of the source, staying in the translation")),
        (("PgDn", "PgUp"), _("next sentence, sentence before (in a text of several)")),
    )

    class Media:
        js = (Script("js/protocols/alignment/alignment.js", type="module"),)

    def __init__(self, options: AlignmentOptions, item, shown, *, languages, **kwargs):
        """languages: of the source and of the translation, as tags such as zh-Hant."""
        super().__init__(**kwargs)
        self.possible = options.possible_links
        self.source = options.words(item.segment.source)
        self.targets = {p: options.words(row.text) for p, row in enumerate(shown, 1)}
        of_source, of_target = languages
        self.source_begins = options.sentences(item.segment.source, of_source)
        self.begins = {p: options.sentences(row.text, of_target) for p, row in enumerate(shown, 1)}
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

    def places(self) -> list[AlignmentPlace]:
        """Return for the template."""
        found = []
        for place, target in self.targets.items():
            links, none = self[f"output{place}-links"], self[f"output{place}-none"]
            found.append(
                AlignmentPlace(
                    place,
                    links.html_name,
                    none.html_name,
                    self.source,
                    target,
                    (_joined(self.source_begins), _joined(self.begins[place])),
                    links.value() or "",
                    bool(none.value()),
                    " ".join(map(str, links.errors)),
                )
            )
        return found


def _joined(places: list[int]) -> str:
    return " ".join(map(str, places))
