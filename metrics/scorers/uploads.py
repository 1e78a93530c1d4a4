"""Scores of a metric that something else computed: read from a file, never from texts."""

from collections.abc import Sequence
from dataclasses import dataclass

from metrics.scorers.base import Floats, MeanScorer, Stream

LEVELS = ("segment", "document", "system")
SYSTEM_SCORES = ("mean", "given")
ORIGINS = ("file", "judge")


@dataclass(kw_only=True)
class Uploaded(MeanScorer):
    """A metric whose scores were uploaded; its options say what the file and its owner said.

    Statistics: (score, 1) for each segment. Scores of documents stand in the row of a document's
    first segment and leave the other rows at (0, 0), so that a document's rows add up to its
    score, and drawing or swapping segments draws or swaps documents.

    ``level``: what the file has scores for. ``system_scores``: "mean" where the score of a system
    is the mean of those, "given" where the file states another. ``digest``: of the files.
    ``made_by``: the signature of the program that computed them, where the file says it.
    ``origin``: "file", or "judge" where they are the judgments of a language model on this site.
    """

    slug = "uploaded"
    family = "From elsewhere"
    description = (
        "Scores of any other metric, computed by another program and uploaded from a file."
    )
    score_range = (float("-inf"), float("inf"))
    needs_references = False
    option_values = {"level": LEVELS, "system_scores": SYSTEM_SCORES, "origin": ORIGINS}
    in_label = ("name", "higher_is_better", "level", "system_scores", "digest", "made_by")

    # What other metrics have as attributes of their class is here said by the file.
    name: str = "Uploaded scores"  # type: ignore[misc]
    higher_is_better: bool = True  # type: ignore[misc]
    level: str = "segment"
    system_scores: str = "mean"
    digest: str = ""
    made_by: str = ""
    origin: str = "file"

    def __post_init__(self) -> None:
        for option in self.option_values:
            value = getattr(self, option)
            if value not in self.option_values[option]:
                known = ", ".join(self.option_values[option])
                raise ValueError(f"Unknown {option} {value!r}; known: {known}.")
        if "|" in self.name:
            raise ValueError(f"The name {self.name!r} contains “|”, which separates signatures.")

    @classmethod
    def unavailable(cls) -> str:
        return "Its scores come from files; “Add scores from a file” accepts them."

    @property
    def label(self) -> str:
        notes = ["judge" if self.origin == "judge" else "uploaded"]
        if self.level == "document":
            notes.append("by document")
        if self.system_scores == "given" and self.level != "system":
            notes.append("system scores as given")
        return f"{self.name} ({', '.join(notes)})"

    def signature(self, n_references: int | str, *, level: str = "corpus") -> str:
        """Return what the file was, since nobody can compute these scores from a signature."""
        if level not in ("corpus", "segment"):
            raise ValueError(f"level must be 'corpus' or 'segment', not {level!r}.")
        fields: dict[str, object] = {
            "nrefs": n_references,
            "uploaded": self.level,
            "system": self.system_scores if self.level != "system" else "given",
            "better": "higher" if self.higher_is_better else "lower",
            "sha256": self.digest or "unknown",
        }
        words = [f"{key}:{value}" for key, value in fields.items()]
        return "|".join([*words, self.made_by] if self.made_by else words)

    def _values(
        self, hypotheses: Sequence[str], references: Sequence[Stream], sources: Sequence[str]
    ) -> Floats:
        raise ValueError(self.unavailable())
