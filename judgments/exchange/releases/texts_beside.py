"""Matching of judgments without texts to texts in the same upload."""

from __future__ import annotations

from dataclasses import replace

from .languages import language_code
from .records import Release, TextsPart


def join_texts(release: Release) -> None:
    """Assign judgments to the only test set with the same languages and all of the segments and
    outputs that they name. If it lacks some, add a note. A part that finds its segments by
    documents does this when it is written (`settle`)."""
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
    """Return the first segment or output that the texts lack; "" if they lack none."""
    outputs = {segment.key: frozenset(segment.outputs) for segment in texts.segments()}
    for segment in bare.segments():
        if segment.key not in outputs:
            return f"segment {segment.key}"
        if lacking := set(segment.outputs) - outputs[segment.key]:
            return f"output of {min(lacking)} for segment {segment.key}"
    return ""
