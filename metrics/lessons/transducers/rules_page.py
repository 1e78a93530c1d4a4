"""Networks of hierarchical rules in words, each with its drawing and its arcs."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .page import MachineStep, StepWords, machine_step, sequences
from .rule_steps import RuleSteps

# A network for each span may be many: the longest ones are shown.
MOST_NETWORKS = 12
EXPANDED = "W = minimize (replace (S))"


def network_steps(steps: RuleSteps) -> tuple[list[MachineStep], int]:
    """Return the networks that are shown, and how many more there are."""
    shown = list(steps.used)[:MOST_NETWORKS]
    return [network_step(name, steps) for name in shown], len(steps.used) - len(shown)


def network_step(name: str, steps: RuleSteps) -> MachineStep:
    machine = steps.found.machines[name]
    letter = name.strip()
    if name == steps.found.root:
        title = _("The sentence")
        text = _("Networks of spans that follow each other, from the first word to the last.")
    else:
        title = _("The words “%(words)s”") % {"words": steps.used[name]}
        text = _(
            "A path for each rule that covers the words. An arc T[a,b] stands for the network of "
            "the words a to b, which are in a gap of the rule."
        )
    n = sum(arc.output in steps.found.machines for _state, arc in machine.all_arcs())
    finding = ngettext("%(n)s arc stands for a network", "%(n)s arcs stand for networks", n) % {
        "n": n
    }
    return machine_step(StepWords(letter, title, text), finding, machine)


def whole_steps(steps: RuleSteps) -> list[MachineStep]:
    """Return what becomes of the networks: expanded, and weighed by a language model."""
    expansion = StepWords(
        "W",
        _("The networks, expanded"),
        _(
            "Every arc that stands for a network is replaced by it; ε is removed, and the rest "
            "made deterministic and minimal."
        ),
        EXPANDED,
    )
    found = [machine_step(expansion, sequences(steps.n_translations), steps.whole)]
    if steps.language_model:
        composed = StepWords(
            "WL",
            _("The language model, composed"),
            _("Its weights are added to those of the rules; the shortest path is left."),
            "W ∘ L",
        )
        machine = steps.language_model.machine
        found.append(machine_step(composed, sequences(steps.n_translations), machine))
    return found
