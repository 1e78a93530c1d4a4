"""Form fields that several rooms use."""

from django import forms

from judgments.files import markdown


class MarkdownField(forms.CharField):
    """Text that `judgments.files.markdown` can show."""

    def __init__(self, **kwargs):
        super().__init__(max_length=markdown.LONGEST, required=False, **kwargs)

    def to_python(self, value):
        # Browsers count a line's end as one character, as their limit of a text's length does.
        return (super().to_python(value) or "").replace("\r\n", "\n")

    def run_validators(self, value):
        if problem := markdown.problem_with(value):
            raise forms.ValidationError(problem)
        super().run_validators(value)
