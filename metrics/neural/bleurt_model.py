"""BLEURT (Sellam et al. 2020; Pu et al. 2021), through the PyTorch port by L. Di Liello."""

import os
from typing import Any

import torch
from bleurt_pytorch import BleurtConfig, BleurtForSequenceClassification, BleurtTokenizer

from metrics.neural.hub import NoModel


class BLEURTModel:
    def __init__(self, name: str, folder: str, options: dict[str, Any]) -> None:
        if not os.path.isfile(os.path.join(folder, "config.json")):
            raise NoModel(f"{name} is not a model of BLEURT: it has no config.json.")
        try:
            configuration = BleurtConfig.from_pretrained(folder)
            self.tokenizer = BleurtTokenizer.from_pretrained(folder)
            model, loading = BleurtForSequenceClassification.from_pretrained(
                folder, output_loading_info=True
            )
        except OSError as error:
            raise NoModel(
                f"{name} is not a model of BLEURT for PyTorch: {str(error).splitlines()[0]}"
            ) from error
        # Missing weights would be filled with random numbers, and the model would score anyway.
        if loading["missing_keys"] or configuration.num_labels != 1:
            raise NoModel(f"{name} is not a model of BLEURT: it does not end in one number.")
        self.longest = configuration.max_position_embeddings
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.model = model.to(self.device).eval()

    def prepare(self, references: list[str]) -> None:
        pass

    def scores(
        self, sources: list[str], hypotheses: list[str], references: list[str], batch_size: int
    ) -> list[float]:
        found: list[float] = []
        for start in range(0, len(hypotheses), batch_size):
            batch = self.tokenizer(
                references[start : start + batch_size],
                hypotheses[start : start + batch_size],
                padding="longest",
                truncation="longest_first",
                max_length=self.longest,
                return_tensors="pt",
            ).to(self.device)
            with torch.inference_mode():
                found += self.model(**batch).logits.flatten().tolist()
        return found
