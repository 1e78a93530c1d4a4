"""The form of continuous rating: one field with all presses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from judgments.models import ItemOutput, SegmentMedia
from judgments.protocols.screen_form import ScreenForm

from .course import CoursePress, read_course

LONGEST = 400_000  # characters: 10,000 lines of 40
SHAPES = ("audio", "video")


class TimedText(NamedTuple):
    """A part of the translation, and the second of the recording from which it is shown; None: from
    the beginning."""

    text: str
    start: float | None


@dataclass(frozen=True)
class Recording:
    """The sound of a screen, with the times of its texts. media: its file, or None; end: None if
    unknown."""

    media: SegmentMedia | None
    start: float
    end: float | None
    texts: list[TimedText]


def recording_of(shown: Sequence[ItemOutput], media: Mapping[int, SegmentMedia]) -> Recording:
    """Return the recording of a screen. media: by segment. The first sound or video is the
    recording; other files are not played."""
    found = [media.get(row.output.segment_id) for row in shown]
    heard = [each for each in found if each and each.shape in SHAPES]
    first = heard[0] if heard else None
    stretches = [each for each in heard if first and each.file_id == first.file_id]
    texts = [
        TimedText(row.text, start_in(each) if each in stretches else None)
        for row, each in zip(shown, found, strict=True)
    ]
    if first is None:
        return Recording(None, 0.0, None, texts)
    ends = [each.end for each in stretches]
    known = [end for end in ends if end is not None]
    end = first.file.seconds if None in ends else max(known)
    return Recording(first, min(each.start or 0.0 for each in stretches), end, texts)


def start_in(media: SegmentMedia | None) -> float | None:
    """Return where a segment begins in its recording; None if it is the whole recording."""
    if media is None or (media.start is None and media.end is None):
        return None
    return media.start or 0.0


class CourseField(forms.CharField):
    """Lines of `course`; cleans to its presses."""

    def __init__(self, n_steps: int, recording: Recording):
        super().__init__(
            max_length=LONGEST,
            widget=forms.HiddenInput,  # no tutorial expects a course
            label=gettext_lazy("Rating of the recording"),
            error_messages={"required": gettext_lazy("Press a key while the recording plays.")},
        )
        self.n_steps, self.recording = n_steps, recording

    def clean(self, value) -> list[CoursePress]:
        text = super().clean(value)
        try:
            return read_course(text, self.n_steps, self.recording.start, self.recording.end)
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None


class ContinuousForm(ScreenForm):
    """`course` holds the presses. steps: their labels, from the worst."""

    own_player = True

    class Media:
        js = (forms.Script("js/protocols/continuous.js", type="module"),)

    def __init__(self, steps: Sequence[str], recording: Recording, **kwargs):
        super().__init__(**kwargs)
        self.recording = recording
        self.steps = [(number, _(words)) for number, words in enumerate(steps, 1)]
        self.fields["course"] = CourseField(len(steps), recording)

    @property
    def KEYS(self):
        """Keys with what they do, for the list of keys."""
        return (
            *(((str(number),), words) for number, words in self.steps),
            (("0",), gettext_lazy("cannot follow: nothing is rated until the next press")),
            ((gettext_lazy("Space"), "l"), gettext_lazy("play or pause")),
        )
