"""The kinds of items of a plan in a manager's words; annotators never see them."""

from collections.abc import Iterator, Mapping

from judgments.models import Kind

# `Kind` → one, several.
WORDS = {
    Kind.REGULAR: ("regular item", "regular items"),
    Kind.REPEAT: ("repeat", "repeats"),
    Kind.REFERENCE: ("hidden reference", "hidden references"),
    Kind.DEGRADED: ("degraded copy", "degraded copies"),
    Kind.CONTROL: ("item that everybody judges", "items that everybody judges"),
    Kind.TUTORIAL: ("tutorial item", "tutorial items"),
    Kind.CHECK: ("attention check", "attention checks"),
    Kind.THIRD: ("third judgment of a clash", "third judgments of clashes"),
}
ARTICLES = {Kind.CHECK: "an"}


def kind_words(kind: str, n: int) -> str:
    """Return what ``n`` items of a `Kind` are called."""
    return WORDS[Kind(kind)][n != 1]


def kind_counts(
    kinds: Mapping[str, int], beside: Mapping[str, int] | None = None
) -> Iterator[tuple[int, str]]:
    """Yield (how many, of what), the most frequent first; then how many of these items have one
    output of a kind ``beside`` others of another."""
    for kind, n in sorted(kinds.items(), key=lambda each: -each[1]):
        yield n, kind_words(kind, n)
    for kind, n in sorted((beside or {}).items(), key=lambda each: -each[1]):
        one = f"{ARTICLES.get(Kind(kind), 'a')} {kind_words(kind, 1)}"
        yield n, f"of these with {one} among the outputs"
