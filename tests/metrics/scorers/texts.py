"""Texts for the scorers' tests: human, generated, and problematic ones."""

from hypothesis import strategies as st

WORDS = [
    *["the", "cat", "sat", "on", "mat", "a", "dog", "saw", "it", "and", "ran", "home"],
    *["The", "CAT", "ΟΔΟΣ", "İstanbul", "straße", "don't", "John's", "'s", "well-known", "U.S."],
    *[
        "3.14",
        "1,000",
        "1-2",
        "2019-",
        "-5",
        "5%",
        "$5",
        "“5",
        "¿Qué?",
        "«Oui»",
        "(hi)",
        "...",
        "!",
    ],
    *["&amp;", "&lt;b&gt;", "&amp;quot;", "<skipped>", "a<skipped>-", "http://a.b/c?d=e", "_x_"],
    *[
        "猫が",
        "座った。",
        "我们，",
        "北京",
        "カタカナ",
        "ひらがな",
        "한국어",
        "ไทย",
        "नमस्ते",
        "किताब",
    ],
    *[
        "العربية",
        "שלום",
        "\u202bשלום\u202c",
        "e\u0301",
        "é",
        "n\u0303o",
        "👩‍👩‍👧",
        "🏳️‍🌈",
        "😀😀",
        "𝒜",
    ],
]
SPACES = [
    " ",
    " ",
    " ",
    " ",
    "  ",
    "\t",
    "\n",
    "-\n",
    "\r\n",
    "\u00a0",
    "\u3000",
    "\u2028",
    "\x1c",
    "",
]


@st.composite
def sentences(draw: st.DrawFn) -> str:
    """Draw a few words with odd white space between and around them; now and then any text."""
    if draw(st.integers(0, 9)) == 0:
        return draw(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30))
    words = draw(st.lists(st.sampled_from(WORDS), max_size=12))
    spaces = draw(st.lists(st.sampled_from(SPACES), min_size=len(words), max_size=len(words)))
    text = "".join(space + word for space, word in zip(spaces, words, strict=True))
    return text + draw(st.sampled_from(["", "", "", " ", "\n", "."]))


@st.composite
def corpora(
    draw: st.DrawFn, max_references: int = 4, max_segments: int = 4
) -> tuple[list[str], list[list[str | None]]]:
    """Draw hypotheses and one to four streams of references, some missing, some equal."""
    n_segments = draw(st.integers(1, max_segments))
    n_references = draw(st.integers(1, max_references))
    hypotheses, references = [], []
    for _ in range(n_segments):
        hypothesis = draw(sentences())
        text = st.one_of(sentences(), st.just(hypothesis), st.permutations(hypothesis.split(" ")))
        missing = st.none() if n_references > 1 else st.nothing()
        texts = [draw(st.one_of(text, text, text, missing)) for _ in range(n_references)]
        texts = [" ".join(t) if isinstance(t, list) else t for t in texts]
        if all(t is None for t in texts):
            texts[-1] = hypothesis
        hypotheses.append(hypothesis)
        references.append(texts)
    return hypotheses, [list(stream) for stream in zip(*references, strict=True)]
