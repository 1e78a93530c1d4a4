"""Continuous rating of simultaneous speech translation: keys that are pressed while a recording
plays and its translation appears, each with its moment. `presets` names the source.
"""

from dataclasses import replace
from itertools import starmap

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from judgments.models import SegmentMedia
from judgments.models.new_observations import Observations, Pressed

from ..base import Dimension
from ..contract import CHECKS, SCORED_PAGES, Protocol
from ..tables import RATINGS
from .course import CoursePress, by_press, by_time, write_course
from .form import SHAPES, ContinuousForm, Recording, recording_of
from .options import SCALE_STEPS, WHAT_IS_HEARD, ContinuousOptions
from .presets import BY_PRESS, BY_TIME, PRESETS, scale_of

WHOLE_DOCUMENT = "whole document"


class ContinuousRating(Protocol):
    slug = "continuous"
    name = "Continuous rating"
    template = "judgments/protocols/continuous.html"
    kinds = ("ratings", "presses")
    asks_models = False
    presets = PRESETS
    reads = ContinuousOptions
    table = RATINGS
    pages = SCORED_PAGES
    design_note = "judgments/protocols/continuous_design.html"
    # The same words may come at other times.
    shows_twins = True

    options: ContinuousOptions

    @classmethod
    def option_fields(cls, preset):
        return WHAT_IS_HEARD, SCALE_STEPS

    @classmethod
    def problems(cls, preset, options, test_set):
        """Return a document of several files has no one recording."""
        if cls.reads.read(options).unit != WHOLE_DOCUMENT or not test_set.has_media:
            return {}
        heard = Q(
            *[("segments__media__file__kind__startswith", shape) for shape in SHAPES],
            _connector="OR",
        )
        n_files = Count("segments__media__file", filter=heard, distinct=True)
        mixed = test_set.documents.annotate(n_files=n_files).filter(n_files__gt=1).first()
        if not mixed:
            return {}
        return {"unit": f"Segments of the document “{mixed.name}” are of several files."}

    def dimensions(self) -> tuple[Dimension, ...]:
        scale = scale_of(tuple(_(words) for words in self.options.steps))
        return tuple(
            replace(each, name=_(each.name), question=_(each.question), scale=scale)
            for each in (BY_TIME, BY_PRESS)
        )

    def gives_source(self, item) -> bool:
        return True  # it is heard

    def answers_on(self, n_outputs: int) -> int:
        return len(self.dimensions())

    def no_controls(self) -> dict[str, str]:
        reason = "One altered segment hardly changes the rating of a recording."
        return super().no_controls() | dict.fromkeys(("degraded", *CHECKS), reason)

    def recording(self, shown) -> Recording:
        media: dict[int, SegmentMedia] = {}
        if self.given is None and self.campaign.test_set.has_media:
            rows = SegmentMedia.objects.select_related("file")
            media = rows.in_bulk({row.output.segment_id for row in shown})
        return recording_of(shown, media)

    def form(self, item, shown, data=None, initial=None) -> ContinuousForm:
        recording = self.recording(shown)
        return ContinuousForm(self.options.steps, recording, data=data, initial=initial)

    def observations(self, item, shown, cleaned) -> Observations:
        """Return all is said of the first output: results read recordings as they read segments."""
        output, course = shown[0].output_id, cleaned["course"]
        means = ((BY_TIME, by_time(course)), (BY_PRESS, by_press(course)))
        return Observations(
            ratings=tuple((output, each.slug, round(mean, 3)) for each, mean in means),
            presses=tuple(Pressed(output, *press) for press in course),
        )

    def initial(self, item, shown, judgment) -> dict:
        rows = sorted((row.at_ms, row.value, row.clock_ms) for row in judgment.presses.all())
        return {"course": write_course(list(starmap(CoursePress, rows)))}
