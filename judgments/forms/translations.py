"""Which texts of a catalog to list."""

from django import forms

from judgments.translations.catalogs import STATES, CatalogText
from judgments.translations.screens import screens

NOWHERE = "-"


class CatalogForm(forms.Form):
    state = forms.ChoiceField(
        choices=[("", "All"), *((state, state) for state in STATES)], required=False, label="State"
    )
    screen = forms.ChoiceField(required=False, label="Screen")
    words = forms.CharField(max_length=100, required=False, label="Words")

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        names = [(each.slug, each.name) for each in screens().values()]
        choices = [("", "All"), (NOWHERE, "On none of them"), *names]
        self.fields["screen"].choices = choices  # type: ignore[attr-defined]

    def listed(
        self, texts: dict[str, CatalogText], shown: dict[str, dict[str, set[str]]]
    ) -> list[CatalogText]:
        """shown: by key the screens that have the text. All texts where the form is wrong."""
        found = list(texts.values())
        asked = self.cleaned_data if self.is_valid() else {}
        if state := asked.get("state"):
            found = [each for each in found if each.state == state]
        if screen := asked.get("screen"):
            wanted = {key for key, slugs in shown.items() if screen in slugs or screen == NOWHERE}
            found = [each for each in found if (each.key in wanted) != (screen == NOWHERE)]
        if words := asked.get("words", "").casefold():
            said = {each.key: "\n".join((each.text, each.plural, *each.forms)) for each in found}
            found = [each for each in found if words in said[each.key].casefold()]
        return found
