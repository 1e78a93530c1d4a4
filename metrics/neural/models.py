"""The models that the worker keeps loaded, by metric, name and options."""

import os
import sys
from collections import OrderedDict
from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol

from metrics.neural import hub

Progress = Callable[[int, int], object]

KEPT = 2
"""How many models stay loaded, the latest used. MTEVAL_NEURAL_KEEP."""
BATCHES_BETWEEN_REPORTS = 4


class Model(Protocol):
    """A loaded model. ``sources`` and ``references`` are as long as ``hypotheses``, or empty where
    the metric does not read them."""

    def prepare(self, references: list[str]) -> None:
        """Told all references before the first batch."""

    def scores(
        self, sources: list[str], hypotheses: list[str], references: list[str], batch_size: int
    ) -> list[float]: ...


Spans = list[dict[str, Any]]
"""The errors that a model marks in one output: start and end in characters, severity."""


class Models:
    def __init__(self) -> None:
        self.kept: OrderedDict[tuple, Model] = OrderedDict()
        self.most = int(os.environ.get("MTEVAL_NEURAL_KEEP") or KEPT)

    def marked(
        self, request: dict[str, Any], progress: Progress
    ) -> tuple[list[float], list[Spans] | None]:
        """Return the scores of a request's segments, and the errors that the model marks in each;
        None of a model that marks none. Raises hub.NoModel and others."""
        hypotheses, sources, references = (
            _texts(request, field) for field in ("hypotheses", "sources", "references")
        )
        for texts in (sources, references):
            if texts and len(texts) != len(hypotheses):
                raise hub.NoModel("A request holds as many sources and references as hypotheses.")
        model = self._model(request, lambda: progress(0, len(hypotheses)))
        model.prepare(references)
        size = max(1, int(request.get("batch_size", 8)))
        # Texts of like length together: less padding, and no word hangs on the order of the texts.
        order = sorted(
            range(len(hypotheses)),
            key=lambda i: sum(
                len(texts[i]) for texts in (hypotheses, sources, references) if texts
            ),
            reverse=True,
        )
        found = [float("nan")] * len(order)
        spans: dict[int, Spans] = {}
        step = size * BATCHES_BETWEEN_REPORTS
        for start in range(0, len(order), step):
            places = order[start : start + step]
            batch = (
                _picked(sources, places),
                _picked(hypotheses, places),
                _picked(references, places),
            )
            for place, score in zip(places, model.scores(*batch, size), strict=True):
                found[place] = score
            spans |= zip(places, getattr(model, "spans", None) or (), strict=False)
            progress(min(start + step, len(order)), len(order))
        marks = [spans[i] for i in range(len(order))] if len(spans) == len(order) else None
        return found, marks if order else None

    def _model(self, request: dict[str, Any], waiting: Callable[[], object]) -> Model:
        metric, name = str(request.get("metric")), str(request.get("model"))
        options = dict(request.get("options") or {})
        key = (metric, name, *sorted(options.items()))
        if key not in self.kept:
            if metric not in CLASSES:
                raise hub.NoModel(f"Unknown neural metric {metric!r}.")
            folder = hub.find(name, may_download=bool(request.get("download")), waiting=waiting)
            print(f"Loading {name} for {metric}.", file=sys.stderr)
            while len(self.kept) >= self.most and self.kept:
                self.kept.popitem(last=False)
            self.kept[key] = load(metric, name, folder, options)
        self.kept.move_to_end(key)
        return self.kept[key]


def _picked(texts: list[str], places: list[int]) -> list[str]:
    return [texts[i] for i in places] if texts else []


def _texts(request: dict[str, Any], field: str) -> list[str]:
    texts = request.get(field) or []
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise hub.NoModel(f"{field} of a request must be a list of texts.")
    return texts


# Module and class of each metric; a module imports its library, which only its own models need.
CLASSES = {
    "comet": "comet_model.CometModel",
    "cometkiwi": "comet_model.CometModel",
    "bertscore": "bertscore_model.BERTScoreModel",
    "bleurt": "bleurt_model.BLEURTModel",
    "metricx": "metricx_model.MetricXModel",
    "metricx_qe": "metricx_model.MetricXModel",
}


def load(metric: str, name: str, folder: str, options: dict[str, Any]) -> Model:
    module, kind = CLASSES[metric].split(".")
    return getattr(import_module(f"metrics.neural.{module}"), kind)(name, folder, options)
