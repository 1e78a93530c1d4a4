"""Test set → one file that scores its texts on any machine: *Take the texts*.

The file is a zip that Python runs: the texts, the program (`metrics.neural.kit` and what it
imports) and the lock file of the libraries that the neural metrics need.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from judgments.models import Segment, TestSet
from metrics.neural import environment, kit_texts
from metrics.scorers import SCORERS
from metrics.scorers.neural import COMET, BERTScore, Neural
from metrics.scoring.texts import load_outputs, load_sources

# Modules of metrics.neural that serve the site alone.
OF_THE_SITE = ("process.py", "worker.py", "__main__.py")
XCOMET = "Unbabel/XCOMET-XL"
MAIN = """import sys

from metrics.neural.kit import main

sys.exit(main(sys.argv[1:]))
"""
README = """# {name}: texts to score

`{file}` holds the texts of a test set and the program that scores them. It runs as it is, with
Python 3.11 or 3.12:

    python -m venv scoring
    scoring/bin/pip install torch
    unzip -p {file} requirements-neural.txt > requirements-neural.txt
    scoring/bin/pip install --no-deps -r requirements-neural.txt

    scoring/bin/python {file} --list
    scoring/bin/python {file} --metric comet
    scoring/bin/python {file} --metric xcomet --reference {reference}
    scoring/bin/python {file} --callable my_metric:score --name "My metric"

A callable needs no library of these. It is `score(sources, outputs, references)`, called once for
each system, and returns a number for each output. Each call writes NAME.scores.jsonl; bring that
back by *Bring the scores* on the page this file came from. `--help` lists the options.
"""


def kit(test_set: TestSet) -> bytes:
    """Return the file; the same texts make the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members(test_set):
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            packed.writestr(info, content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def file_name(test_set: TestSet) -> str:
    return f"texts-{test_set.pk}.zip"


def members(test_set: TestSet) -> Iterator[tuple[str, bytes]]:
    """Yield (name, content) of each file in the zip."""
    names = test_set.reference_names
    text = README.format(
        name=test_set.name, file=file_name(test_set), reference=names[0] if names else "NAME"
    )
    yield "README.md", text.encode()
    yield kit_texts.FILE, texts_of(test_set)
    yield "__main__.py", MAIN.encode()
    yield "metrics/__init__.py", b""
    for file in sorted(files("metrics.neural").iterdir(), key=lambda file: file.name):
        if file.name.endswith(".py") and file.name not in OF_THE_SITE:
            yield f"metrics/neural/{file.name}", file.read_bytes()
    yield environment.LOCK.name, Path(environment.LOCK).read_bytes()


def texts_of(test_set: TestSet) -> bytes:
    """Return texts.jsonl, as metrics.neural.kit_texts describes it."""
    names = sorted(test_set.reference_names)
    systems = dict(test_set.systems.without_copies().order_by("name").values_list("pk", "name"))
    sources = load_sources(test_set, names)
    outputs = load_outputs(sources, list(systems))
    keys = Segment.objects.filter(pk__in=sources.segment_ids).values_list(
        "pk", "key", "document__name"
    )
    named = {pk: (key, document) for pk, key, document in keys}
    lines = []
    for i, pk in enumerate(sources.segment_ids):
        streams = zip(names, sources.references, strict=True)
        of_systems = ((name, outputs[system][i]) for system, name in systems.items())
        row = {
            "segment": named[pk][0],
            "document": named[pk][1],
            "source": sources.sources[i],
            "references": {name: texts[i] for name, texts in streams if texts[i] is not None},
            "outputs": {name: text for name, text in of_systems if text is not None},
        }
        lines.append(as_line(row))
    rest = b"".join(lines)
    about = {
        "mteval_texts": 1,
        "test_set": test_set.name,
        "source_language": test_set.source_language,
        "target_language": test_set.target_language,
        "systems": list(systems.values()),
        "references": names,
        "metrics": metrics_for(test_set),
        "sha256": hashlib.sha256(rest).hexdigest(),
    }
    return as_line(about) + rest


def as_line(row: dict[str, Any]) -> bytes:
    return (json.dumps(row, ensure_ascii=False) + "\n").encode()


def metrics_for(test_set: TestSet) -> dict[str, dict[str, Any]]:
    """Return what the program has to know of each neural metric, by slug."""
    scorers: dict[str, Neural] = {}
    for slug, kind in SCORERS.items():
        if issubclass(kind, BERTScore):
            scorers[slug] = kind(language=test_set.target_language.split("-")[0])
        elif issubclass(kind, Neural):
            scorers[slug] = kind()
    told = {slug: scorer.as_told_to_kits() for slug, scorer in scorers.items()}
    return told | {"xcomet": COMET(model=XCOMET).as_told_to_kits() | {"name": "XCOMET-XL"}}
