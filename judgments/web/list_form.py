"""What narrows a list of campaigns or projects: words, and whether archived ones are in it."""

from django import forms


class ListForm(forms.Form):
    """Asked by GET; a list asked for in another way is the whole of what is not archived."""

    q = forms.CharField(max_length=200, required=False, label="Search")
    archived = forms.BooleanField(required=False, label="Archived, too")

    def of(self, found):
        """Return what is asked for of a QuerySet of campaigns or of projects."""
        said = self.cleaned_data if self.is_valid() else {}
        if not said.get("archived"):
            found = found.filter(archived_at=None)
        return found.matching(said.get("q", ""))
