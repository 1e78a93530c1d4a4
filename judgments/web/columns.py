"""Columns of tables of results: keys for files, and headings for readers."""

from django.utils.translation import gettext_lazy as _

from judgments.web.tables import Column

# xgettext:no-python-format
LOW = Column("low", _("95 % low"), "number")
# xgettext:no-python-format
HIGH = Column("high", _("95 % high"), "number")
WILSON_LOW = Column("low", LOW.label, "number", _("Wilson's interval"))

AGREEMENT = (
    Column("coefficient", _("Coefficient")),
    Column("among", _("Among")),
    Column("estimate", _("Value"), "number"),
    LOW,
    HIGH,
    Column("p_observed", "p(A)", "number", _("Share of pairs that agree")),
    Column("p_expected", "p(E)", "number", _("Share that would agree by chance")),
    Column(
        "n_items",
        _("Items"),
        "count",
        _("Judged by at least two: outputs, pairs of outputs, or segments"),
    ),
    Column("n_annotators", _("Annotators"), "count"),
    Column("n_pairs", _("Pairs"), "count", _("Pairs of judgments that were compared")),
    Column("note", _("Note"), "text"),
)
MARKS = (
    Column("coefficient", _("Coefficient")),
    Column("reading", _("Reading"), "text"),
    Column("estimate", _("Value"), "number"),
    LOW,
    HIGH,
    Column("n_items", _("Translations"), "count", _("Judged by two or more")),
    Column("n_annotators", _("Annotators"), "count"),
    Column(
        "n_pairs",
        _("Pairs"),
        "count",
        _("Of judgments; of errors and other judgments for errors matched"),
    ),
    Column("note", _("Note"), "text"),
)
MARKS_DIRECTED = (
    Column("annotator"),
    Column("errors", _("Errors"), "count"),
    Column("met", _("Matched by the other"), "number"),
    Column("severity", _("with the same severity"), "number"),
    Column("category", _("and category"), "number"),
)
ANSWERS_RIGHT = (
    Column("system"),
    Column("level", _("Level"), "text"),
    Column("n", _("Answers"), "count"),
    Column("right", _("Right"), "count"),
    Column("wrong", _("Wrong"), "count"),
    Column("ungraded", _("To be graded"), "count", _("Count neither as right nor as wrong")),
    Column("untold", _("“Does not say”"), "count", _("Answers that the text does not say")),
    Column("accuracy", _("Share right"), "number", _("Of the answers that are right or wrong")),
    WILSON_LOW,
    HIGH,
)
READERS = (
    Column("annotator"),
    Column("documents", _("Documents"), "count"),
    Column("right", _("Right"), "count"),
    Column("wrong", _("Wrong"), "count"),
    Column("ungraded", _("To be graded"), "count"),
    Column("untold", _("“Does not tell”"), "count"),
    Column("accuracy", _("Share right"), "number", _("Of the answers that are right or wrong")),
    WILSON_LOW,
    HIGH,
    Column("median_seconds", _("Seconds"), "number", _("Median active time for a document")),
    Column("excluded", _("Left out"), "text"),
)
EDIT_COUNTS = (
    Column("n", _("Texts"), "count"),
    Column("edited", _("Edited"), "count"),
    Column("untouched", _("Needed no correction"), "count"),
    Column("unable", _("Could not be corrected"), "count"),
    Column("share_untouched", _("Share untouched"), "number"),
    WILSON_LOW,
    HIGH,
    Column("median_keystrokes", _("Keystrokes"), "number", _("Median of edited texts")),
    Column("median_seconds", _("Seconds"), "number", _("Median active time in edited texts")),
)
PAIRS = (
    Column("system", hint=_("The one with the better score")),
    Column("against", _("Against")),
    Column("difference", _("Difference"), "number"),
    LOW,
    HIGH,
    Column("d_z", "d_z", "number", _("Mean difference over the standard deviation of differences")),
    Column("superiority", _("Better on"), "number", _("Share of shared segments, ties half")),
    Column("p", "p", "p", _("Two-sided")),
    Column("p_adjusted", _("p, adjusted"), "p", _("For all pairs of systems")),
    Column("separated", _("Separated"), "text"),
    Column("n_segments", _("Shared segments"), "count"),
)
COMPARED = (
    Column("system"),
    Column("against", _("Against")),
    Column("wins", _("Wins"), "count"),
    Column("losses", _("Losses"), "count"),
    Column("ties", _("Ties"), "count"),
    Column("share", _("Share of wins"), "number"),
    LOW,
    HIGH,
    Column("p", "p", "p", _("Two-sided")),
    Column("p_adjusted", _("p, adjusted"), "p", _("For all pairs of systems")),
)
OPEN_PAIRS = (
    Column("pair", _("Not separated"), "text"),
    Column("difference", _("Difference"), "number", _("Mean of the first minus the second")),
    LOW,
    HIGH,
    Column("p_adjusted", _("p, adjusted"), "p", _("For all pairs of systems")),
    Column("n", _("Items"), "count", _("Judged for both systems")),
    Column("detectable", _("Detectable"), "number", _("By formula, with 80 % power")),
    Column("detectable_resampled", _("Detectable, resampled"), "number"),
    Column("more", _("More items"), "count", _("Beyond the present ones, by formula")),
    Column("more_resampled", _("More items, resampled"), "count"),
    Column("more_judgments", _("More judgments"), "count", _("By formula, for both systems")),
    Column("note", _("Note"), "text"),
)
ALL_PAIRS = (
    Column("first", _("First")),
    Column("second", _("Second")),
    Column("separated", _("Separated"), "text"),
    Column("difference", _("Difference"), "number"),
    LOW,
    HIGH,
    Column("se", _("Standard error"), "number"),
    Column("p", "p", "p", _("Two-sided")),
    Column("p_adjusted", _("p, adjusted"), "p", _("For all pairs of systems")),
    Column("n", _("Items"), "count"),
    Column("n_clusters", _("Clusters"), "count", _("Documents or segments")),
    Column(
        "detectable",
        _("Smallest detectable"),
        "number",
        # xgettext:no-python-format
        _("Of pairs that are not separated: the difference shown with 80 % power, by formula"),
    ),
)
DEGRADED = (
    Column("annotator"),
    Column("n_pairs", _("Pairs"), "count", _("Originals with a degraded copy, both judged")),
    Column(
        "n_zero", _("Scored alike"), "count", _("Pairs without a difference, which the test drops")
    ),
    Column(
        "mean_drop", _("Mean drop"), "number", _("Score of the original minus that of the copy")
    ),
    LOW,
    HIGH,
    Column("p", "p", "p", _("One-sided signed-rank test of the pairs")),
    Column("p_holm", _("p, Holm"), "p", _("Adjusted over the annotators who had enough pairs")),
    Column("p_t", _("p, paired t"), "p", _("As in the crowd-sourced direct assessment of WMT")),
    Column("p_mann_whitney", _("p, Mann–Whitney"), "p", _("Unpaired, as Appraise tests")),
    Column("verdict", _("Verdict"), "text"),
    Column("n_unmatched", _("Without original"), "count"),
    Column("note", _("Note"), "text"),
)
REPEATS = (
    Column("annotator"),
    Column("n_repeats", _("Judged twice"), "count"),
    Column("mean_difference", _("Mean difference"), "number", _("Absolute, between both times")),
    Column("exact", _("Same score"), "number", _("Share of the repeats")),
    Column("icc", _("ICC(3,1)"), "number"),
    Column("n_references", _("References"), "count"),
    Column("median_references", _("Their median"), "number"),
    Column("median_outputs", _("Median of outputs"), "number"),
    Column(
        "share", _("At least that"), "number", _("Share of references with at least that median")
    ),
    Column("note", _("Note"), "text"),
)
HABITS = (
    Column("annotator"),
    Column("judgments", kind="count"),
    Column("scores", kind="count"),
    Column("sd", _("Standard deviation"), "number"),
    Column("run", _("Longest run"), "count", _("Scores in a row with the same value")),
    Column("run_value", _("of"), "number"),
    Column(
        "run_expected",
        _("By chance"),
        "p",
        _("Upper bound on the chance of such a run in random order"),
    ),
    Column("median_seconds", _("Median seconds"), "number", _("Active time of a judgment")),
    Column("seconds_per_word", _("Per source word"), "number", _("Median seconds per word")),
    Column("overlapping", _("Overlapping"), "count", _("Begun before an earlier one had ended")),
    Column("flags", _("Flags"), "text"),
)
CHECKS = (
    Column("annotator"),
    Column("n_loud", _("Checks that say so"), "count"),
    Column("n_loud_passed", _("Passed"), "count"),
    Column("n_silent", _("Silent checks"), "count"),
    Column("n_silent_passed", _("Passed"), "count"),
    Column("n_expected", _("Expected scores"), "count", _("Checks that name scores")),
    Column("n_expected_passed", _("Passed"), "count"),
    Column("share", _("Share passed"), "number"),
    Column("n_planted", _("Planted errors"), "count"),
    Column("n_found", _("Marked"), "count"),
    Column("found", _("Share marked"), "number"),
    Column("mean_more", _("More errors"), "number", _("Marked in the copy than in the original")),
    Column("p", "p", "p", _("One-sided signed-rank test of the numbers of errors")),
)
DEVIATION = (
    Column("annotator"),
    Column("n", _("Scores"), "count", _("Of outputs that others judged, too")),
    Column("mean_difference", _("Mean difference"), "number", _("From the mean of the others")),
    Column("mean_absolute", _("Absolute"), "number", _("Mean absolute difference")),
    Column("correlation", _("Correlation"), "number", _("Pearson's, with the mean of the others")),
    Column("slope", _("Drift"), "number", _("Change in a hundred judgments")),
    LOW,
    HIGH,
)
CONTROL_ITEMS = (
    Column("annotator"),
    Column("item", _("Item"), "text"),
    Column("segment"),
    Column("system"),
    Column("kind", _("Kind"), "text"),
    Column("rule", _("Rule"), "text"),
    Column("text", _("Text shown"), "text"),
    Column("start", _("Start"), "text"),
    Column("end", _("End"), "text"),
    Column("donor", _("Taken from"), "text"),
)
EXPECTED_SCORES = (
    Column("annotator"),
    Column("item", _("Item"), "text"),
    Column("segment"),
    Column("system"),
    Column("dimension"),
    Column("low", _("At least"), "number"),
    Column("high", _("At most"), "number"),
    Column("above", _("Above"), "text"),
    Column("score", _("Score"), "number"),
    Column("other", _("Score of the other"), "number"),
    Column("met", _("Met"), "text"),
)
BAD_REFERENCES = (
    Column("segment"),
    Column("reference", _("Reference"), "text"),
    Column("score", _("Its score"), "number"),
    Column("n", _("Judgments"), "count"),
    Column("best", _("Best system"), "text"),
    Column("best_score", _("Its score"), "number"),
    Column("n_above", _("Systems above"), "count"),
    Column("n_systems", _("Systems"), "count"),
)
LOOK_PAIRS = (
    Column("first", _("First")),
    Column("second", _("Second")),
    Column("state", _("State"), "text"),
    Column("look", _("Look"), "count"),
    Column("difference", _("Difference"), "number", hint=_("Mean of the first minus the second")),
    Column("low", _("Low"), "number", _("Interval that holds at all looks together")),
    Column("high", _("High"), "number"),
    Column("z", "Z", "number"),
    Column("bound", _("Bound"), "number", _("What |Z| must exceed")),
    Column("n", _("Items"), "count"),
    Column("n_clusters", _("Clusters"), "count", _("Documents or segments")),
    Column(
        "conditional_power",
        _("Chance"),
        "number",
        _("Chance of separation at the end if the trend continues"),
    ),
    Column("note", _("Note"), "text"),
)
LOOKS = (
    Column("look", _("Look")),
    Column("planned", _("Planned"), "count"),
    Column("bound", _("Bound"), "number", hint=_("Before any pair is decided")),
    Column("items", _("Items"), "count"),
    Column("decided", _("Pairs decided"), "count", _("Up to this look")),
    Column("systems", _("Systems still compared"), "count"),
    Column(
        "futile",
        _("Unlikely pairs"),
        "count",  # xgettext:no-python-format
        _("Less than 10 % chance of separation"),
    ),
)
LOOK_SYSTEMS = (
    Column("system"),
    Column("state", _("State"), "text"),
    Column("look", _("Left at look"), "count"),
    Column("better", _("Better were"), "text"),
)
DECISIONS = (
    Column("annotator"),
    Column("dimension", _("Dimension"), "text"),
    Column("decision", _("Decision"), "text"),
    Column("reason", _("Reason"), "text"),
    Column("by", _("By"), "text"),
    Column("when", _("When"), "text"),
)
REMOVED_ITEMS = (
    Column("segment"),
    Column("system"),
    Column("decision", _("Decision"), "text"),
    Column("reason", _("Reason"), "text"),
    Column("by", _("By"), "text"),
    Column("when", _("When"), "text"),
)
NOTES = (
    Column("annotator", kind="text"),
    Column("document", _("Document"), "text"),
    Column("segment", _("Segment"), "text"),
    Column("kind", _("Kind"), "text"),
    Column("reason", _("Reason"), "text"),
    Column("comment", _("Comment"), "text"),
    Column("side", _("Side"), "text"),
    Column("system", kind="text"),
    Column("start", _("Start"), "count"),
    Column("end", _("End"), "count"),
    Column("quote", _("Quoted words"), "text"),
    Column("written", _("Written"), "text"),
    Column("settled", _("Settled"), "text"),
)
