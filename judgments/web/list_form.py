"""Filters of a list of campaigns or projects: words, and whether to include archived ones."""

from django import forms


class ListForm(forms.Form):
    """A form sent by GET; without valid data the list shows everything that is not archived."""

    q = forms.CharField(max_length=200, required=False, label="Search")
    archived = forms.BooleanField(required=False, label="Include archived")

    def of(self, found):
        """Return the filtered QuerySet of campaigns or projects."""
        said = self.cleaned_data if self.is_valid() else {}
        if not said.get("archived"):
            found = found.filter(archived_at=None)
        return found.matching(said.get("q", ""))
