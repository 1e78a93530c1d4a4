"""Where the references of the test set come from: translated, post-edited, chosen, by a model."""

from __future__ import annotations

from judgments.files.texts import LONGEST_NAME
from judgments.models import CloningStep, ReferenceFacts, ReferenceKind, reference_facts_of
from judgments.people import access
from judgments.test_sets.reference_facts.forms import ReferenceFactsForm

from ..section import FileSection
from ..shapes import by_name, mapping, one_of, some_text

MOST_REFERENCES = 100
LONGEST_REFERENCE = 100
FACTS = {
    "kind": one_of(ReferenceKind.values, "How it was made."),
    "system": some_text(LONGEST_NAME, "The donor of the whole set, or the model that wrote it."),
    "original": some_text(LONGEST_REFERENCE, "The reference that a corrected copy was made from."),
    "step": one_of(CloningStep.values, "What a corrected copy corrects."),
}


class ReferencesSection(FileSection):
    key = "references"

    def schema(self):
        words = (
            "Where references come from, by their names; all optional. For an existing test set, "
            "only its owner may state facts that differ from the stored ones."
        )
        each = mapping(FACTS, required=["kind"])
        return by_name(each, words, maxProperties=MOST_REFERENCES)

    def apply(self, campaign, value, desk):
        if not value:
            return
        test_set = campaign.test_set
        names = test_set.reference_names
        systems = dict(test_set.systems.order_by("name").values_list("pk", "name"))
        facts = reference_facts_of(test_set)
        originals = {name: said.get("original", "") for name, said in value.items()}
        for name, said in value.items():
            path = f"references.{name[:60]}"
            if name not in names:
                desk.fault(path, "the test set has no such reference.")
            elif name in facts and said == said_of(facts[name]):
                continue
            elif not access.may_manage_test_set(desk.user, test_set):
                desk.fault(path, "only the owner of the test set may state other facts.")
            else:
                data = self.data(said, names, systems, path, desk)
                form = ReferenceFactsForm(
                    test_set, name, names, systems, facts, data, said=originals
                )
                if data is not None and form.is_valid():
                    form.save()
                desk.form_faults(path, form)

    def data(self, said: dict, names: list[str], systems: dict, path: str, desk) -> dict | None:
        """Return what a form is given; None, and a fault, where it names what is not there."""
        of = {name: pk for pk, name in systems.items()}
        donor, original = said.get("system"), said.get("original")
        if donor is not None and donor not in of:
            desk.fault(f"{path}.system", f"the test set has no system {donor}.")
        elif original is not None and original not in names:
            desk.fault(f"{path}.original", f"the test set has no reference {original}.")
        else:
            return said | {"system": of.get(donor, "")}
        return None

    def export(self, campaign):
        facts = reference_facts_of(campaign.test_set)
        names = campaign.test_set.reference_names
        return {name: said_of(facts[name]) for name in names if name in facts} or None


def said_of(facts: ReferenceFacts) -> dict:
    """Return the facts as a file says them."""
    found = {
        "kind": facts.kind,
        "system": getattr(facts.system, "name", ""),
        "original": facts.original,
        "step": facts.step,
    }
    return {key: value for key, value in found.items() if value}
