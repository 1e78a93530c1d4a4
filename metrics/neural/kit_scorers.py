"""What a kit scores with: a neural metric of the site, or a function of somebody's own."""

import argparse
import hashlib
import importlib
import inspect
import math
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Protocol

from metrics.neural import folders, hub
from metrics.neural.kit_texts import KitProblem, KitTexts, ReadRow

Spans = list[dict[str, Any]]


@dataclass(frozen=True)
class Scored:
    """A score, None where there is none, and the errors that were marked; None: nobody looked."""

    score: float | None
    spans: Spans | None = None


class ScorerOfKit(Protocol):
    """`references`: the names of those it reads, none for a metric without."""

    name: str
    references: list[str]

    def about(self) -> dict[str, Any]:
        """Return what the first line of the file of scores says of it."""

    def scored(self, rows: Sequence[ReadRow]) -> list[Scored]: ...


def scorer_of(asked: argparse.Namespace, texts: KitTexts) -> ScorerOfKit:
    """Return the scorer that was asked for. Raise KitProblem, or NoModel for a model that cannot
    be had.

    Nothing is loaded yet but the module of a callable.
    """
    known = texts.about["references"]
    if unknown := sorted(set(asked.reference) - set(known)):
        raise KitProblem(
            f"There is no reference {unknown[0]!r}; there is: {', '.join(known) or '-'}."
        )
    if asked.callable:
        return OwnFunction(asked.callable, asked, sorted(set(asked.reference)))
    kinds = texts.about["metrics"]
    if asked.metric not in kinds:
        raise KitProblem(f"There is no metric {asked.metric!r}; there is: {', '.join(kinds)}.")
    kind = kinds[asked.metric]
    references = sorted(set(asked.reference) or known) if kind["of_references"] else []
    if kind["of_references"] and not references:
        raise KitProblem(f"{kind['name']} reads references, and the test set has none.")
    return NeuralMetric(kind, asked, references)


class NeuralMetric:
    """A metric of the site, by the classes that load it there."""

    def __init__(
        self, kind: dict[str, Any], asked: argparse.Namespace, references: list[str]
    ) -> None:
        from metrics.neural.models import Models

        self.kind, self.references = kind, references
        self.batch_size = asked.batch_size
        self.model = asked.model or kind["model"]
        is_default = self.model == kind["model"]
        short = self.model.rstrip("/").split("/")[-1]
        self.name = asked.name or (kind["name"] if is_default else f"{kind['name']} ({short})")
        self.options = kind["options"] | options_of(asked.option, kind["options"])
        if os.path.isdir(self.model):
            folder = self.model = os.path.abspath(self.model)
            self.told, self.revision = short, folders.digest(Path(folder))
        else:
            folder = self._fetched()
            # The hub's library keeps each state of a model in a folder of the commit's name.
            self.told, self.revision = self.model, Path(folder).name[:12]
        self.models = Models()

    def _fetched(self) -> str:
        try:
            return hub.find(self.model, may_download=False, waiting=lambda: None)
        except hub.NoModel:
            print(f"Fetching {self.model}.", file=sys.stderr)
            return hub.download(self.model)

    def about(self) -> dict[str, Any]:
        package = self.kind["package"]
        try:
            library = f"{package}-{version(package)}"
        except PackageNotFoundError:
            raise KitProblem(
                f"{package} is not installed: pip install -r requirements-neural.txt"
            ) from None
        fields = [f"refs:{self.kind['of_references']}"] if self.references else []
        fields += [f"model:{self.told.replace(':', '_')}@{self.revision}"]
        shown = {name: value for name, value in self.options.items() if name != "references"}
        fields += [f"{name}:{value}" for name, value in sorted(shown.items())]
        return {
            "metric": self.name,
            "higher_is_better": self.kind["higher_is_better"],
            "references": self.references,
            "model": self.told,
            "revision": self.revision,
            "signature": "|".join([*fields, f"lib:{library}"]),
        }

    def scored(self, rows: Sequence[ReadRow]) -> list[Scored]:
        reads = [(i, text) for i, row in enumerate(rows) for text in row.references]
        if not self.references:
            reads = [(i, "") for i in range(len(rows))]
        places = [i for i, _ in reads]
        request = {
            "metric": self.kind["slug"],
            "model": self.model,
            "name": self.told,
            "options": self.options,
            "batch_size": self.batch_size,
            "hypotheses": [rows[i].output for i in places],
            "sources": [rows[i].source for i in places] if self.kind["needs_sources"] else [],
            "references": [text for _, text in reads] if self.references else [],
        }
        found, spans = self.models.marked(request, told)
        print(file=sys.stderr)
        scores: list[list[float]] = [[] for _ in rows]
        for place, score in zip(places, found, strict=True):
            scores[place].append(score)
        # What is wrong in one output differs by reference; no one knows how to join such marks.
        marked: Sequence[Spans | None] = [None] * len(rows)
        if spans is not None and len(places) == len(rows):
            marked = spans
        joined = [joined_score(each, self.kind["of_references"]) for each in scores]
        return [Scored(score, mark) for score, mark in zip(joined, marked, strict=True)]


def joined_score(scores: list[float], of_references: str) -> float | None:
    """Return one score of those with each reference, as the site takes it; None for one without
    value."""
    score = max(scores) if of_references == "max" else math.fsum(scores) / len(scores)
    return score if math.isfinite(score) and all(map(math.isfinite, scores)) else None


def told(done: int, total: int) -> None:
    print(f"\r{done:,} of {total:,}", end="", file=sys.stderr, flush=True)


def options_of(asked: Sequence[str], known: dict[str, Any]) -> dict[str, Any]:
    """`layer=2` → {"layer": 2}, with the types of the options that there are."""
    found: dict[str, Any] = {}
    for each in asked:
        name, _, value = each.partition("=")
        if name not in known or name == "references":
            there = ", ".join(sorted(set(known) - {"references"})) or "none"
            raise KitProblem(f"There is no option {name!r}; there is: {there}.")
        kind = type(known[name])
        try:
            found[name] = value in ("1", "true", "yes") if kind is bool else kind(value)
        except ValueError:
            raise KitProblem(f"{each!r}: {value!r} is not a number.") from None
    return found


class OwnFunction:
    """A function that scores, named as MODULE:FUNCTION, in a module that Python finds."""

    def __init__(self, path: str, asked: argparse.Namespace, references: list[str]) -> None:
        module, colon, name = path.partition(":")
        if not colon:
            raise KitProblem(f"{path!r} is not MODULE:FUNCTION, such as my_metric:score.")
        try:
            self.function: Callable[..., Any] = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError) as error:
            raise KitProblem(f"{path} cannot be used: {error}") from error
        self.name = asked.name or name
        self.path, self.references = f"{module}.{name}", references
        self.model, self.higher_is_better = asked.model, not asked.lower_is_better
        self.revision = code_digest(module)

    def about(self) -> dict[str, Any]:
        fields = [f"callable:{self.path}@{self.revision}"]
        fields += [f"model:{self.model.replace(':', '_')}"] if self.model else []
        return {
            "metric": self.name,
            "higher_is_better": self.higher_is_better,
            "references": self.references,
            "model": self.model or self.path,
            "revision": self.revision,
            "signature": "|".join(fields),
        }

    def scored(self, rows: Sequence[ReadRow]) -> list[Scored]:
        found = self.function(
            [row.source for row in rows],
            [row.output for row in rows],
            [row.references for row in rows],
        )
        found = list(found)
        if len(found) != len(rows):
            raise KitProblem(f"{self.path} gave {len(found):,} scores for {len(rows):,} outputs.")
        return [self._one(each) for each in found]

    def _one(self, given: Any) -> Scored:
        spans = None
        if isinstance(given, dict):
            spans, given = given.get("spans"), given.get("score")
        if given is None:
            return Scored(None, spans)
        try:
            score = float(given)
        except (TypeError, ValueError):
            raise KitProblem(f"{self.path} gave {given!r}, which is not a number.") from None
        return Scored(score if math.isfinite(score) else None, spans)


def code_digest(module: str) -> str:
    """Return twelve digits of the SHA-256 of a module's file; "none" for one without."""
    try:
        file = inspect.getsourcefile(importlib.import_module(module))
    except TypeError:
        return "none"
    if not file or not os.path.isfile(file):
        return "none"
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:12]
