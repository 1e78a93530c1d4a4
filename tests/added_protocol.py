"""The protocol and the preset shown in CONTRIBUTING.md, added to the running site for a test."""

import re
import sys

import pytest

from judgments import protocols
from judgments.protocols import PRESETS, PROTOCOLS, Protocol, register
from judgments.protocols.spans import presets as spans

from .packages import ROOT

BLOCK = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.M | re.S)


PACKAGES = "judgments/protocols"
SLUG = ["stumbles"]


def blocks() -> dict[str, str]:
    """Return {path: text} of the complete files in CONTRIBUTING.md."""
    return dict(BLOCK.findall((ROOT / "CONTRIBUTING.md").read_text()))


def add_protocol(monkeypatch: pytest.MonkeyPatch, settings, folder) -> type[Protocol]:
    """Write the files into the folder, and register the class with its presets."""
    for path, text in blocks().items():
        if "stumbles" in path:
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
    # The package is found next to the others; everything it adds is gone after the test.
    monkeypatch.setattr(protocols, "__path__", [*protocols.__path__, str(folder / PACKAGES)])
    modules = [f"judgments.protocols.{name}" for name in ("stumbles", "stumbles.presets")]
    for known, names in ((PROTOCOLS, SLUG), (PRESETS, SLUG), (sys.modules, modules)):
        for name in names:
            monkeypatch.setitem(known, name, None)  # to be removed again
            del known[name]
    protocol = protocols.load(eval(blocks()["protocol"].strip().rstrip(",")))
    register(protocol)
    (first,) = settings.TEMPLATES
    settings.TEMPLATES = [first | {"DIRS": [folder / "templates", *first["DIRS"]]}]
    settings.STATICFILES_DIRS = [folder / "static", *settings.STATICFILES_DIRS]
    return protocol


def add_preset(monkeypatch: pytest.MonkeyPatch):
    """Register the preset that is a single entry among those of `spans`."""
    preset = eval(blocks()["preset"].strip().rstrip(","), dict(vars(spans)))
    monkeypatch.setitem(PRESETS, preset.slug, preset)
    return preset
