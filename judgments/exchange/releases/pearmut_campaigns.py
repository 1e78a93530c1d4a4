"""Pearmut's campaigns → test sets and plans.

    {"info": {"assignment": "task-based", "protocol": "ESA", …}, "campaign_id": NAME,
     "data": [[[{"item_id": …, "src": …, "tgt": {MODEL: TEXT}}, …], …], …]}

`data` are users, or after loading {user: …}, with their documents of items; where all draw from one
pool they are documents, and each becomes a batch. Items that may be skipped, and `data_welcome`,
are the tutorial; other items that expect something are attention checks, with the scores that they
expect, but those that are shown now and then (`data_random`) or whose labels are no models are
tutorial items too, so that labels become no systems.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from judgments.files.problem import ImportProblem, shortened
from judgments.stats.mqm import SCHEMES

from .languages import pair_in
from .pearmut_annotations import (
    SLUG,
    ItemStore,
    is_form,
    kind_of,
    length,
    plain,
    plain_token,
    points,
    special_tokens,
)
from .records import Expectation, PlannedItem, PlanPart, Problems

POOLS = ("single-stream", "dynamic")
MOST_PRACTICE = 100
CATEGORIES = {  # of Pearmut's MQM, where a campaign does not name its own
    "Terminology": ["Inconsistent with terminology resource", "Inconsistent use", "Wrong term"],
    "Accuracy": ["Mistranslation", "Overtranslation", "Undertranslation", "Addition", "Omission"],
    "Linguistic conventions": ["Grammar", "Punctuation", "Spelling", "Unintelligible"],
    "Style": ["Register", "Awkward", "Unidiomatic", "Inconsistent"],
    "Other": [],
}


class PearmutCampaign:
    """A campaign as the file has it, checked as far as it is read. Raise ImportProblem; checks
    that expect what cannot be go to the problems."""

    def __init__(self, file: str, campaign: Any, problems: Problems) -> None:
        self.file = file
        self.problems = problems
        info, data = campaign.get("info") or {}, campaign.get("data")
        self.name = str(campaign.get("campaign_id") or "campaign")
        if not isinstance(info, dict) or not isinstance(data, dict | list):
            raise ImportProblem(file, None, "", f"the campaign {self.name} has no info or no data.")
        self.info = info
        try:
            self.tokens = special_tokens(info)
        except ValueError as error:
            raise ImportProblem(file, None, "info", str(error)) from None
        self.data = data
        self.welcome = listed(campaign.get("data_welcome"))
        self.random = listed(campaign.get("data_random"))
        self.items = ItemStore(file)
        self.notes: list[str] = []
        self.batches: list[list[PlannedItem]] = []
        self.practice: list[dict[str, Any]] = []
        self.n_forms = self.n_suggested = self.n_read = self.n_instructed = 0
        self.n_unknown = self.n_marks = self.n_warned = 0  # checks
        self.models: set[str] = set()
        self.most_outputs = 1
        self.n_dynamic = 0

    @property
    def scheme(self) -> str:
        """DA, ESA, cESA or MQM."""
        return str(self.info.get("protocol") or "cESA")

    @property
    def languages(self) -> tuple[str, str]:
        said = [str(self.info.get(f"{side}_language") or "") for side in ("source", "target")]
        if all(said):
            return said[0], said[1]
        return pair_in(self.name)

    def read(self) -> PearmutCampaign:
        is_dynamic = self.info.get("assignment") == "dynamic"
        is_pool = self.info.get("assignment", "single-stream") in POOLS
        users = list(self.data.values()) if isinstance(self.data, dict) else self.data
        tasks = [[document] for document in self.data] if is_pool else users
        self.models = {
            model
            for documents in tasks
            for document in listed(documents)
            for item in listed(document)
            if isinstance(item, dict) and not item.get("validation")
            for model in (item["tgt"] if isinstance(item.get("tgt"), dict) else ())
        }
        for document in (*self.welcome, *self.random):
            self.read_document(document, to_practice=True)
        for documents in tasks:
            batch = []
            for document in listed(documents):
                batch += self.read_document(document)
            if batch:
                self.batches += self.dynamic_batches(batch) if is_dynamic else [batch]
        return self

    def dynamic_batches(self, batch: list[PlannedItem]) -> list[list[PlannedItem]]:
        """Return a document with all of its models, as many at a time as Pearmut shows, in an order
        that is drawn; where the last are fewer, the first come again."""
        n = self.info.get("dynamic_models", 1)
        if type(n) is not int or n < 1:
            raise ImportProblem(self.file, None, "dynamic_models", "it should be a whole number.")
        self.n_dynamic = n
        models = sorted(batch[0].outputs)
        random.Random(f"{self.name} {len(self.batches)}").shuffle(models)
        starts, n = range(0, len(models), n), min(n, len(models))
        groups = [(models[start : start + n] + models)[:n] for start in starts]
        if any(set(item.outputs) != set(models) for item in batch):
            reason = "each item of a document should have the same models."
            raise ImportProblem(self.file, self.n_read, "tgt", reason)
        return [[item.with_outputs(group) for item in batch] for group in groups]

    def read_document(self, document: Any, to_practice: bool = False) -> list[PlannedItem]:
        self.n_read += 1
        if is_form(document):
            self.n_forms += 1
            return []
        if not isinstance(document, list) or not all(isinstance(item, dict) for item in document):
            raise ImportProblem(self.file, self.n_read, "data", "a document is a list of items.")
        found = []
        for place, item in enumerate(document):
            checks = item.get("validation")
            outputs = self.items.outputs(item, self.n_read)
            is_known = not self.models or self.models >= outputs.keys()
            try:
                expected = tuple(self.expected_of(checks, list(outputs)))
            except ImportProblem as problem:
                self.problems.add(problem)
                continue
            if to_practice or (checks and (is_skipped(item, checks) or not is_known)):
                self.practice.append(self.practiced(item, outputs, expected))
                continue
            self.n_instructed += place > 0 and bool(item.get("instructions"))
            self.most_outputs = max(self.most_outputs, len(outputs))
            self.n_suggested += bool(item.get("error_spans"))
            kind = "check" if expected else "control" if checks else kind_of(item)
            self.n_unknown += bool(checks) and not expected
            rules = [rule_of(checks, model) for model in outputs] if expected else []
            self.n_marks += any(rule.get("error_spans") for rule in rules)
            self.n_warned += any(rule.get("warning") for rule in rules)
            key = self.items.add(document, place, self.n_read)
            found.append(PlannedItem(key, tuple(outputs), kind, expected=expected))
        return found

    def expected_of(self, rules: Any, outputs: list[str]) -> Iterator[Expectation]:
        """Yield the scores that an item expects of its outputs. Raise ImportProblem."""
        for model in outputs:
            rule = rule_of(rules, model)
            for name, slug in self.asked.items():
                low, high = ends_of(rule.get(name))
                above = rule.get(f"{name}_greaterthan")
                if low is not None and high is not None and low > high:
                    raise self.fault(f"{name} of “{model}”: {low:g} is above {high:g}.")
                if above is not None:
                    above = named(above, outputs)
                    if above in (None, model):
                        value = shortened(str(rule[f"{name}_greaterthan"]))
                        reason = f"{name}_greaterthan of “{model}”: {value} is not another model of"
                        raise self.fault(f"{reason} this item, by its name or from 0 on.")
                if above or low is not None:
                    yield Expectation(model, slug, low, high, above or "")

    def fault(self, reason: str) -> ImportProblem:
        return ImportProblem(self.file, self.n_read, "validation", reason)

    def practiced(
        self,
        item: Mapping[str, Any],
        outputs: Mapping[str, str],
        scores: tuple[Expectation, ...],
    ) -> dict[str, Any]:
        """As `assignment.practice` reads it."""
        expected: dict[str, Any] = {}
        warnings = []
        place = {model: f"output{n}" for n, model in enumerate(outputs, 1)}
        for each in scores:
            accepted: dict[str, Any] = {}
            if each.low is not None:
                accepted = {"from": each.low, "to": each.high}
            if each.above:
                accepted["above"] = f"{place[each.above]}-{each.dimension}"
            expected[f"{place[each.system]}-{each.dimension}"] = accepted
        for n, (model, text) in enumerate(outputs.items(), 1):
            rule = rule_of(item.get("validation"), model)
            errors = rule.get("error_spans")
            if isinstance(errors, list) and self.marks_errors:
                expected[f"output{n}-spans"] = [expected_error(text, each) for each in errors]
            if isinstance(rule.get("warning"), str):
                warnings.append(rule["warning"])
        words = [plain(item.get("instructions")), *warnings]
        return {
            "source": self.items.text(item, "src", self.n_read),
            "reference": self.items.text(item, "ref", self.n_read),
            "outputs": list(outputs.values()),
            "expected": expected,
            "feedback": "\n\n".join(filter(None, words)),
        }

    # ---- What it asks --------------------------------------------------------------------------

    @property
    def marks_errors(self) -> bool:
        return self.scheme in ("ESA", "cESA", "MQM") and not self.info.get("sliders")

    @property
    def is_xsts_rp(self) -> bool:
        """Whether one score from 1 to 5 is asked for, with the instructions of XSTS+R+P."""
        scales = [(row["low"], row["high"], row["step"]) for row in self.dimensions()]
        return self.info.get("protocol") == "XSTSRP" and scales == [(1.0, 5.0, 1.0)]

    @property
    def asked(self) -> dict[str, str]:
        """{Pearmut's name of a score: the dimension here}"""
        if self.is_xsts_rp:
            return {self.dimensions()[0]["name"]: "xsts_rp"}
        if self.info.get("sliders"):
            return {row["name"]: row["slug"] for row in self.dimensions()}
        return {"score": "esa" if self.marks_errors else "da"}

    def preset(self) -> tuple[str, dict[str, Any]]:
        """Return the preset nearest to the protocol, and its options."""
        n = min(self.most_outputs, self.n_dynamic or self.most_outputs)
        options: dict[str, Any] = {"outputs_per_item": n}
        if self.is_xsts_rp and n == 1:
            return "xsts-rp", options
        if self.info.get("sliders"):
            return "custom-rating", options | {"dimensions": self.dimensions()}
        if self.scheme == "MQM":
            return "custom-errors", options | {
                "categories": self.categories(),
                "weights": self.weights(),
                "sides": ["target", "missing"],
                "score": True,
            }
        single, several = (
            ("direct-assessment", "contrastive-da")
            if self.scheme == "DA"
            else ("esa", "contrastive-esa")
        )
        return (single if n == 1 else several), options

    def dimensions(self) -> list[dict[str, Any]]:
        found = []
        for slider in listed(self.info.get("sliders")):
            try:
                name, ends = str(slider["name"]), [float(slider[e]) for e in ("min", "max", "step")]
            except (TypeError, KeyError, ValueError):
                reason = "a slider has a name, min, max and step."
                raise ImportProblem(self.file, None, "sliders", reason) from None
            slug = SLUG.sub("_", name.lower()).strip("_") or "slider"
            low, high, step = ends
            found.append({"slug": slug, "name": name, "low": low, "high": high, "step": step})
        return found

    def categories(self) -> list[str]:
        tree = self.info.get("mqm_categories")
        tree = tree if isinstance(tree, dict) else CATEGORIES
        return [
            f"{branch}/{leaf}" if leaf else branch
            for branch, leaves in tree.items()
            for leaf in (listed(leaves) or [""])
            if branch and isinstance(leaf, str)
        ]

    @property
    def severities(self) -> list[str]:
        return [str(name).lower() for name in listed(self.info.get("mqm_severities"))]

    def weights(self) -> dict[str, float]:
        weights = SCHEMES["appraise"].weights
        return {name: weights.get(name, 1.0) for name in self.severities or ["minor", "major"]}

    def plan(self, texts: str) -> PlanPart:
        preset, options = self.preset()
        return PlanPart(
            self.name,
            texts,
            preset,
            lambda: iter(self.batches),
            options=options,
            instructions=plain(self.info.get("instructions")),
            practice=self.practice[:MOST_PRACTICE],
        )

    def said(self) -> Iterator[str]:
        """Yield what stays outside."""
        if self.n_dynamic:
            yield (
                f"Pearmut shows {self.n_dynamic} models of a document, drawn by how good they are; "
                f"here each document has all models, {self.n_dynamic} at a time, drawn evenly."
            )
        if self.n_instructed:
            yield f"The instructions of {self.n_instructed:,} items within documents are left out."
        unset = [name for name in self.tokens if plain_token(name).lower() != "missing"]
        if unset and self.marks_errors:
            yield f"Nobody can set the marks of a whole translation here: {', '.join(unset)}."
        if self.n_forms:
            yield f"{self.n_forms:,} forms about the annotator are left out."
        if self.n_suggested:
            yield f"The suggested errors of {self.n_suggested:,} items are left out."
        if self.n_unknown:
            yield (
                f"{self.n_unknown:,} attention checks that expect no scores are imported as "
                "items that everybody judges."
            )
        if self.n_marks:
            yield f"Of {self.n_marks:,} attention checks the errors that they expect are left out."
        if self.n_warned:
            yield (
                f"{self.n_warned:,} attention checks warn annotators who fail them; here "
                "they are silent."
            )
        if self.info.get("sliders") and self.scheme not in ("DA", "XSTSRP"):
            yield "Errors are not asked for, because the campaign has sliders of its own."


def listed(value: Any) -> list:
    return value if isinstance(value, list) else []


def is_skipped(item: Mapping[str, Any], rules: Any) -> bool:
    """Return whether it teaches: an annotator may go on without the expected answer."""
    each = rules.values() if isinstance(rules, dict) else ()
    return bool(item.get("skippable")) or any(
        isinstance(rule, dict) and rule.get("allow_skip") for rule in each
    )


def rule_of(rules: Any, model: str) -> dict[str, Any]:
    """Return what is expected of a model; a list of one rule is that rule."""
    rule = rules.get(model) if isinstance(rules, dict) else None
    rule = rule[0] if isinstance(rule, list) and len(rule) == 1 else rule
    return rule if isinstance(rule, dict) else {}


def ends_of(value: Any) -> tuple[float | None, float | None]:
    """Return a range of scores, or the one score that is right."""
    if type(value) in (int, float):
        return value, value
    return (value[0], value[1]) if is_range(value) else (None, None)


def named(model: Any, outputs: list[str]) -> str | None:
    """Return a model by its name, or by its place from 0 on, as Pearmut's guide has it."""
    if type(model) is int:
        return outputs[model] if 0 <= model < len(outputs) else None
    return model if isinstance(model, str) and model in outputs else None


def is_range(value: Any) -> bool:
    return isinstance(value, list) and [type(n) in (int, float) for n in value] == [True, True]


def inner(place: Any, pick: Callable) -> Any:
    return pick(place) if isinstance(place, list) and is_range(place) else place


def expected_error(text: str, rule: Any) -> dict[str, Any]:
    """As `protocols.spans.practice` reads it: of ranges of places the inner ones."""
    rule = rule if isinstance(rule, dict) else {}
    first, last = inner(rule.get("start_i", 0), max), inner(rule.get("end_i", 0), min)
    severity = rule.get("severity")
    found = {"severity": severity.lower()} if isinstance(severity, str) else {}
    if type(first) is not int or type(last) is not int or first >= length(text):
        return {"side": "missing"} | found
    start, end = points(text, max(first, 0)), points(text, min(last + 1, length(text)), up=True)
    return {"start": start, "end": max(end, start + 1)} | found
