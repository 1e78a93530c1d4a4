"""Neural metrics, from COMET to MetricX, computed by ``metrics.neural`` in another environment."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from metrics.neural import environment, folders, process

from .base import Floats, MeanScorer, Stream, check_integer, yes_no

_HUB_NAME = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?")


@dataclass(kw_only=True)
class Neural(MeanScorer):
    """A metric that is a model. ``model`` is the name of a folder below the folder of models, the
    path of such a folder, or a name on the model hub."""

    model: str = ""
    batch_size: int = 8

    family: ClassVar[str] = "Neural"
    in_label: ClassVar[tuple[str, ...]] = ("model",)
    higher_is_better: ClassVar[bool] = True
    score_range: ClassVar[tuple[float, float]] = (-np.inf, np.inf)
    package: ClassVar[str]
    """Whose figures it gives."""
    default_model: ClassVar[str] = ""
    downloads: ClassVar[tuple[str, ...]]
    """The models that anybody may have fetched from the hub; an operator can allow more."""
    of_references: ClassVar[str] = ""
    """What is taken of the scores with several references, "mean" or "max"."""

    def __post_init__(self) -> None:
        self.model = self.model.strip()
        check_integer("batch_size", self.batch_size, 1)
        if self.batch_size > 1024:
            raise ValueError("batch_size must be at most 1024.")
        if "|" in self.model or len(self.model) > 300:
            raise ValueError("model must be a name or a path of at most 300 characters without |.")

    @classmethod
    def unavailable(cls) -> str:
        """Nothing where another machine may compute it: that one says what it lacks."""
        return "" if environment.is_elsewhere() else environment.unavailable()

    @property
    def model_name(self) -> str:
        """The model in force."""
        return self.model or self.default_model

    @property
    def label(self) -> str:
        short = self.model_name.rstrip("/").split("/")[-1]
        return f"{self.name} ({short})" if self.model_name != self.default_model else self.name

    def _values(
        self, hypotheses: Sequence[str], references: Sequence[Stream], sources: Sequence[str]
    ) -> Floats:
        if why := environment.unavailable():
            raise ValueError(why)
        request, places = self._request(hypotheses, references, sources)
        found = process.shared_answer(request)
        # What is wrong in one output differs by reference; no one knows how to join such marks.
        self._marks = found.spans if len(places) == len(hypotheses) else None
        scores = np.array(found.scores, dtype=np.float64)
        return self._of_pairs(scores, places, len(hypotheses))

    @property
    def marks(self) -> list[list[dict[str, Any]]] | None:
        """The errors that were marked in each of the outputs scored last; None of a model that
        marks none, and with several references."""
        return getattr(self, "_marks", None)

    def _request(
        self, hypotheses: Sequence[str], references: Sequence[Stream], sources: Sequence[str]
    ) -> tuple[dict[str, Any], list[int]]:
        """Return what is asked, one entry for each output and reference; the segment of each
        entry."""
        if self.needs_references:
            pairs = [
                (i, text)
                for stream in references
                for i, text in enumerate(stream)
                if text is not None
            ]
        else:
            pairs = [(i, "") for i in range(len(hypotheses))]
        places = [i for i, _ in pairs]
        folder = folders.local_model(self.model_name)
        if not folder and not _HUB_NAME.fullmatch(self.model_name):
            raise ValueError(folders.not_a_model(self.model_name))
        request = {
            "metric": self.slug,
            "model": str(folder or self.model_name),
            "name": self.model_name,
            "download": folders.may_download(self.model_name, self.downloads),
            "options": self._model_options(),
            "batch_size": self.batch_size,
            "hypotheses": [hypotheses[i] for i in places],
            "sources": [sources[i] for i in places] if self.needs_sources else [],
            "references": [text for _, text in pairs] if self.needs_references else [],
        }
        return request, places

    def _of_pairs(self, scores: Floats, places: list[int], n_segments: int) -> Floats:
        if self.of_references == "max":
            values = np.full(n_segments, -np.inf)
            with np.errstate(invalid="ignore"):  # the best of an undefined score is undefined
                np.maximum.at(values, places, scores)
            return values
        return np.bincount(places, scores, n_segments) / np.bincount(places, minlength=n_segments)

    def _model_options(self) -> dict[str, Any]:
        """Return what the model has to be loaded with."""
        return {}

    def as_told_to_kits(self) -> dict[str, Any]:
        """Return what a program elsewhere has to know to score with this metric
        (metrics.neural.kit)."""
        return {
            "slug": self.slug,
            "name": self.label,
            "model": self.model_name,
            "package": self.package,
            "needs_sources": self.needs_sources,
            "of_references": self.of_references,
            "higher_is_better": self.higher_is_better,
            "options": self._model_options(),
        }

    def _signature_fields(self, level: str) -> dict[str, object]:
        folder = folders.local_model(self.model_name)
        name = self.model_name
        if folder:
            name = f"{folder.name}@{folders.digest(folder)}"
        fields: dict[str, object] = {"refs": self.of_references} if self.of_references else {}
        # A drive letter or a port would be read as a field of its own.
        fields |= {"model": name.replace(":", "_"), **self._own_fields()}
        return fields | {"lib": f"{self.package}-{environment.version_of(self.package)}"}

    def _own_fields(self) -> dict[str, object]:
        return {}


@dataclass(kw_only=True)
class OfUnbabel(Neural):
    """The models of unbabel-comet, with a reference or without."""

    needs_sources: ClassVar[bool] = True
    package: ClassVar[str] = "unbabel-comet"

    def _model_options(self) -> dict[str, Any]:
        return {"references": self.needs_references}


@dataclass(kw_only=True)
class COMET(OfUnbabel):
    """Rei, Stewart, Farinha and Lavie 2020; the default model is of Rei et al. 2022.

    With several references, the mean of the scores with each of them, which Rei et al. 2020
    (WMT, section 10.4) found to be as good as any other way.
    """

    slug: ClassVar[str] = "comet"
    name: ClassVar[str] = "COMET"
    description: ClassVar[str] = (
        "A model trained on human ratings reads source, output and reference."
    )
    default_model: ClassVar[str] = "Unbabel/wmt22-comet-da"
    downloads: ClassVar[tuple[str, ...]] = (
        "Unbabel/wmt22-comet-da",
        "Unbabel/wmt20-comet-da",
        "Unbabel/eamt22-cometinho-da",
        "Unbabel/XCOMET-XL",
        "Unbabel/XCOMET-XXL",
    )
    of_references: ClassVar[str] = "mean"


@dataclass(kw_only=True)
class CometKiwi(OfUnbabel):
    """Rei et al. 2022 (CometKiwi, quality estimation shared task)."""

    slug: ClassVar[str] = "cometkiwi"
    name: ClassVar[str] = "CometKiwi"
    description: ClassVar[str] = (
        "A model trained on human ratings reads source and output, without a reference."
    )
    needs_references: ClassVar[bool] = False
    default_model: ClassVar[str] = "Unbabel/wmt22-cometkiwi-da"
    downloads: ClassVar[tuple[str, ...]] = (
        "Unbabel/wmt22-cometkiwi-da",
        "Unbabel/wmt23-cometkiwi-da-xl",
        "Unbabel/wmt23-cometkiwi-da-xxl",
        "Unbabel/wmt20-comet-qe-da",
    )


@dataclass(kw_only=True)
class BERTScore(Neural):
    """Zhang, Kishore, Wu, Weinberger and Artzi 2020. With several references, the best."""

    language: str = "en"
    layer: int = 0
    idf: bool = False
    rescale: bool = False
    value: str = "f1"

    slug: ClassVar[str] = "bertscore"
    name: ClassVar[str] = "BERTScore"
    description: ClassVar[str] = (
        "Matches the words of output and reference by the likeness of their vectors in a "
        "language model."
    )
    package: ClassVar[str] = "bert-score"
    option_values: ClassVar[dict[str, tuple[str, ...]]] = {"value": ("f1", "precision", "recall")}
    by_language: ClassVar[dict[str, str]] = {
        "en": "roberta-large",
        "zh": "bert-base-chinese",
        "tr": "dbmdz/bert-base-turkish-cased",
    }
    downloads: ClassVar[tuple[str, ...]] = (
        "roberta-large",
        "bert-base-chinese",
        "dbmdz/bert-base-turkish-cased",
        "bert-base-multilingual-cased",
        "xlm-roberta-large",
        "microsoft/deberta-xlarge-mnli",
    )
    of_references: ClassVar[str] = "max"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_integer("layer", self.layer, 0)
        if self.value not in self.option_values["value"]:
            raise ValueError(f"value must be f1, precision or recall, not {self.value!r}.")
        if not re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z]+)*", self.language):
            raise ValueError(f"language must be a tag such as 'en', not {self.language!r}.")

    @property
    def model_name(self) -> str:
        language = self.language.lower().split("-")[0]
        return self.model or self.by_language.get(language, "bert-base-multilingual-cased")

    @property
    def label(self) -> str:
        short = self.model_name.rstrip("/").split("/")[-1]
        return f"{self.name} ({short})" if self.model else self.name

    def _model_options(self) -> dict[str, Any]:
        return {
            "language": self.language.lower().split("-")[0],
            "layer": self.layer,
            "idf": self.idf,
            "rescale": self.rescale,
            "value": self.value,
        }

    def _own_fields(self) -> dict[str, object]:
        rescaled = self.language.lower().split("-")[0] if self.rescale else yes_no(False)
        return {
            "layer": self.layer or "tuned",
            "idf": yes_no(self.idf),
            "rescale": rescaled,
            "value": self.value,
        }


@dataclass(kw_only=True)
class BLEURT(Neural):
    """Sellam, Das and Parikh 2020; the default model is of Pu et al. 2021.

    Its authors say nothing of several references; the mean is taken, as for COMET.
    """

    slug: ClassVar[str] = "bleurt"
    name: ClassVar[str] = "BLEURT"
    description: ClassVar[str] = "A model trained on human ratings reads output and reference."
    package: ClassVar[str] = "bleurt-pytorch"
    default_model: ClassVar[str] = "lucadiliello/BLEURT-20"
    downloads: ClassVar[tuple[str, ...]] = (
        "lucadiliello/BLEURT-20",
        "lucadiliello/BLEURT-20-D12",
        "lucadiliello/BLEURT-20-D6",
        "lucadiliello/BLEURT-20-D3",
    )
    of_references: ClassVar[str] = "mean"


@dataclass(kw_only=True)
class MetricX(Neural):
    """Juraska et al. 2023 and 2024. With several references, the mean, as for COMET."""

    slug: ClassVar[str] = "metricx"
    name: ClassVar[str] = "MetricX"
    description: ClassVar[str] = (
        "A model trained on people's marks of errors reads source, output and reference."
    )
    higher_is_better: ClassVar[bool] = False
    score_range: ClassVar[tuple[float, float]] = (0.0, 25.0)
    needs_sources: ClassVar[bool] = True
    package: ClassVar[str] = "transformers"
    default_model: ClassVar[str] = "google/metricx-24-hybrid-large-v2p6"
    downloads: ClassVar[tuple[str, ...]] = (
        "google/metricx-24-hybrid-large-v2p6",
        "google/metricx-24-hybrid-xl-v2p6",
        "google/metricx-24-hybrid-xxl-v2p6",
        "google/metricx-23-large-v2p0",
        "google/metricx-23-xl-v2p0",
        "google/metricx-23-xxl-v2p0",
    )
    of_references: ClassVar[str] = "mean"

    def _model_options(self) -> dict[str, Any]:
        return {"references": self.needs_references}


@dataclass(kw_only=True)
class MetricXQE(MetricX):
    """The same without a reference; the models of 2024 do both."""

    slug: ClassVar[str] = "metricx_qe"
    name: ClassVar[str] = "MetricX-QE"
    description: ClassVar[str] = (
        "A model trained on people's marks of errors reads source and output, without a reference."
    )
    needs_references: ClassVar[bool] = False
    downloads: ClassVar[tuple[str, ...]] = (
        "google/metricx-24-hybrid-large-v2p6",
        "google/metricx-24-hybrid-xl-v2p6",
        "google/metricx-24-hybrid-xxl-v2p6",
        "google/metricx-23-qe-large-v2p0",
        "google/metricx-23-qe-xl-v2p0",
        "google/metricx-23-qe-xxl-v2p0",
    )
    of_references: ClassVar[str] = ""
