"""What annotators are asked: a preset, and the options above it."""

from __future__ import annotations

import re
from typing import Any

from django.core.exceptions import ValidationError

from judgments.protocols import PRESETS, PROTOCOLS, preset_named, protocol_of
from judgments.protocols.options import Option, Options

from ..nodes import within
from ..section import FileSection, NotInAFile
from ..shapes import Shape, mapping, one_of, shape

LINE = re.compile(r"Line (\d+): (.*)", re.DOTALL)


class PresetSection(FileSection):
    """Its value is the preset itself."""

    key = "preset"
    is_required = True

    def schema(self):
        names = " ".join(f"{slug}: {preset.name}." for slug, preset in PRESETS.items())
        return one_of(PRESETS, f"What annotators are asked. {names}")

    def read(self, value, desk):
        return PRESETS[value]

    def apply(self, campaign, value, desk):
        campaign.preset = value.slug
        campaign.protocol = value.protocol

    def export(self, campaign):
        if campaign.preset not in PRESETS:
            name = preset_named(campaign.preset).name
            raise NotInAFile(f"A campaign cannot begin with “{name}”: its judgments were imported.")
        if reason := protocol_of(campaign).why_only_read():
            raise NotInAFile(f"Nobody can judge in this campaign. {reason}")
        return campaign.preset


def fields_of(preset) -> tuple[Option, ...]:
    return PROTOCOLS[preset.protocol].every_option(preset)


def options_of(preset) -> Shape:
    return mapping({option.slug: option.schema() for option in fields_of(preset)})


def preset_value(preset, option: Option) -> Any:
    """Return what the option is where nobody sets it, as the form New campaign shows it."""
    return option.initial(PROTOCOLS[preset.protocol].reads.read(preset.options))


class OptionsSection(FileSection):
    """The options that the form New campaign has for the preset. What a file does not set has the
    value that the form shows at first."""

    key = "options"

    def schema(self):
        words = "What the preset leaves open; which options there are depends on it."
        return shape("object", words)

    def conditions(self):
        return [
            {
                "if": {"properties": {"preset": {"const": preset.slug}}, "required": ["preset"]},
                "then": {"properties": {"options": options_of(preset)}},
            }
            for preset in PRESETS.values()
        ]

    def read(self, value, desk):
        preset = desk.values.get("preset")
        if preset is None:
            return None
        given, found = value or {}, {}
        for option in fields_of(preset):
            try:
                if option.slug in given:
                    found[option.slug] = option.from_file(given[option.slug], desk.user)
                else:
                    shown = preset_value(preset, option)
                    found[option.slug] = option.field(desk.user).clean(shown)
            except ValidationError as error:
                for words in error.messages:
                    self.tell(desk, option.slug, words)
        return found

    def tell(self, desk, slug: str, words: str) -> None:
        """A fault of an option; that of a line of a list is told at its entry."""
        path, match = within(self.key, slug), LINE.fullmatch(words)
        entries = list(getattr(desk.root.get(self.key, {}).get(slug), "places", ()))
        if match and int(match[1]) <= len(entries):
            path, words = within(path, entries[int(match[1]) - 1]), match[2]
        desk.fault(path, words)

    def apply(self, campaign, value, desk):
        preset = desk.values["preset"]
        campaign.options = preset.options | (value or {})
        protocol = PROTOCOLS[preset.protocol]
        found = protocol.problems(preset, campaign.options, campaign.test_set)
        for slug, words in found.items():
            desk.fault(within(self.key, slug or ""), words)

    def export(self, campaign):
        preset = preset_named(campaign.preset)
        read = protocol_of(campaign).options
        found = {}
        for option in fields_of(preset):
            value = getattr(read, option.slug)
            found[option.slug] = list(value) if isinstance(value, tuple) else value
        for name, value in campaign.options.items():
            if name not in {*found, *Options.OF_JUDGMENTS} and value != preset.options.get(name):
                raise NotInAFile(f"No file can describe the option “{name}”, which was imported.")
        first = {option.slug: at_first(preset, option) for option in fields_of(preset)}
        return {slug: value for slug, value in found.items() if value != first[slug]} or None


def at_first(preset, option: Option) -> Any:
    """Return the clean value that stands in the form at first; None where somebody has to choose
    it."""
    if option.of_user:
        return None
    try:
        return option.field(None).clean(preset_value(preset, option))
    except ValidationError:
        return None
