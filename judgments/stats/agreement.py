"""Agreement between annotators: import the coefficients from here."""

from judgments.stats.alpha import alpha_from_long, alphas_from_long, krippendorff_alpha
from judgments.stats.annotator_matrix import AgreementMatrix
from judgments.stats.coefficients import Agreement, landis_koch
from judgments.stats.icc import icc
from judgments.stats.kappas import (
    cohen_kappa,
    fleiss_kappa,
    pairwise_cohen_kappa,
    scott_pi,
    uniform_kappa,
)
from judgments.stats.pair_correlations import mean_correlation
from judgments.stats.pairwise import (
    READINGS,
    RankedPairs,
    expand_rankings,
    kappa_from_counts,
    pairwise_agreement,
    pairwise_agreements,
)

__all__ = [
    "READINGS",
    "Agreement",
    "AgreementMatrix",
    "RankedPairs",
    "alpha_from_long",
    "alphas_from_long",
    "cohen_kappa",
    "expand_rankings",
    "fleiss_kappa",
    "icc",
    "kappa_from_counts",
    "krippendorff_alpha",
    "landis_koch",
    "mean_correlation",
    "pairwise_agreement",
    "pairwise_agreements",
    "pairwise_cohen_kappa",
    "scott_pi",
    "uniform_kappa",
]
