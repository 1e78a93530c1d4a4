"""A metric with its options as people write it, and back: `chrf:word_order=2,beta=3`."""

from dataclasses import MISSING, dataclass, field, fields
from typing import Any
from unicodedata import category

from metrics.scorers import SCORERS, Scorer, get_scorer

# What a new job asks for unless someone says otherwise.
DEFAULTS = ("bleu", "chrf", "chrfpp", "ter")
# No published metric looks at longer n-grams, and memory grows with the order.
HIGHEST_INTEGER = 20
# Options that are no lengths of n-grams.
HIGHEST = {"seed": 2**31 - 1, "batch_size": 1024, "min_count": 1_000_000, "layer": 1000}
# Signatures name most of what is written there, and have a place of limited length.
LONGEST_TEXT = 200
LONGEST = {"function_words": 20_000, "model": 300}
TRUE, FALSE = {"true", "yes", "1", "on"}, {"false", "no", "0", "off"}


@dataclass(frozen=True)
class MetricChoice:
    """A metric and the options that differ from its defaults."""

    slug: str
    options: dict[str, Any] = field(default_factory=dict)

    def scorer(self) -> Scorer:
        """Return a new scorer. Keep it for texts of one test set: it remembers how it cut the
        words."""
        return get_scorer(self.slug, **self.options)

    @property
    def label(self) -> str:
        """Such as `BLEU` or `BLEU (tokenize intl, lowercase)`; what the name says is not said
        twice: chrF with word_order 2 is chrF2++."""
        scorer = self.scorer()
        words = [
            in_words(name, value)
            for name, value in sorted(self.options.items())
            if name not in scorer.in_label
        ]
        name = scorer.label if self.options else scorer.name
        return f"{name} ({', '.join(words)})".replace("_", " ") if words else name

    def as_json(self) -> dict[str, Any]:
        return {"metric": self.slug, "options": self.options}


def in_words(name: str, value: Any) -> str:
    """Return an option that differs from its default: `lowercase`, `order 6`, `no language`."""
    if value is True:
        return name
    if value is False:
        return f"{name} off"
    return f"no {name}" if value in ("", None) else f"{name} {value}"


def option_types(slug: str) -> dict[str, type]:
    """Return the type of each option of a metric: bool, int, float or str."""
    types: dict[str, type] = {}
    for option in fields(SCORERS[slug]):
        words = str(option.type)  # "<class 'int'>", or "float | None" where it may be left open
        types[option.name] = next((t for t in (bool, int, float) if t.__name__ in words), str)
    return {name: types[name] for name in SCORERS[slug].option_names()}


def values_of(slug: str, option: str) -> tuple[str, ...]:
    """Return the values that an option of text may take; none where any text may stand."""
    return tuple(SCORERS[slug].option_values.get(option, ()))


def highest_integer(option: str) -> int:
    return HIGHEST.get(option, HIGHEST_INTEGER)


def longest_text(option: str) -> int:
    return LONGEST.get(option, LONGEST_TEXT)


def default_options(slug: str) -> dict[str, Any]:
    return {f.name: f.default for f in fields(SCORERS[slug]) if f.init and f.default is not MISSING}


def choose(slug: str, options: dict[str, Any]) -> MetricChoice:
    """Return the choice of a metric with options; those that equal its defaults are left out.

    Raises ValueError, in words for people, for an unknown metric or option or a wrong value.
    """
    get_scorer(slug)
    types, defaults = option_types(slug), default_options(slug)
    for name, value in options.items():
        if name in types:
            check_type(slug, name, value, types[name], defaults[name])
    given = {name: value for name, value in options.items() if value != defaults.get(name, MISSING)}
    get_scorer(slug, **given)
    return MetricChoice(slug, given)


def check_type(slug: str, name: str, value: Any, wanted: type, default: Any) -> None:
    """Raise ValueError unless a value from outside has the option's type and a sane size."""
    numbers = (int, float) if wanted is float else (wanted,)
    is_right = isinstance(value, numbers) and (wanted is bool or not isinstance(value, bool))
    if not is_right and not (value is None and default is None):
        raise ValueError(f"Option {name} of {slug}: expected {wanted.__name__}, not {value!r}.")
    if isinstance(value, int) and value > highest_integer(name):
        raise ValueError(f"Option {name} of {slug}: at most {highest_integer(name)}, not {value}.")
    if isinstance(value, str) and len(value) > longest_text(name):
        raise ValueError(f"Option {name} of {slug}: at most {longest_text(name)} characters.")
    if isinstance(value, str) and any(category(c) in ("Cc", "Cs") for c in value):
        raise ValueError(f"Option {name} of {slug}: without line breaks and control characters.")


def parse_metric(text: str) -> MetricChoice:
    """Read `slug` or `slug:option=value,option=value`.

    Raises ValueError that says what is wrong and what is known.
    """
    slug, _, rest = text.partition(":")
    get_scorer(slug)  # an unknown metric is the first thing to say
    types = option_types(slug)
    options: dict[str, Any] = {}
    for pair in filter(None, rest.split(",")):
        name, equals, value = pair.partition("=")
        if not equals:
            raise ValueError(f"{text!r}: write an option as name=value, not {pair!r}.")
        options[name] = parse_value(name, value, types.get(name, str))
    return choose(slug, options)


def parse_value(name: str, text: str, wanted: type) -> Any:
    if wanted is bool:
        if text.lower() not in TRUE | FALSE:
            raise ValueError(f"Option {name} is yes or no, not {text!r}.")
        return text.lower() in TRUE
    try:
        return wanted(text)
    except ValueError:
        raise ValueError(f"Option {name} is a number, not {text!r}.") from None


def scorer_of(slug: str, options: dict[str, Any]) -> Scorer | None:
    """Return the metric of a stored score; None when this version of the program does not know the
    metric or an option any more."""
    try:
        return choose(slug, options).scorer()
    except ValueError:
        return None


def label_of(slug: str, options: dict[str, Any], signature: str) -> str:
    """Return the label of a stored score; the signature's first word when this version of the
    program does not know the options any more."""
    try:
        return choose(slug, options).label
    except ValueError:
        return signature.partition("|")[0]


def higher_is_better(slug: str, options: dict[str, Any]) -> bool:
    """Return the direction of a stored score; uploaded scores have theirs among their options."""
    return (scorer_of(slug, options) or SCORERS[slug]).higher_is_better
