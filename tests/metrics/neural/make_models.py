"""Tiny models with random weights, created by the classes that load the real ones. Run in the
environment of the neural metrics:

    python tests/metrics/neural/make_models.py FOLDER

creates FOLDER/comet, kiwi, xcomet, bertscore, bleurt and metricx, and their parts.
"""

import random
import sys
from pathlib import Path

import torch
import yaml
from bleurt_pytorch import BleurtConfig, BleurtForSequenceClassification
from bleurt_pytorch.bleurt.tokenization_bleurt_sp import BleurtSPTokenizer
from comet.models import RegressionMetric, UnifiedMetric, XCOMETMetric
from sentencepiece import SentencePieceTrainer
from transformers import (
    BertConfig,
    BertModel,
    BertTokenizer,
    MT5Config,
    MT5ForConditionalGeneration,
    T5TokenizerFast,
    XLMRobertaConfig,
    XLMRobertaModel,
    XLMRobertaTokenizerFast,
)

SEED = 20
# Wide weights, so that different texts have clearly different scores.
SPREAD = 0.3
SIZES = {
    "hidden_size": 32,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "initializer_range": SPREAD,
}


def text_to_learn_from(folder: Path) -> Path:
    """Return generated sentences for training a sentencepiece model."""
    rng = random.Random(SEED)
    words = ["".join(rng.choices("abdeiklmnorstu", k=rng.randint(2, 7))) for _ in range(300)]
    lines = (" ".join(rng.choices(words, k=12)) for _ in range(400))
    file = folder / "text.txt"
    file.write_text("\n".join(lines) + "\nThe quick brown fox jumps over lazy dogs.\n")
    return file


def learn_pieces(folder: Path, name: str, **options: object) -> Path:
    SentencePieceTrainer.train(
        input=str(text_to_learn_from(folder)),
        model_prefix=str(folder / name),
        vocab_size=200,
        minloglevel=2,
        **options,
    )
    return folder / f"{name}.model"


def make_encoder(folder: Path) -> Path:
    """Return an XLM-R, on which COMET's checkpoints are based."""
    made = folder / "encoder"
    pieces = learn_pieces(folder, "sentencepiece.bpe")
    tokenizer = XLMRobertaTokenizerFast(str(pieces))
    tokenizer.save_pretrained(made)
    configuration = XLMRobertaConfig(
        vocab_size=len(tokenizer), max_position_embeddings=66, type_vocab_size=1, **SIZES
    )
    XLMRobertaModel(configuration).save_pretrained(made)
    return made


def make_comet(folder: Path, name: str, kind: type, identifier: str, **options: object) -> None:
    options |= {
        "encoder_model": "XLM-RoBERTa",
        "pretrained_model": str(folder / "encoder"),
        "hidden_sizes": [24],
        "layer_transformation": "sparsemax",
        "layer_norm": False,
    }
    model = kind(**options)
    with torch.no_grad():
        for parameter in model.estimator.parameters():
            parameter.normal_(std=SPREAD)
        if kind is XCOMETMetric:  # so wide that it marks errors of all severities
            model.hidden2tag.weight.normal_(std=2)
    checkpoint = folder / name / "checkpoints" / "model.ckpt"
    checkpoint.parent.mkdir(parents=True)
    torch.save(
        {
            "state_dict": model.state_dict(),
            "hyper_parameters": dict(model.hparams),
            "pytorch-lightning_version": "2.6.0",
        },
        checkpoint,
    )
    settings = {"class_identifier": identifier, **options}
    (folder / name / "hparams.yaml").write_text(yaml.safe_dump(settings))


def make_bertscore(folder: Path) -> None:
    made = folder / "bertscore"
    made.mkdir()
    letters = [*"abcdefghijklmnopqrstuvwxyz.,!?0123456789"]
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "dog", *letters]
    (made / "vocab.txt").write_text("\n".join([*pieces, *(f"##{each}" for each in letters)]))
    BertTokenizer(str(made / "vocab.txt")).save_pretrained(made)
    vocabulary = len(pieces) + len(letters)
    BertModel(
        BertConfig(vocab_size=vocabulary, max_position_embeddings=64, **SIZES)
    ).save_pretrained(made)


def make_bleurt(folder: Path) -> None:
    made = folder / "bleurt"
    pieces = learn_pieces(
        folder,
        "spm",
        pad_id=0, unk_id=1, bos_id=2, eos_id=3,
        pad_piece="[PAD]", unk_piece="[UNK]", bos_piece="[CLS]", eos_piece="[SEP]",
        user_defined_symbols=["[MASK]"],
    )  # fmt: skip
    BleurtSPTokenizer(str(pieces)).save_pretrained(made)
    configuration = BleurtConfig(
        vocab_size=220, embedding_size=16, max_position_embeddings=64, num_labels=1, **SIZES
    )
    BleurtForSequenceClassification(configuration).save_pretrained(made)


def make_metricx(folder: Path) -> None:
    made = folder / "metricx"
    pieces = learn_pieces(folder, "t5", pad_id=0, eos_id=1, unk_id=2, bos_id=-1)
    tokenizer = T5TokenizerFast(str(pieces), extra_ids=0)
    tokenizer.save_pretrained(made)
    configuration = MT5Config(
        vocab_size=250112, d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2,
        decoder_start_token_id=0, tie_word_embeddings=False,
    )  # fmt: skip
    model = MT5ForConditionalGeneration(configuration).eval()
    with torch.no_grad():
        for each in model.parameters():
            each.normal_(std=SPREAD) if each.dim() > 1 else each.fill_(1.0)
        # So that scores are within 0 and 25, where they are not clipped.
        first = torch.zeros((1, 1), dtype=torch.long)
        ids = torch.tensor([tokenizer("the quick brown fox")["input_ids"]])
        piece = model.lm_head.weight[250089]
        piece *= 10 / model(input_ids=ids, decoder_input_ids=first).logits[0, 0, 250089]
    model.save_pretrained(made)


def main(folder: Path) -> None:
    torch.manual_seed(SEED)
    folder.mkdir(parents=True, exist_ok=True)
    make_encoder(folder)
    make_comet(folder, "comet", RegressionMetric, "regression_metric")
    make_comet(
        folder, "kiwi", UnifiedMetric, "unified_metric",
        input_segments=["mt", "src"], sent_layer="mix", word_layer=2, word_level_training=False,
    )  # fmt: skip
    make_comet(
        folder, "xcomet", XCOMETMetric, "xcomet_metric",
        sent_layer="mix", word_layer=2, word_level_training=True,
    )  # fmt: skip
    make_bertscore(folder)
    make_bleurt(folder)
    make_metricx(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
