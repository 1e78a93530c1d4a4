"""Figures beside the digits that a publication prints for them."""

from collections.abc import Sequence
from typing import NamedTuple

from .base import ExampleCase, ExampleResult, Printed, agrees, more_digits
from .errata import Erratum, erratum_of

NOTHING = Printed("")


class ComparedRow(NamedTuple):
    """``verdict``: "same", "erratum" (``note`` is its number), or nothing where nothing is printed
    or the example was changed."""

    what: str
    how: str
    printed: str
    here: str
    verdict: str = ""
    note: int = 0


class ComparedExample(NamedTuple):
    rows: Sequence[ComparedRow]
    errata: Sequence[Erratum]
    has_printed: bool
    has_how: bool


def compare(case: ExampleCase, result: ExampleResult, *, changed: bool = False) -> ComparedExample:
    """Return the figures of a case. Where its values were ``changed``, the printed digits stay for
    comparison, and no verdict is given."""
    digits = case.printed
    beginnings = list(dict.fromkeys(each.erratum for each in digits.values() if each.erratum))
    beginnings += [each for each in case.errata if each not in beginnings]
    rows = []
    for row in result.rows:
        printed = digits.get(row.key, NOTHING)
        if row.extra and not printed.text:
            continue
        verdict, note = "", 0
        if printed.text and not changed:
            verdict = "same" if agrees(row.value, printed) else "erratum"
            note = beginnings.index(printed.erratum) + 1 if printed.erratum else 0
        here = row.short or more_digits(row.value, printed.reads or printed.text)
        rows.append(ComparedRow(row.what, row.how, printed.text, here, verdict, note))
    stated = [erratum_of(each) for each in beginnings]
    return ComparedExample(rows, stated, bool(digits), any(row.how for row in rows))
