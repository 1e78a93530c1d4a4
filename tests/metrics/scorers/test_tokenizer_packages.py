"""Tokenizers with their own dictionaries or models: the same as sacreBLEU's, and the messages if
something is missing."""

import io
from concurrent.futures import ThreadPoolExecutor

import pytest
import sentencepiece
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU
from sacrebleu.metrics.bleu import _get_tokenizer
from sacrebleu.tokenizers import tokenizer_spm

from metrics.scorers import get_scorer, tokenizers
from metrics.scorers.tokenizers import get_tokenizer, unusable
from tests.shared import read_tsv, shared_data

from .oracle import agree
from .texts import corpora, sentences

pytestmark = pytest.mark.slow

FLORES = ["flores101", "flores200"]
NAMES = ["ja-mecab", "ko-mecab", *FLORES]


def model_path(folder, name):
    return folder / "models" / tokenizer_spm.SPM_MODELS[name]["url"].rpartition("/")[2]


@pytest.fixture(scope="module")
def tiny_models(tmp_path_factory):
    """A folder of sacreBLEU with two small models, trained here, instead of the real ones."""
    folder = tmp_path_factory.mktemp("sacrebleu")
    (folder / "models").mkdir()
    lines = ["the cat sat on the mat", "a dog saw the cats", "猫が座った", "кошка сидела"] * 20
    for name, size in zip(FLORES, (60, 70), strict=True):
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(lines),
            model_writer=model,
            vocab_size=size,
            model_type="bpe",
            minloglevel=2,
        )
        model_path(folder, name).write_bytes(model.getvalue())
    return folder


@pytest.fixture
def models(tiny_models, monkeypatch):
    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(tiny_models))
    return tiny_models


@pytest.mark.parametrize("name", NAMES)
@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(texts=st.lists(sentences(), min_size=1, max_size=4))
def test_tokens_are_sacrebleus(models, name, texts):
    oracle = _get_tokenizer(name)()
    expected = [oracle(text.rstrip()).split() for text in texts]
    encoder = get_tokenizer(name).encoder
    assert [encoder.tokens(text) for text in texts] == expected
    encoded = encoder.encode(texts)
    assert encoded.lengths.tolist() == [len(tokens) for tokens in expected]
    words = encoder.vocabulary()
    flat = [token for tokens in expected for token in [*tokens, ""]]
    assert [words[i] for i in encoded.ids.tolist()] == flat


@pytest.mark.parametrize("name", NAMES)
@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(texts=corpora())
def test_bleu_is_sacrebleus(models, name, texts):
    agree(get_scorer("bleu", tokenize=name), BLEU(tokenize=name), *texts)


@pytest.mark.parametrize("name", ["13a", "intl", "zh", "char", *NAMES])
def test_real_korean_and_english_texts(models, name):
    rows = read_tsv(shared_data("01_adequacy_fluency_ko-en", "segments.tsv.gz"))[:300]
    oracle, encoder = _get_tokenizer(name)(), get_tokenizer(name).encoder
    for text in [row[column] for row in rows for column in ("source", "reference")]:
        assert encoder.tokens(text) == oracle(text.rstrip()).split()


@pytest.mark.parametrize(
    ("name", "text", "tokens"),
    [
        ("ja-mecab", "猫が座った。", ["猫", "が", "座っ", "た", "。"]),
        ("ko-mecab", "나는 학교에 갔다.", ["나", "는", "학교", "에", "갔", "다", "."]),
    ],
)
def test_the_dictionaries_are_there(name, text, tokens):
    assert get_tokenizer(name).encoder.tokens(text) == tokens


def test_the_two_models_are_kept_apart(models):
    found = {name: get_tokenizer(name) for name in FLORES}
    assert [tokenizer.signature for tokenizer in found.values()] == FLORES
    words = ["".join(t.encoder.tokens("the cat")) for t in found.values()]
    assert words == ["▁the▁cat", "▁the▁cat"]


@pytest.mark.parametrize("name", NAMES)
def test_a_line_of_10_000_words(models, name):
    encoder = get_tokenizer(name).encoder
    lengths = encoder.encode(["word " * 10_000, "", "한국어 " * 10_000]).lengths.tolist()
    assert lengths[0] >= 10_000 and lengths[1] == 0 and lengths[2] >= 10_000


@pytest.mark.parametrize("name", FLORES)
def test_a_model_that_is_absent_is_named_and_not_fetched(name, tmp_path, monkeypatch):
    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr(tokenizer_spm, "download_file", lambda *_: pytest.fail("it was fetched"))
    with pytest.raises(ValueError) as error:
        get_tokenizer(name)
    url = tokenizer_spm.SPM_MODELS[name]["url"]
    assert f"download {url} and save it as {model_path(tmp_path, name)}." in str(error.value)


def test_a_broken_model_is_an_error_in_words(tmp_path, monkeypatch):
    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(tmp_path))
    path = model_path(tmp_path, "flores200")
    path.parent.mkdir()
    path.write_bytes(b"<html>not a model</html>")
    with pytest.raises(ValueError, match="Tokenizer 'flores200' cannot be used here: "):
        get_tokenizer("flores200")


def test_a_package_that_is_absent_is_named(monkeypatch):
    monkeypatch.setattr(tokenizers, "find_spec", lambda name: None)
    assert [name for name in tokenizers.TOKENIZERS if unusable(name)] == NAMES
    with pytest.raises(
        ValueError, match="'ja-mecab' cannot be used here: the package MeCab is not"
    ):
        get_tokenizer("ja-mecab")


@pytest.mark.parametrize("name", ["13a", "intl", *NAMES])
def test_threads_with_scorers_of_their_own_do_not_disturb_each_other(models, name):
    texts = [[f"the cat {i} sat 猫が{j}座った。 나는 {i}" for i in range(150)] for j in range(8)]

    def score(lines):
        scorer = get_scorer("bleu", tokenize=name)
        reference = [line.replace("cat", "dog") for line in lines]
        return scorer.statistics(lines, [reference]).tolist()

    expected = [score(lines) for lines in texts]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(score, texts)) == expected
