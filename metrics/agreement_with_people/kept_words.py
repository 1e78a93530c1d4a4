"""What statistics of metrics say of themselves, marked as judgments.pages.kept_words does."""

from django.utils.translation import gettext_noop as _

KEPT = (
    _("a band needs at least 3 pairs"),
    _("a score is undefined"),
    _("a value is infinite"),
    _(
        "accuracies and rank correlations over systems: Wilson's interval of a share of "
        "pairs, n − 1 of which count as independent (n − 3 for Spearman's ρ)"
    ),
    _("fewer than 2 pairs"),
    _("fewer than 2 units to draw"),
    _("fewer than 3 systems have a score"),
    _("fewer than 4 units"),
    _("half of the scores or more are equal"),
    _("no common segment"),
    _("no segment has a coefficient"),
    _("no system has a coefficient"),
    _("no two systems have a common segment"),
    _("no value without one of the systems or segments"),
    _("over segments: Student's t with the jackknife's error over systems and segments"),
    _("paired permutation, one-sided"),
    _("Pearson over systems: Fisher's z with Student's t (n − 2 degrees of freedom)"),
    _("PERM-BOTH over permutation p-values"),
    _("permutation of pair outcomes"),
    _("the coefficient is undefined"),
    _("the metrics correlate perfectly with each other"),
    _("there is no pair of scores"),
    _("too few systems for an interval"),
    _("x does not vary"),
)
