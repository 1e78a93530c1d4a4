"""Scores from the libraries themselves, used as documented, for comparison with ours. Run in the
environment of the neural metrics:

    python tests/metrics/neural/ask_libraries.py FOLDER < texts.json > scores.json
"""

import json
import os
import sys
from pathlib import Path

OUTPUT = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # the libraries print


def comet(folder: Path, samples: list[dict]) -> list[float]:
    from comet import load_from_checkpoint

    model = load_from_checkpoint(str(folder / "checkpoints" / "model.ckpt"))
    return list(model.predict(samples, batch_size=3, gpus=0, progress_bar=False).scores)


def spans(folder: Path, samples: list[dict]) -> list[list[dict]]:
    from comet import load_from_checkpoint

    model = load_from_checkpoint(str(folder / "checkpoints" / "model.ckpt"))
    found = model.predict(samples, batch_size=1, gpus=0, progress_bar=False)
    return [
        [{key: span[key] for key in ("text", "start", "end", "severity")} for span in each]
        for each in found.metadata.error_spans
    ]


def bertscore(folder: Path, hypotheses: list[str], references: list, **options) -> list[list]:
    import bert_score

    found = bert_score.score(
        hypotheses, references, model_type=str(folder), num_layers=2, batch_size=3, **options
    )
    return [values.tolist() for values in found]


def bleurt(folder: Path, hypotheses: list[str], references: list[str]) -> list[float]:
    import torch
    from bleurt_pytorch import BleurtConfig, BleurtForSequenceClassification, BleurtTokenizer

    config = BleurtConfig.from_pretrained(folder)
    model = BleurtForSequenceClassification.from_pretrained(folder, config=config)
    tokenizer = BleurtTokenizer.from_pretrained(folder)
    model.eval()
    with torch.no_grad():
        inputs = tokenizer(references, hypotheses, padding="longest", return_tensors="pt")
        return model(**inputs).logits.flatten().tolist()


def metricx(folder: Path, inputs: list[str]) -> list[float]:
    """Return scores by the forward pass of its authors' program, step by step, one text at a
    time."""
    import torch
    from transformers import MT5ForConditionalGeneration, T5TokenizerFast

    model = MT5ForConditionalGeneration.from_pretrained(folder).eval()
    tokenizer = T5TokenizerFast.from_pretrained(folder)
    scores = []
    for text in inputs:
        ids = torch.tensor([tokenizer(text)["input_ids"][:-1]])
        with torch.no_grad():
            hidden = model.encoder(input_ids=ids).last_hidden_state
            first = torch.LongTensor([[0]])
            out = model.decoder(input_ids=first, encoder_hidden_states=hidden).last_hidden_state
            scores.append(torch.clamp(model.lm_head(out)[0, 0, 250089], 0, 25).item())
    return scores


def main(folder: Path) -> None:
    texts = json.load(sys.stdin)
    sources, hypotheses, first, second = (
        texts[name] for name in ("sources", "hypotheses", "first", "second")
    )
    both = [list(pair) for pair in zip(first, second, strict=True)]
    samples = [{"src": s, "mt": h} for s, h in zip(sources, hypotheses, strict=True)]
    with_reference = [
        [{**sample, "ref": r} for sample, r in zip(samples, references, strict=True)]
        for references in (first, second)
    ]
    scores = {
        "comet": [comet(folder / "comet", each) for each in with_reference],
        "xcomet": comet(folder / "xcomet", with_reference[0]),
        "xcomet spans": spans(folder / "xcomet", with_reference[0]),
        "cometkiwi": comet(folder / "kiwi", samples),
        "bertscore": bertscore(folder / "bertscore", hypotheses, first),
        "bertscore of both": bertscore(folder / "bertscore", hypotheses, both),
        "bertscore idf": bertscore(folder / "bertscore", hypotheses, both, idf=True),
        "bleurt": [bleurt(folder / "bleurt", hypotheses, each) for each in (first, second)],
    }
    pairs = list(zip(sources, hypotheses, first, strict=True))
    scores["metricx"] = metricx(
        folder / "metricx", [f"source: {s} candidate: {h} reference: {r}" for s, h, r in pairs]
    )
    scores["metricx qe"] = metricx(
        folder / "metricx", [f"source: {s} candidate: {h}" for s, h, _ in pairs]
    )
    scores["metricx 23"] = metricx(
        folder / "metricx", [f"candidate: {h} reference: {r}" for _, h, r in pairs]
    )
    json.dump(scores, OUTPUT)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
