"""Files of worked examples: every key is known, none is missing, no value is lost."""

import pytest
import yaml

from metrics.lessons.examples import MODULES, bleu
from metrics.lessons.examples.example_files import SHARED_FIELDS, read_examples

EXAMPLE = """
- slug: bleu
  title: BLEU
  topic: Runs of words
  about: Of one output.
  fields:
    - output
    - {name: seed, label: Seed, kind: whole}
  compute: compute_bleu
  guides: [metrics]
  values: {seed: "1"}
  cases:
    - slug: a
      title: A
      source: Made up here
      values: {output: a}
      printed: {p1: "1/1", bleu: {text: "1.0", erratum: The BLEU}}
"""


def test_an_example():
    (example,) = read_examples(bleu, EXAMPLE)
    (case,) = example.cases
    assert example.compute is bleu.compute_bleu
    assert [field.label for field in example.fields] == ["Output", "Seed"]
    assert case.values == {"seed": "1", "output": "a"}
    assert [each.erratum for each in case.printed.values()] == ["", "The BLEU"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("guides:", "guide:", "bleu.yaml, example 1: unknown key guide."),
        ("  topic: Runs of words\n", "", "bleu.yaml, example 1: missing key topic."),
        (
            "compute_bleu",
            "compute",
            "example 1: metrics.lessons.examples.bleu has no function compute.",
        ),
        ("- output\n", "- outptu\n", "bleu.yaml, example 1, field 1: fields.yaml has no field"),
        ("kind:", "kinds:", "bleu.yaml, example 1, field 2: unknown key kinds."),
        (
            "kind: whole",
            "choices: {1: one}",
            "bleu.yaml, example 1, field 2, choices: 1 is no text",
        ),
        ("      source: Made up here\n", "", "example 1, case 1: missing key source."),
        ("      values: {output: a}\n", "", "example 1, case 1: missing key values."),
        ("values: {output: a}", "values: {}", "example 1, case 1, values: missing key output."),
        ("{output: a}", "{output: a, x: b}", "example 1, case 1, values: unknown key x."),
        ('"1"}', "1}", "example 1, case 1, values: seed is no text; put quotes around it."),
        ('"1/1"', "0.50", "example 1, case 1, printed p1: text is no text"),
        ("erratum:", "errata:", "example 1, case 1, printed bleu: unknown key errata."),
        ("{text: ", "{reads: ", "example 1, case 1, printed bleu: missing key text."),
        (EXAMPLE, "- bleu", "bleu.yaml, example 1: this needs keys."),
        ("    - slug: a\n      title: A\n", "    - A\n    - slug: b\n", "case 1: this needs keys."),
    ],
)
def test_what_does_not_fit_is_named_with_its_place(old, new, message):
    assert old in EXAMPLE
    with pytest.raises(ValueError) as refused:
        read_examples(bleu, EXAMPLE.replace(old, new))
    assert message in str(refused.value)


def twice(node):
    """Yield the keys that occur twice in one mapping: YAML would silently keep the last."""
    if isinstance(node, yaml.MappingNode):
        keys = [key.value for key, _ in node.value]
        yield from {key for key in keys if keys.count(key) > 1}
        for _, value in node.value:
            yield from twice(value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from twice(value)


def test_no_key_stands_twice():
    folder = SHARED_FIELDS.parent
    files = {SHARED_FIELDS.name, *(f"{module.__name__.split('.')[-1]}.yaml" for module in MODULES)}
    assert {path.name for path in folder.glob("*.yaml")} == files
    for name in files:
        assert list(twice(yaml.compose((folder / name).read_text()))) == [], name
