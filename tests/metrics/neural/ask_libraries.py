"""Scores from the libraries themselves, as their documentation shows their use: what the tests
compare ours with. Run in the environment of the neural metrics:

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
        "cometkiwi": comet(folder / "kiwi", samples),
        "bertscore": bertscore(folder / "bertscore", hypotheses, first),
        "bertscore of both": bertscore(folder / "bertscore", hypotheses, both),
        "bertscore idf": bertscore(folder / "bertscore", hypotheses, both, idf=True),
        "bleurt": [bleurt(folder / "bleurt", hypotheses, each) for each in (first, second)],
    }
    json.dump(scores, OUTPUT)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
