"""People: kappa from shares and from counts, and the agreement of a metric with people."""

import numpy as np

from judgments.stats.coefficients import chance_corrected
from judgments.stats.correlation import kendall, pearson, spearman
from judgments.stats.pairwise import kappa_from_counts

from .base import (
    ExampleResult,
    ResultRow,
    Values,
    shown,
)

WMT16 = "Agreement of WMT16 (Bojar et al. 2016)"


def compute_kappa(values: Values) -> ExampleResult:
    observed, expected = values["observed"], values["expected"]
    if expected >= 1:
        raise ValueError("With a chance agreement of 1 there is nothing left to agree on.")
    kappa = float(chance_corrected(np.float64(observed), np.float64(expected)))
    return ExampleResult(
        [
            ResultRow(
                "kappa",
                "Kappa",
                kappa,
                f"({observed:g} − {expected:g})/(1 − {expected:g})",
            )
        ]
    )


def compute_counts(values: Values) -> ExampleResult:
    agreeing, comparable = values["agreeing"], values["comparable"]
    ties, labels = values["ties"], values["labels"]
    if agreeing > comparable or ties > labels:
        raise ValueError("A part cannot be larger than the whole: look at both pairs of counts.")
    found = kappa_from_counts(agreeing, comparable, ties, labels)
    share = ties / labels if labels else 0.0
    return ExampleResult(
        [
            ResultRow("observed", "P(A)", found.p_observed, f"{agreeing}/{comparable}"),
            ResultRow(
                "expected",
                "P(E)",
                found.p_expected,
                f"t² + 2((1 − t)/2)², with the share of ties t = {shown(share, 3)}",
            ),
            ResultRow("kappa", "Kappa", found.estimate),
        ],
        notes=[found.reason] if found.reason else [],
    )


def compute_correlation(values: Values) -> ExampleResult:
    x, y = np.array(values["metric"]), np.array(values["people"])
    if len(x) != len(y):
        raise ValueError(
            f"Scores of the metric and of people differ in number, {len(x)} and {len(y)}: each "
            "system needs one of both."
        )
    r = pearson(x, y)
    rows = [
        ResultRow("n", "Systems", str(r.n)),
        ResultRow("mean-x", "Mean of the metric", float(x.mean())),
        ResultRow("mean-y", "Mean of people", float(y.mean())),
        ResultRow("r", "Pearson’s r", r.estimate),
        ResultRow("p", "p of no correlation", r.p_value, "two-sided"),
        ResultRow("rho", "Spearman’s ρ", spearman(x, y).estimate),
        ResultRow("tau", "Kendall’s τ-b", kendall(x, y).estimate),
    ]
    return ExampleResult(rows, notes=[r.reason] if r.reason else [])
