"""The tokenizer that a language calls for."""

from metrics.scorers.tokenizers import TOKENIZERS, unusable

# What sacreBLEU takes for a target language; and for scripts without spaces between words, for
# which it has nothing, single characters.
BY_LANGUAGE = {
    "zh": "zh",
    "ja": "ja-mecab",
    "ko": "ko-mecab",
    **dict.fromkeys(["th", "lo", "km", "my", "bo", "dz"], "char"),
}


def main_language(tag: str) -> str:
    return tag.split("-")[0].lower()


def suggested_tokenizer(language: str, default: str = "13a") -> str:
    """Return the tokenizer for a target language; single characters where its package is absent."""
    wanted = BY_LANGUAGE.get(main_language(language), default)
    return wanted if wanted in usable_tokenizers() else "char"


def usable_tokenizers() -> list[str]:
    return [name for name in TOKENIZERS if not unusable(name)]
