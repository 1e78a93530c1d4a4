"""COMET and CometKiwi, through Unbabel's library (Rei et al. 2020, 2022)."""

import logging
import warnings
from pathlib import Path
from typing import Any

import torch
from comet import load_from_checkpoint

from metrics.neural.hub import COMET_CHECKPOINT, HOW, NoModel

# One line a batch about devices that are not there.
logging.getLogger("pytorch_lightning.utilities.rank_zero").setLevel(logging.ERROR)
warnings.filterwarnings("ignore", message=".*num_workers.*")


class CometModel:
    """``options``: ``references`` says whether the metric that asks gives references."""

    def __init__(self, name: str, folder: str, options: dict[str, Any]) -> None:
        file = Path(folder) / COMET_CHECKPOINT
        if not file.exists():
            raise NoModel(f"{name} is not a model of COMET: it has no {COMET_CHECKPOINT}.")
        try:
            self.model = load_from_checkpoint(str(file), local_files_only=True)
        except OSError as error:
            # It holds the weights of its encoder, but not the tokenizer.
            raise NoModel(
                f"The tokenizer that {name} uses is not on this machine; fetch it with: "
                f"{HOW} {name} ({str(error).splitlines()[0]})"
            ) from error
        self.model.eval()
        needs = self.model.requires_references()
        if needs and not options["references"]:
            raise NoModel(f"{name} needs references; use it with the metric COMET.")
        if options["references"] and not needs and not _unified(self.model):
            raise NoModel(f"{name} reads no references; use it with the metric CometKiwi.")
        self.gpus = int(torch.cuda.is_available())
        # Of the last batch; None of models that mark no errors.
        self.spans: list[list[dict[str, Any]]] | None = None

    def prepare(self, references: list[str]) -> None:
        pass

    def scores(
        self, sources: list[str], hypotheses: list[str], references: list[str], batch_size: int
    ) -> list[float]:
        samples = [{"src": s, "mt": h} for s, h in zip(sources, hypotheses, strict=True)]
        for sample, reference in zip(samples, references, strict=False):
            sample["ref"] = reference
        predicted = self.model.predict(
            samples, batch_size=batch_size, gpus=self.gpus, progress_bar=False, num_workers=0
        )
        self.spans = _spans(predicted)
        return [float(score) for score in predicted.scores]


def _spans(predicted: Any) -> list[list[dict[str, Any]]] | None:
    """Return the errors that xCOMET marks: characters of the output from `start` to before
    `end`."""
    found = getattr(getattr(predicted, "metadata", None), "error_spans", None)
    if found is None:
        return None
    return [
        [
            {
                "start": int(span["start"]),
                "end": int(span["end"]),
                "severity": str(span["severity"]),
                "confidence": round(float(span["confidence"]), 4),
            }
            for span in spans
            if span["end"] > span["start"]  # the others are of signs that no text has
        ]
        for spans in found
    ]


def _unified(model: Any) -> bool:
    """Return models such as xCOMET score with references and without."""
    return "ref" in getattr(model.hparams, "input_segments", ())
