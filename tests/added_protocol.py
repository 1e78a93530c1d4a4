"""The protocol and the preset that CONTRIBUTING.md shows, added to the running site for a test."""

import re
import sys
from types import ModuleType

import pytest

from judgments.protocols import PRESETS, PROTOCOLS
from judgments.protocols.presets import spans

from .packages import ROOT

BLOCK = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.M | re.S)


def blocks() -> dict[str, str]:
    """{path: text} of what CONTRIBUTING.md shows in full."""
    return dict(BLOCK.findall((ROOT / "CONTRIBUTING.md").read_text()))


def add_protocol(monkeypatch: pytest.MonkeyPatch, settings, folder) -> ModuleType:
    """Write the files into the folder, and register the module and its preset."""
    for path, text in blocks().items():
        if "stumbles" in path:
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
    presets = load(monkeypatch, folder, "judgments.protocols.presets.stumbles")
    protocol = load(monkeypatch, folder, "judgments.protocols.stumbles")
    monkeypatch.setitem(PROTOCOLS, protocol.SLUG, protocol)
    for preset in presets.PRESETS:
        monkeypatch.setitem(PRESETS, preset.slug, preset)
    (first,) = settings.TEMPLATES
    settings.TEMPLATES = [first | {"DIRS": [folder / "templates", *first["DIRS"]]}]
    settings.STATICFILES_DIRS = [folder / "static", *settings.STATICFILES_DIRS]
    return protocol


def load(monkeypatch, folder, name: str) -> ModuleType:
    file = folder / (name.replace(".", "/") + ".py")
    module = ModuleType(name)
    module.__package__ = name.rpartition(".")[0]
    exec(compile(file.read_text(), str(file), "exec"), module.__dict__)
    monkeypatch.setitem(sys.modules, name, module)
    return module


def add_preset(monkeypatch: pytest.MonkeyPatch):
    """Register the preset that is one entry among those of `spans`."""
    preset = eval(blocks()["preset"].strip().rstrip(","), dict(vars(spans)))
    monkeypatch.setitem(PRESETS, preset.slug, preset)
    return preset
