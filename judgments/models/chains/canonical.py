"""JSON with exactly one way to write a value: RFC 8785, the JSON Canonicalization Scheme."""

import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from json.encoder import encode_basestring
from typing import Any


def canonical(value: Any) -> str:
    """Return the canonical JSON of texts, numbers, booleans, None, lists, tuples and mappings of
    these.

    Keys must be ASCII, for which code point order equals the order of RFC 8785. Integers are
    written exactly, even beyond 2**53. Raise ValueError for NaN and infinities, TypeError for
    anything else.
    """
    if write := OF_TYPES.get(type(value)):
        return write(value)
    if isinstance(value, Mapping):
        inner = (f"{encode_basestring(key)}:{canonical(value[key])}" for key in sorted(value))
        return "{" + ",".join(inner) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join([OF_TYPES.get(type(each), canonical)(each) for each in value]) + "]"
    for kind in (str, int, float):
        if isinstance(value, kind):  # of a subclass, such as one of Django's choices
            return OF_TYPES[kind](value)
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


# An import of judgments writes a million values of exactly these types.
OF_TYPES: dict[type, Callable[[Any], str]] = {
    type(None): lambda value: "null",
    bool: lambda value: "true" if value else "false",
    str: encode_basestring,
    int: int.__repr__,
    float: number,
}
