"""Judgments without texts and texts that come beside them: which belong together."""

from __future__ import annotations

from dataclasses import replace

from .languages import language_code
from .records import Release, TextsPart


def join_texts(release: Release) -> None:
    """Where the texts of exactly one test set have the same languages and all the segments and
    outputs that judgments name, the judgments are of them. Where they lack some, a note says so.
    A part that finds its segments by documents sees to itself when it is written (`settle`)."""
    joined: dict[str, str] = {}
    for bare in [part for part in release.texts if not (part.has_texts or part.settle)]:
        beside = [
            part for part in release.texts if part.has_texts and languages(part) == languages(bare)
        ]
        if len(beside) != 1:
            continue
        if missing := missing_in(bare, beside[0]):
            release.notes.append(
                f"{bare.name} is imported without texts: {beside[0].name} has no {missing}."
            )
        else:
            joined[bare.key] = beside[0].key
    release.texts = [part for part in release.texts if part.key not in joined]
    release.judgments = [
        replace(part, texts=joined.get(part.texts, part.texts)) for part in release.judgments
    ]


def languages(part: TextsPart) -> tuple[str, str]:
    return language_code(part.source_language), language_code(part.target_language)


def missing_in(bare: TextsPart, texts: TextsPart) -> str:
    """Return the first segment or output that the texts lack, in words; "" for none."""
    outputs = {segment.key: frozenset(segment.outputs) for segment in texts.segments()}
    for segment in bare.segments():
        if segment.key not in outputs:
            return f"segment {segment.key}"
        if lacking := set(segment.outputs) - outputs[segment.key]:
            return f"output of {min(lacking)} for segment {segment.key}"
    return ""
