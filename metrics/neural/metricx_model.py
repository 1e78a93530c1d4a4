"""MetricX-23 and MetricX-24 (Juraska et al. 2023, 2024): an mT5 that predicts the weight of errors.

Its authors publish models and a program, but no package. The score is what the decoder's first step
says for the piece <extra_id_10>, within 0 and 25; the input is one text with its parts named, and
without the piece that ends a text.
"""

import os
from typing import Any

import torch
from transformers import AutoTokenizer, MT5ForConditionalGeneration

from metrics.neural.hub import HOW, METRICX_TOKENIZER, NoModel

PIECE = 250089  # <extra_id_10>
HIGHEST = 25.0
# How many pieces its authors read.
LONGEST_23, LONGEST = 1024, 1536


class MetricXModel:
    """``options``: ``references`` says whether the metric that asks gives references. A model whose
    name holds "metricx-23" is told the texts in that version's way."""

    def __init__(self, name: str, folder: str, options: dict[str, Any]) -> None:
        self.is_of_23 = "metricx-23" in name.lower()
        self.longest = LONGEST_23 if self.is_of_23 else LONGEST
        self.tokenizer = _tokenizer(name, folder)
        try:
            model, told = MT5ForConditionalGeneration.from_pretrained(
                folder, output_loading_info=True, local_files_only=True
            )
        except OSError as error:
            raise NoModel(
                f"{name} is not a model of MetricX: {str(error).splitlines()[0]}"
            ) from error
        # What is missing would be filled with random numbers, and score all the same.
        if told["missing_keys"] or model.config.vocab_size <= PIECE:
            raise NoModel(f"{name} is not a model of MetricX: it does not have all weights of one.")
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.model = model.to(self.device).eval()

    def prepare(self, references: list[str]) -> None:
        pass

    def scores(
        self, sources: list[str], hypotheses: list[str], references: list[str], batch_size: int
    ) -> list[float]:
        texts = [
            self._text(sources[i], hypotheses[i], references[i] if references else None)
            for i in range(len(hypotheses))
        ]
        found: list[float] = []
        for start in range(0, len(texts), batch_size):
            found += self._batch(texts[start : start + batch_size])
        return found

    def _text(self, source: str, hypothesis: str, reference: str | None) -> str:
        if self.is_of_23:
            other = f"source: {source}" if reference is None else f"reference: {reference}"
            return f"candidate: {hypothesis} {other}"
        read = f"source: {source} candidate: {hypothesis}"
        return read if reference is None else f"{read} reference: {reference}"

    def _batch(self, texts: list[str]) -> list[float]:
        cut = self.tokenizer(texts, max_length=self.longest, truncation=True)["input_ids"]
        padded = self.tokenizer.pad({"input_ids": [ids[:-1] for ids in cut]}, return_tensors="pt")
        first = torch.zeros((len(texts), 1), dtype=torch.long)
        with torch.inference_mode():
            told = self.model(
                input_ids=padded["input_ids"].to(self.device),
                attention_mask=padded["attention_mask"].to(self.device),
                decoder_input_ids=first.to(self.device),
            )
        return told.logits[:, 0, PIECE].float().clamp(0, HIGHEST).tolist()


def _tokenizer(name: str, folder: str) -> Any:
    """Return the model's own; the published ones come without, and use that of mT5."""
    has_own = any(
        os.path.exists(os.path.join(folder, file)) for file in ("spiece.model", "tokenizer.json")
    )
    try:
        place = folder if has_own else METRICX_TOKENIZER
        return AutoTokenizer.from_pretrained(place, local_files_only=True)
    except OSError as error:
        raise NoModel(
            f"The tokenizer that {name} uses, {METRICX_TOKENIZER}, is not on this machine; fetch "
            f"both with: {HOW} {name}"
        ) from error
