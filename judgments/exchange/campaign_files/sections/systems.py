"""What is known of the systems of the test set: kind, size, speed, who is human."""

from __future__ import annotations

from judgments.files.texts import LONGEST_NAME
from judgments.models import SystemFacts, facts_of
from judgments.models.system_facts import HUMAN, MOST_PARAMETERS, MOST_WORDS, SYSTEM_KINDS
from judgments.people import access
from judgments.test_sets.system_facts.forms import SystemFactsForm

from ..section import FileSection
from ..shapes import by_name, mapping, shape, some_text

MOST_SYSTEMS = 1_000
FACTS = {
    "kind": some_text(40, f"{', '.join(SYSTEM_KINDS)}, or another word."),
    "parameters": shape(
        "integer", "How many parameters it has.", minimum=1, maximum=MOST_PARAMETERS
    ),
    "words_per_second": shape(
        "number", "How fast it translates.", minimum=1e-6, maximum=MOST_WORDS
    ),
    "human": shape("boolean", "Whether it is a human translation."),
    "control": shape("boolean", "Whether it is a control system of known weakness."),
    "post_edited_from": some_text(LONGEST_NAME, "The system whose outputs people edited."),
}
NAMED = {"is_human": "human", "is_control": "control"}


class SystemsSection(FileSection):
    key = "systems"

    def schema(self):
        words = (
            "Facts of systems, by their names; all optional. For an existing test set, only its "
            "owner may state facts that differ from the stored ones."
        )
        return by_name(mapping(FACTS), words, maxProperties=MOST_SYSTEMS)

    def apply(self, campaign, value, desk):
        if not value:
            return
        test_set = campaign.test_set
        systems = {system.name: system for system in test_set.systems.all()}
        stored = {pk: said_of(facts) for pk, facts in facts_of(test_set).items()}
        for name, said in value.items():
            path = f"systems.{name[:60]}"
            system = systems.get(name)
            if system is None:
                desk.fault(path, "the test set has no such system.")
            elif said == stored.get(system.pk, {}):
                continue
            elif not access.may_manage_test_set(desk.user, test_set):
                desk.fault(path, "only the owner of the test set may state other facts.")
            else:
                self.state(system, said, systems, path, desk)

    def state(self, system, said: dict, systems: dict, path: str, desk) -> None:
        from_whom = said.get("post_edited_from")
        if from_whom is not None and from_whom not in systems:
            desk.fault(f"{path}.post_edited_from", f"the test set has no system {from_whom}.")
            return
        human = {True: "yes", False: "no", None: ""}[said.get("human")]
        edited = systems[from_whom].pk if from_whom is not None else ""
        stated = {"is_human": human, "post_edited_from": edited, "is_control": said.get("control")}
        form = SystemFactsForm(system, said | stated)
        if form.is_valid():
            form.save()
        desk.form_faults(path, form, NAMED)

    def export(self, campaign):
        facts = facts_of(campaign.test_set)
        named = campaign.test_set.systems.order_by("name").values_list("pk", "name")
        return {name: said_of(facts[pk]) for pk, name in named if pk in facts} or None


def said_of(facts: SystemFacts) -> dict:
    """Return the facts as a file says them."""
    found = {
        "kind": facts.kind or None,
        "parameters": facts.parameters,
        "words_per_second": facts.words_per_second,
        "human": None if facts.kind == HUMAN else facts.is_human,
        "control": facts.is_control or None,
        "post_edited_from": getattr(facts.post_edited_from, "name", None),
    }
    return {key: value for key, value in found.items() if value is not None}
