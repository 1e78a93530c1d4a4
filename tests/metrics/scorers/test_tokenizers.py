import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import _get_tokenizer

from metrics.scorers import tokenizers
from metrics.scorers.tokenizers import get_tokenizer

from .texts import sentences

pytestmark = pytest.mark.slow

# Characters that the rules treat differently, and little else, so that they meet often.
TIGHT = st.text(alphabet="aB1.,-'\"&;<>!$%“（我は、—\u2003\u0301 \t\n\u00a0", max_size=12)


@pytest.mark.proof
@pytest.mark.parametrize("name", ["13a", "intl", "zh", "char", "none"])
@settings(max_examples=500, deadline=None)
@given(texts=st.lists(st.one_of(sentences(), TIGHT), min_size=1, max_size=4))
def test_tokens_are_sacrebleus_though_each_chunk_is_tokenized_once(name, texts):
    oracle = _get_tokenizer(name)()
    expected = [oracle(text.rstrip()).split() for text in texts]
    encoder = get_tokenizer(name).encoder
    assert [encoder.tokens(text) for text in texts] == expected
    encoded = encoder.encode(texts)
    assert encoded.lengths.tolist() == [len(tokens) for tokens in expected]
    flat = [token for tokens in expected for token in [*tokens, None]]
    # Equal tokens have equal ids, different tokens different ids, and the end of a text has 0.
    ids = encoded.ids.tolist()
    pairs = set(zip(flat, ids, strict=True))
    assert len(pairs) == len(set(flat)) == len(set(ids)) and (None, 0) in pairs


def test_a_text_that_holds_the_mark_between_texts_is_cut_like_any_other():
    encoder = get_tokenizer("none").encoder
    assert encoder.encode(["a b", "c"]).ids.tolist() == [1, 2, 0, 3, 0]
    assert encoder.encode(["a \ue000 b", "\ue000"]).ids.tolist() == [1, 4, 2, 0, 4, 0]
    assert encoder.encode(["b c", "", "d"]).ids.tolist() == [2, 3, 0, 0, 5, 0]
    assert encoder.vocabulary() == ["", "a", "b", "c", "\ue000", "d"]


def test_an_encoder_that_has_grown_too_large_starts_over(monkeypatch):
    monkeypatch.setattr(tokenizers, "_MOST_CHUNKS", 3)
    encoder = get_tokenizer("13a").encoder
    assert encoder.encode(["a b c d e"]).ids.tolist() == [1, 2, 3, 4, 5, 0]
    encoder.forget()
    assert encoder.encode(["e d"]).ids.tolist() == [1, 2, 0]
    encoder.forget()  # small again: nothing is dropped
    assert encoder.encode(["d e"]).ids.tolist() == [2, 1, 0]
