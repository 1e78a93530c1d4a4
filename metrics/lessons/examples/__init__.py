"""Editable worked examples from publications, for use in lectures.

To add one, write it into the YAML file of its topic, and the function that computes it into the
module next to the file. A new module needs a line in ``MODULES``.
"""

from . import (
    alignment,
    auto_rank,
    bleu,
    clipping,
    composition,
    corpora,
    draws,
    edits,
    hierarchy,
    language_models,
    orders,
    people,
    phrases,
    samples,
    short_segments,
    words,
)
from .base import ExampleCase, ExampleResult, WorkedExample
from .example_files import read_examples

__all__ = ["EXAMPLES", "ExampleCase", "ExampleResult", "WorkedExample", "by_topic", "example_of"]

# In page order.
MODULES = (
    clipping,
    bleu,
    orders,
    corpora,
    short_segments,
    edits,
    words,
    people,
    auto_rank,
    samples,
    draws,
    alignment,
    phrases,
    composition,
    hierarchy,
    language_models,
)
EXAMPLES: dict[str, WorkedExample] = {
    example.slug: example for module in MODULES for example in read_examples(module)
}


def example_of(slug: str) -> WorkedExample | None:
    return EXAMPLES.get(slug)


def by_topic() -> dict[str, list[WorkedExample]]:
    topics: dict[str, list[WorkedExample]] = {}
    for example in EXAMPLES.values():
        topics.setdefault(example.topic, []).append(example)
    return topics
