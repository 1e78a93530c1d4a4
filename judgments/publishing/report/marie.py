"""The four questions of Marie, Fujita and Rubino (2021), "Scientific Credibility of Machine
Translation Research", answered from what the site knows: a point for each yes, 0 to 4."""

from __future__ import annotations

from .blocks import Block, Statement, Terms, said, to_add
from .facts import Facts

Answer = tuple[str, bool | None, str]


def answers(facts: Facts) -> tuple[Answer, ...]:
    """Return (question, yes or no, None where only the author knows, why)."""
    made_up = facts.campaign.simulated or facts.campaign.by_model
    people = facts.n_judgments > 0 and not made_up
    tested = facts.protocol.has_page("scores") and facts.n_judgments > 0
    metrics = facts.metrics
    copied = None if metrics.n_uploaded else True
    return (
        (
            "More than BLEU: another metric or people",
            people,
            f"{facts.n_annotators:,} annotators gave {facts.n_judgments:,} judgments."
            if people
            else "There are no judgments of people here.",
        ),
        (
            "Differences tested for significance",
            tested,
            "See the part on pairs of systems." if tested else "There is no test between systems.",
        ),
        (
            "No scores copied from elsewhere, or scores that are surely comparable",
            copied,
            "All scores were computed here from the texts, with their signatures."
            if copied
            else f"whether {metrics.n_uploaded} metrics with uploaded scores are comparable.",
        ),
        (
            "Systems compared with the same training, validation and test data, processed alike",
            None,
            "whether the systems' data were the same and processed alike.",
        ),
    )


def blocks(facts: Facts) -> tuple[Block, ...]:
    found = answers(facts)
    yes = sum(answer is True for _, answer, _ in found)
    unknown = sum(answer is None for _, answer, _ in found)
    lead = f"{yes} of 4 points from what the site knows; {unknown} more for the author to decide."
    rows = tuple((question, _answer(answer, why)) for question, answer, why in found)
    return (said(lead, "lead"), Terms(rows))


def _answer(answer: bool | None, why: str) -> Statement:
    return to_add(why) if answer is None else Statement(f"{'Yes' if answer else 'No'}. {why}")
