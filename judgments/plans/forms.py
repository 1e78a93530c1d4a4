"""The page on which the work is planned: `PlanSettings`, field by field."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields

from django import forms

from judgments.models import Campaign
from judgments.plans.metric_controls import Control
from judgments.plans.settings import BOUNDS, FRACTIONS, OPTIONAL, PlanSettings

# Shown as percentages, stored as shares.
PERCENT = ("agreement_share", "spread", "tutorial_right")
GROUPS = (
    (
        "What is judged",
        (
            *("systems", "choice", "systems_shown", "wave_documents", "block_length", "segments"),
            *("equal_once", "comparisons"),
        ),
    ),
    (
        "By whom",
        (
            *("annotators", "design", "batch_words", "batch_items", "seats", "agreement_share"),
            *("agreement_seats", "pool", "lease_minutes"),
        ),
    ),
    (
        "Control items",
        (
            *("repeats", "references", "degraded", "damage"),
            *("calibration", "loud_checks", "silent_checks", "beside_checks"),
        ),
    ),
    ("The tutorial as a test", ("tutorial_right", "tutorial_tries")),
    (
        "What it is for, and what it costs",
        (
            *("question", "compared_by", "test", "promise", "controls", "context_cost", "spread"),
            *("seconds_per_word", "pay_per_hour", "currency", "seed"),
        ),
    ),
)
WORDS = {
    "systems": ("Systems", ""),
    "choice": (
        "Systems in a block",
        "Results weight each difference by the probability that both systems were shown. The "
        "cost of few systems in a block and of a race is shown next to the hours.",
    ),
    "systems_shown": ("Systems in a block, where some are drawn", ""),
    "wave_documents": (
        "Documents of a wave, in a race",
        "After each wave, the site checks which systems are still in question.",
    ),
    "block_length": (
        "Segments judged together, at most",
        "Documents are cut into blocks of this many segments, with the rest of the document "
        "around them where the screens show it. 0: whole documents.",
    ),
    "segments": (
        "Segments to judge",
        "If empty, all. Otherwise blocks are drawn from all documents with equal probability. "
        "Texts that nobody judges still help, through the scores of metrics.",
    ),
    "equal_once": (
        "Judge equal translations once",
        "The judgment then counts for every system with that translation. Control items are never "
        "merged.",
    ),
    "comparisons": (
        "Comparisons of each segment",
        "If empty, every pair of systems. Identical translations are never compared.",
    ),
    "annotators": ("Annotators you expect", ""),
    "design": ("Who sees which translations", ""),
    "batch_words": (
        "Words in a batch, at most",
        "Of sources and translations. A batch is what one person takes at a time; blocks are kept "
        "whole, and batches are equally long.",
    ),
    "batch_items": ("Or items in a batch, at most", "Instead of words."),
    "seats": ("Annotators for each batch", ""),
    "agreement_share": (
        "Share judged by several people, in %",
        (
            "To measure agreement. To separate systems, more items help more than more people on "
            "one item."
        ),
    ),
    "agreement_seats": ("Annotators for each batch of that share", ""),
    "pool": (
        "Hand out single blocks from a pool",
        "For crowds: people take block after block and stop when they like. With control items, "
        "they get the blocks of a batch one after the other, so that these stand far apart.",
    ),
    "lease_minutes": (
        "Minutes until an untouched batch goes back",
        "What was judged stays.",
    ),
    "repeats": ("Repeats, of ten items", "The same item again, far apart, to measure consistency."),
    "references": ("Hidden references, of ten items", "A human translation among the systems'."),
    "degraded": (
        "Degraded copies, of ten items",
        "A translation with a phrase from elsewhere, which careful people score lower.",
    ),
    "damage": ("Length of the phrase", ""),
    "calibration": (
        "Segments that everybody judges",
        "In every batch; they show strictness, and drift over time.",
    ),
    "loud_checks": ("Loud attention checks in a batch", "They ask for the lowest answer."),
    "silent_checks": (
        "Silent attention checks in a batch",
        "The translation of another text.",
    ),
    "beside_checks": (
        "Damaged copies next to their originals, in a batch",
        "Each replaces another system's translation; the original should score higher.",
    ),
    "tutorial_right": (
        "Right answers that the tutorial asks for, in %",
        "Annotators with fewer right answers are held and get no work. 0: the tutorial only "
        "teaches. It has no effect while the campaign has no tutorial.",
    ),
    "tutorial_tries": (
        "Tries",
        "Another try asks the same items, after their answers were shown.",
    ),
    "question": ("Which comparison is asked for", ""),
    "promise": (
        "What the table of results promises",
        "These are different promises, not the same promise at different prices. All pages and "
        "files of results keep the one chosen here.",
    ),
    "compared_by": (
        "Systems are compared by",
        "All pages and files of results use these scores to say which systems differ.",
    ),
    "test": (
        "Test between two systems",
        "Whole documents are used if there are 20 with several segments, otherwise segments.",
    ),
    "context_cost": (
        "Cost of context",
        "The time to read a block's context, divided by the time to judge one segment. If empty: "
        "the sources around it, read once.",
    ),
    "spread": (
        "Standard deviation of the difference between two systems on one segment, in % of the "
        "scale",
        "If empty, as measured elsewhere for this protocol and texts of this length.",
    ),
    "seconds_per_word": (
        "Seconds for each word",
        "Of sources and translations, if time depends on words alone. If empty, as measured.",
    ),
    "pay_per_hour": ("Pay per hour", ""),
    "currency": ("Currency", ""),
    "seed": ("Seed of the random order", "The same seed, texts and settings give the same plan."),
}
# Behind “More”: what most people leave as it is.
RARE = {
    *("wave_documents", "equal_once", "batch_items", "agreement_seats", "lease_minutes", "damage"),
    *("loud_checks", "silent_checks", "beside_checks", "context_cost", "spread", "seed"),
    *("seconds_per_word", "compared_by", "test"),
}
SLIDERS = ("agreement_share", "repeats", "references", "degraded", "tutorial_right")
CHOICES = {each.name: each.metadata["choices"] for each in fields(PlanSettings)}


class DesignForm(forms.Form):
    """Every field may be left out: it then has the value of ``settings``, the campaign's own or
    its protocol's. ``left_out``: fields that make no sense in this campaign. ``known``: metrics
    that may be registered with the plan; those with ``ticked`` signatures are."""

    def __init__(
        self,
        campaign: Campaign,
        settings: PlanSettings,
        *args,
        left_out: frozenset[str] = frozenset(),
        known: Sequence[Control] = (),
        ticked: Sequence[str] = (),
        **kwargs,
    ):
        super().__init__(*args, **kwargs)
        self.campaign, self.settings_before = campaign, settings
        self.known, self.ticked = known, ticked
        systems = campaign.test_set.systems.filter(copies_reference="")
        self.system_names = sorted(systems.values_list("name", flat=True))
        for name, (label, hint) in WORDS.items():
            if name not in left_out:
                field = self.made(name)
                field.label, field.help_text, field.required = label, hint, False
                field.initial = self.shown(name)
                field.has_default = name not in OPTIONAL  # type: ignore[attr-defined]
                self.fields[name] = field
        if known:
            self.fields["controls"] = forms.MultipleChoiceField(
                choices=[(each.signature, each.label) for each in known],
                widget=forms.CheckboxSelectMultiple,
                required=False,
                initial=list(ticked),
                label="Metrics as controls",
                help_text="Registered when the plan is made, as a stopping plan: they correct for "
                "which segments are judged. Trained metrics help; BLEU and chrF hardly do.",
            )

    @property
    def controls(self) -> list[Control]:
        """Those that are ticked, of a valid form."""
        chosen = self.cleaned_data.get("controls", ())
        return [each for each in self.known if each.signature in chosen]

    def made(self, name: str) -> forms.Field:
        value = getattr(self.settings_before, name)
        if name == "systems":
            names = [(each, each) for each in self.system_names]
            return forms.MultipleChoiceField(choices=names, widget=forms.CheckboxSelectMultiple)
        if choices := CHOICES[name]:
            widget = forms.Select if name == "damage" else forms.RadioSelect
            return forms.ChoiceField(choices=list(choices.items()), widget=widget)
        if isinstance(value, bool):
            return forms.BooleanField()
        if name == "currency":
            return forms.CharField(max_length=10)
        low, high = next((low, high) for each, low, high in BOUNDS if each == name)
        field: forms.IntegerField
        if name in PERCENT:
            field = forms.FloatField(min_value=100 * low, max_value=100 * high)
        elif name in FRACTIONS:
            field = forms.FloatField(min_value=low, max_value=high)
        else:
            field = forms.IntegerField(min_value=int(low), max_value=int(high))
        if name in SLIDERS:
            field.widget.attrs |= {"data-slider": "", "step": 5 if name in PERCENT else 0.5}
        elif name in FRACTIONS:
            field.widget.attrs["step"] = "any"
        return field

    def shown(self, name: str):
        if name == "controls":
            return list(self.ticked)
        value = getattr(self.settings_before, name)
        if name == "systems":
            return value or self.system_names
        return round(100 * value, 6) if name in PERCENT and value is not None else value

    def clean(self):
        cleaned = super().clean() or {}
        if not self.errors:
            try:
                self.settings = self.read(cleaned)
            except ValueError as problem:
                self.add_error(None, f"{str(problem)[:1].upper()}{str(problem)[1:]}.")
        return cleaned

    def read(self, cleaned) -> PlanSettings:
        before = self.settings_before.stored()
        for name, value in cleaned.items():
            if name == "controls":
                continue
            if isinstance(value, bool):
                before[name] = value
            elif name in OPTIONAL and value is None:
                before.pop(name, None)
            elif name == "systems":
                before[name] = [] if set(value) >= set(self.system_names) else value
            elif value not in (None, ""):
                before[name] = value / 100 if name in PERCENT else value
        return PlanSettings.read(before)

    def without(self, no_controls: Mapping[str, str]) -> list[str]:
        """Return which of the control items that the settings ask for this plan cannot have, and
        why. no_controls: reasons by the names of the settings."""
        named: dict[str, list[str]] = {}
        for name, reason in no_controls.items():
            if name in self.fields and getattr(self.settings, name):
                named.setdefault(reason, []).append(WORDS[name][0].removesuffix(", of ten items"))
        return [f"{', '.join(names)}: none. {reason}" for reason, names in named.items()]

    def groups(self) -> Iterator[tuple[str, list[forms.BoundField], list[forms.BoundField]]]:
        """Yield (heading, fields, fields that most people leave as they are) for the page; headings
        without a field are left out."""
        for heading, names in GROUPS:
            fields = [self[name] for name in names if name in self.fields]
            shown = [field for field in fields if field.name not in RARE]
            if fields:
                yield heading, shown, [field for field in fields if field.name in RARE]
