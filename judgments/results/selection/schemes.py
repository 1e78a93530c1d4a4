"""Which weights of errors a reader may choose for a campaign: published ones, or any others."""

from __future__ import annotations

import math
import re

from django.utils.translation import gettext as _

from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.protocols.spans.marking import Marking
from judgments.stats.mqm import SCHEMES, Scheme

OWN = "own"
MOST_WEIGHTS = 100
MOST_CHARACTERS = 2000  # addresses have an end
LARGEST = 1000
SEPARATORS = re.compile(r"[,;\n]")


def schemes_of(campaign: Campaign) -> dict[str, Scheme]:
    """By slug the published ones that weigh every severity of the campaign; none where no errors
    are marked."""
    if not protocol_of(campaign).has_page("errors"):
        return {}
    severities = Marking.of(campaign).severities
    return {slug: scheme for slug, scheme in SCHEMES.items() if scheme.covers(severities)}


def checked_weights(campaign: Campaign, text: str) -> str:
    """Return the weights as an address has them: the slug of a scheme; a reader's own, such as
    ``major:5,minor:1``, sorted; or "" for the stored scores. ValueError, in words, for others."""
    known = schemes_of(campaign)
    if not text or text in known:
        return text
    if not protocol_of(campaign).has_page("errors"):
        raise ValueError(f"weights is empty here, not {text[:40]!r}.")
    severities = Marking.of(campaign).severities
    if text in SCHEMES:
        names = ", ".join(severities)
        raise ValueError(f"The weights {text} do not know all severities here: {names}.")
    if ":" not in text and "=" not in text:
        named = f"{' or '.join(known)}, or " if known else ""
        pairs = f"{named}pairs such as minor:1,major:5"
        raise ValueError(f"weights is {pairs} here, not {text[:40]!r}.")
    scheme = read_weights(text)
    missing = [name for name in severities if not scheme.covers([name])]
    if missing:
        raise ValueError(
            _("These weights have none for the severity %(name)s: write, say, %(name)s:1.")
            % {"name": missing[0]}
        )
    return written_weights(scheme)


def read_weights(text: str) -> Scheme:
    """Return weights that somebody typed: a pattern of `judgments.stats.mqm` and a number each,
    with a colon or an equals sign between them, and commas, semicolons or lines between two.
    ValueError, in words, for what cannot be read."""
    if len(text) > MOST_CHARACTERS or "\0" in text:
        raise ValueError(
            _("Weights are at most %(most)s characters long.") % {"most": f"{MOST_CHARACTERS:,}"}
        )
    parts = [part.strip() for part in SEPARATORS.split(text) if part.strip()]
    if len(parts) > MOST_WEIGHTS:
        raise ValueError(_("There are at most %(most)d weights.") % {"most": MOST_WEIGHTS})
    found: dict[str, float] = {}
    for part in parts:
        pattern, weight = _weight(part)
        if found.setdefault(pattern, weight) != weight:
            raise ValueError(_("%(name)s has two weights.") % {"name": repr(pattern)})
    return Scheme(OWN, _("a reader's own weights"), found)


def _weight(part: str) -> tuple[str, float]:
    pattern, _colon, number = part.replace("=", ":").rpartition(":")
    (clean,) = Scheme("", "", {pattern: 0}).weights
    try:
        weight = float(number) if number.isascii() and "_" not in number else math.nan
    except ValueError:
        weight = math.nan
    if not clean.strip("/ ") or ":" in clean:
        raise ValueError(
            _("A weight is a name, a colon and a number, such as minor:1, not %(text)s.")
            % {"text": repr(part[:60])}
        )
    if not 0 <= weight <= LARGEST:  # nor NaN
        raise ValueError(
            _("The weight of %(name)s is a number from 0 to %(largest)s, not %(text)s.")
            % {"name": clean, "largest": f"{LARGEST:,}", "text": repr(number.strip()[:20])}
        )
    return clean, weight + 0.0  # without a minus before 0


def written_weights(scheme: Scheme) -> str:
    """Return weights for an address: every digit of them, always in the same order."""
    return ",".join(f"{pattern}:{_digits(w)}" for pattern, w in sorted(scheme.weights.items()))


def _digits(weight: float) -> str:
    return f"{weight:.0f}" if weight.is_integer() else repr(weight)


def scheme_of(campaign: Campaign, weights: str) -> Scheme:
    """Return the scheme that weighs errors: by weights as `checked_weights` gives them, or, for "",
    the campaign's own."""
    if not weights:
        return Marking.of(campaign).scheme
    return SCHEMES.get(weights) or read_weights(weights)


def weights_in_words(scheme: Scheme) -> str:
    """Such as “minor 1, major 5, minor/fluency/punctuation 0.1”; * is any severity."""
    return ", ".join(f"{pattern} {weight:g}" for pattern, weight in scheme.weights.items())
