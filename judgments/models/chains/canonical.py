"""JSON with exactly one way to write a value: RFC 8785, the JSON Canonicalization Scheme."""

import math
from collections.abc import Mapping
from decimal import Decimal
from json.encoder import encode_basestring
from typing import Any


def canonical(value: Any) -> str:
    """Return the canonical JSON of texts, numbers, booleans, None, lists, tuples and mappings of
    these.

    Keys must be ASCII, for which the order of code points is that of RFC 8785. Whole numbers are
    written exactly, also beyond 2**53. Raise ValueError for NaN and infinities, TypeError for
    anything else.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return number(value)
    if isinstance(value, Mapping):
        inner = (f"{encode_basestring(key)}:{canonical(value[key])}" for key in sorted(value))
        return "{" + ",".join(inner) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(canonical, value)) + "]"
    raise TypeError(f"no JSON for {type(value).__name__}")


def number(value: float) -> str:
    """Return a double as ECMAScript writes it (RFC 8785, section 3.2.2.3)."""
    if not math.isfinite(value):
        raise ValueError(f"no JSON for {value}")
    if -1e15 < value < 1e15 and value == int(value):
        return str(int(value))
    mantissa, _, exponent = repr(value).partition("e")
    if not exponent and not mantissa.endswith(".0"):
        return mantissa
    if 1e-6 <= abs(value) < 1e21:
        return format(Decimal(repr(value)), "f").removesuffix(".0")
    return f"{mantissa}e{int(exponent):+d}"
