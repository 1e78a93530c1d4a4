"""Numbers of things in words, in the plural that a language asks for."""

from __future__ import annotations

from django.utils.translation import ngettext


def annotators(n: int) -> str:
    return ngettext("%(n)s annotator", "%(n)s annotators", n) % {"n": f"{n:,}"}


def answers(n: int) -> str:
    return ngettext("%(n)s answer", "%(n)s answers", n) % {"n": f"{n:,}"}


def questions(n: int) -> str:
    return ngettext("%(n)s question", "%(n)s questions", n) % {"n": f"{n:,}"}


def documents(n: int) -> str:
    return ngettext("%(n)s document", "%(n)s documents", n) % {"n": f"{n:,}"}


def texts(n: int) -> str:
    return ngettext("%(n)s text", "%(n)s texts", n) % {"n": f"{n:,}"}


def judgments(n: int) -> str:
    return ngettext("%(n)s judgment", "%(n)s judgments", n) % {"n": f"{n:,}"}


def systems(n: int) -> str:
    return ngettext("%(n)s system", "%(n)s systems", n) % {"n": f"{n:,}"}
