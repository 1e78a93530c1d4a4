"""The form that takes errors which a program proposes."""

from django import forms

from .imports import FilesForm


class PrefilledSpansForm(FilesForm):
    file = forms.FileField(label="File of suggested errors")
