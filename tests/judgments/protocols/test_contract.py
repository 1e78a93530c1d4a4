"""A class that breaks the contract of protocols is rejected, with what is missing; options are the
preset's, overridden by the campaign's."""

from dataclasses import dataclass, fields, replace
from types import SimpleNamespace

import pytest

from judgments.protocols import PRESETS, PROTOCOLS, Protocol, register
from judgments.protocols.base import Preset
from judgments.protocols.contract import check
from judgments.protocols.options import Options, yes_no
from judgments.protocols.tables import RATINGS


class Complete(Protocol):
    slug = "complete"
    name = "Complete"
    template = "complete.html"
    kinds = ("ratings",)
    presets = (Preset("complete", "complete", "Complete", "All is there.", ()),)
    table = RATINGS

    def form(self, item, shown, data=None, initial=None):
        raise NotImplementedError

    def observations(self, item, shown, cleaned):
        raise NotImplementedError

    def initial(self, item, shown, judgment):
        raise NotImplementedError


@dataclass(frozen=True)
class OfNothing(Options):
    unit: str = "chapter"


def with_preset(**changes):
    return (replace(Complete.presets[0], **changes),)


def test_a_complete_one_is_taken(monkeypatch):
    for registry in (PROTOCOLS, PRESETS):
        monkeypatch.setitem(registry, "complete", None)
        del registry["complete"]
    register(Complete)
    assert PROTOCOLS["complete"] is Complete and PRESETS["complete"].name == "Complete"
    with pytest.raises(TypeError, match="two presets 'complete'"):
        register(Complete)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"slug": ""}, "it has no `slug`"),
        ({"slug": "Two words", "presets": ()}, "its slug is 'Two words'"),
        ({"name": ""}, "it has no `name`"),
        ({"template": ""}, "it has no `template`"),
        ({"presets": ()}, "it has no `presets`"),
        ({"table": None}, "it has no `table`"),
        (
            {"kinds": ("rating",)},
            "'rating' is not a kind of observations; the kinds are ratings, preferences",
        ),
        ({"reads": OfNothing}, "'chapter' is not a unit; the units are segment, document"),
        ({"presets": with_preset(protocol="other")}, "'complete' is of the protocol 'other'"),
        ({"presets": with_preset(options={"colour": 1})}, "has an option 'colour' that nobody"),
        (
            {"option_fields": classmethod(lambda cls, preset: (yes_no("loud", "Loud"),))},
            "has an option 'loud' that nobody reads",
        ),
    ],
)
def test_what_is_wrong_is_said(change, message):
    broken = type("Broken", (Complete,), change)
    with pytest.raises(TypeError, match="The protocol Broken is not complete: ") as error:
        check(broken)
    assert message in str(error.value)


def test_a_method_that_is_not_written_is_named():
    missing = type("Missing", (Protocol,), dict(vars(Complete)) | {"form": Protocol.form})
    with pytest.raises(TypeError, match="it does not write `form`"):
        check(missing)


@pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=lambda protocol: protocol.slug)
def test_every_option_has_its_default_in_one_place(protocol):
    """Without stored options: every option has the default of the class, with its type."""
    options = protocol.reads.read({}, {})
    assert options == protocol.reads()
    assert {field.name for field in fields(options)} >= {"show_source", "outputs_per_item"}


def test_the_campaign_is_above_the_preset():
    preset = {"show_source": False, "outputs_per_item": 3, "context": "document"}
    campaign = {"outputs_per_item": "2", "context": None, "edits_of": "", "from_before": 1}
    found = Options.read(preset, campaign)
    assert (found.show_source, found.outputs_per_item, found.context) == (False, 2, "document")
    assert found.edits_of == 0


def test_what_would_give_the_answer_away_is_the_presets_alone():
    campaign = SimpleNamespace(
        preset="comprehension", protocol="questions", options={"held_back": [], "show_source": True}
    )
    protocol = PROTOCOLS["questions"](campaign)
    assert protocol.options.held_back == ("source", "reference")
    assert protocol.visible(SimpleNamespace(part="")) == (False, False)
