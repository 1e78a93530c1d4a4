"""Agreement between annotators: the one place to import the coefficients from."""

from judgments.stats.alpha import alpha_from_long, alphas_from_long, krippendorff_alpha
from judgments.stats.annotator_matrix import AgreementMatrix, agreement_matrix
from judgments.stats.coefficients import Agreement, collapse_repeats, landis_koch
from judgments.stats.icc import crossed_ratings, icc, icc_one_way
from judgments.stats.kappas import (
    cohen_kappa,
    cohen_kappa_of_table,
    fleiss_kappa,
    pairwise_cohen_kappa,
    scott_pi,
    scott_pi_of_table,
    uniform_kappa,
)
from judgments.stats.large_kappas import large_kappas
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
    "agreement_matrix",
    "alpha_from_long",
    "alphas_from_long",
    "cohen_kappa",
    "cohen_kappa_of_table",
    "collapse_repeats",
    "crossed_ratings",
    "expand_rankings",
    "fleiss_kappa",
    "icc",
    "icc_one_way",
    "kappa_from_counts",
    "krippendorff_alpha",
    "landis_koch",
    "large_kappas",
    "mean_correlation",
    "pairwise_agreement",
    "pairwise_agreements",
    "pairwise_cohen_kappa",
    "scott_pi",
    "scott_pi_of_table",
    "uniform_kappa",
]
