"""BERTScore, through the library of its authors (Zhang et al. 2020)."""

import os
from typing import Any

import torch
from bert_score import BERTScorer
from bert_score.utils import model2layers

from metrics.neural.hub import NoModel

VALUES = ("precision", "recall", "f1")


class BERTScoreModel:
    """``options``: ``layer`` (0: the one that the authors tuned), ``idf``, ``rescale``,
    ``language`` of the baseline, ``value``."""

    def __init__(self, name: str, folder: str, options: dict[str, Any]) -> None:
        known = _known_as(name)
        layer = int(options["layer"]) or model2layers.get(known, 0)
        if not layer:
            raise NoModel(
                f"BERTScore knows no best layer of {os.path.basename(name)}; choose one with "
                "the option layer."
            )
        self.value = VALUES.index(options["value"])
        self.idf = bool(options["idf"])
        try:
            self.scorer = BERTScorer(
                model_type=folder,
                num_layers=layer,
                idf=self.idf,
                nthreads=0,
                lang=options["language"],
                rescale_with_baseline=bool(options["rescale"]),
                baseline_path=_baseline(known, options) if options["rescale"] else None,
            )
        except AssertionError as error:  # how the library says that a layer does not exist
            raise NoModel(f"BERTScore refuses this choice: {error}") from None
        # The library finds the file of an explicit path to be custom; it is its own all the same.
        _limit_length(self.scorer)

    def prepare(self, references: list[str]) -> None:
        if self.idf:
            self.scorer._idf_dict = None
            self.scorer.compute_idf(references)

    def scores(
        self, sources: list[str], hypotheses: list[str], references: list[str], batch_size: int
    ) -> list[float]:
        with torch.inference_mode():
            found = self.scorer.score(hypotheses, references, batch_size=batch_size)
        return found[self.value].tolist()


def _known_as(name: str) -> str:
    """Return the library's name of a model, also where it is a folder of that name."""
    parts = name.rstrip("/").split("/")
    names = [name, "/".join(parts[-2:]), parts[-1]]
    return next((each for each in names if each in model2layers), name)


def _baseline(known: str, options: dict[str, Any]) -> str:
    import bert_score

    language = options["language"]
    folder = os.path.join(os.path.dirname(bert_score.__file__), "rescale_baseline")
    path = os.path.join(folder, language, f"{known}.tsv")
    if os.path.commonpath([os.path.realpath(path), os.path.realpath(folder)]) != os.path.realpath(
        folder
    ) or not os.path.isfile(path):
        raise NoModel(
            f"BERTScore publishes no baseline of {known} for the language {language!r}; score "
            "without the option rescale."
        )
    return path


def _limit_length(scorer: BERTScorer) -> None:
    """Texts are cut where the model ends; some tokenizers do not know where that is."""
    configuration = scorer._model.config
    longest = getattr(configuration, "max_position_embeddings", 512)
    if configuration.model_type in ("roberta", "xlm-roberta", "camembert"):
        longest -= configuration.pad_token_id + 1  # their positions begin behind that of padding
    tokenizer = scorer._tokenizer
    tokenizer.model_max_length = min(tokenizer.model_max_length, longest)
