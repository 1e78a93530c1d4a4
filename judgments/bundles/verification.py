"""Checking a bundle: its signature, every file, the chain of its judgments, and every figure."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from judgments.chain.content import START, digest, sealed
from judgments.chain.publication import head_of

from . import archive, report_files, signing
from .figures import SHOWN, ComparedFigures, compare, figures
from .frame import FOLDER, JUDGMENTS
from .problem import BundleProblem
from .rebuild import RebuiltCampaign, read_lines, rebuilt
from .release import MANIFEST, SCHEMA, SCHEMA_VERSION, SIGNATURE, UNSIGNED

SHA256 = "_sha256"
HASHED = (f"{report_files.FOLDER}/", "campaign-file")  # what no figure comes from


@dataclass
class Verdict:
    """What came of it. wrong: a sentence for each thing that is not as it was signed, or does not
    come out again; told: what else there is to say; figures: how each file of figures agreed;
    left: {file of figures: why it was not computed}."""

    manifest: dict[str, Any] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    figures: list[ComparedFigures] = field(default_factory=list)
    left: dict[str, str] = field(default_factory=dict)


def verify(file: Path, key: str = "") -> Verdict:
    """Check a bundle. key: the public key that has to have signed it. Nothing stays in the
    database. Figures are computed only from files that are as they were signed. Raises
    BundleProblem for a file that is no bundle."""
    with tempfile.TemporaryDirectory(prefix="mteval-release-") as place:
        folder = Path(place)
        archive.unpack(file, folder)
        verdict = Verdict()
        verdict.manifest = read_manifest(folder)
        verdict.wrong += check_signature(folder, verdict, key)
        verdict.wrong += check_files(folder, verdict.manifest)
        verdict.wrong += check_texts(folder)
        verdict.wrong += check_chain(folder, verdict.manifest)
        if not verdict.wrong:
            recompute(folder, verdict)
    return verdict


def read_manifest(folder: Path) -> dict[str, Any]:
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        is_ours = found["schema"] == SCHEMA
        version = found["schema_version"]
        known = isinstance(found["files"], dict) and isinstance(found["needs_texts"], list)
    except FileNotFoundError:
        raise BundleProblem(f"It has no {MANIFEST}: it is no release of mteval.") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BundleProblem(f"Its {MANIFEST} cannot be read: it is damaged, or not ours.") from None
    if not is_ours or not known:
        raise BundleProblem(f"Its {MANIFEST} is not that of a release of mteval.")
    if version != SCHEMA_VERSION:
        raise BundleProblem(f"It is of version {version}, which a later mteval reads.")
    return found


def check_signature(folder: Path, verdict: Verdict, key: str) -> Iterator[str]:
    """Whether the manifest is as it was signed, and by whom."""
    try:
        own = signing.read_key(str(verdict.manifest.get("key", "")))
    except ValueError:
        yield f"{MANIFEST}: its key is none."
        return
    path = folder / SIGNATURE
    if not path.exists():
        yield f"{SIGNATURE} was removed."
        return
    signature = path.read_bytes().decode("ascii", errors="replace")
    if not signing.is_signed((folder / MANIFEST).read_bytes(), signature, key or own):
        if key and signing.is_signed((folder / MANIFEST).read_bytes(), signature, own):
            yield f"Signed with another key: {signing.fingerprint(own)}."
        else:
            yield f"{MANIFEST} or {SIGNATURE} was altered: the signature does not fit."
        return
    by = f"Signed with the key {signing.fingerprint(own)}"
    ask = "" if key else "; compare it with the one that the site shows, or give --key"
    verdict.told.append(f"{by}{ask}.")


def check_files(folder: Path, manifest: dict[str, Any]) -> Iterator[str]:
    there = set(archive.names_in(folder)) - set(UNSIGNED)
    listed = manifest["files"]
    for name in sorted(listed.keys() - there):
        yield f"{name} was removed."
    for name in sorted(there - listed.keys()):
        yield f"{name} was added."
    for name in sorted(there & listed.keys()):
        if archive.digest_of(folder / name) != listed[name]:
            yield f"{name} was altered."


def check_texts(folder: Path) -> Iterator[str]:
    """Each text has its own hash, so that the one that was altered is named."""
    for path in sorted((folder / FOLDER).glob("*.jsonl")):
        try:
            for n, row in enumerate(read_lines(path), 1):
                for name in [key for key in row if key.endswith(SHA256)]:
                    text = row.get(name.removesuffix(SHA256))
                    if text is not None and _hash(text) != row[name]:
                        yield f"{FOLDER}/{path.name}, line {n}: the text is not the one hashed."
        except (BundleProblem, UnicodeDecodeError) as problem:
            yield f"{FOLDER}/{path.name}: {problem}"


def _hash(text: Any) -> str:
    return hashlib.sha256(str(text).encode(errors="surrogatepass")).hexdigest()


def check_chain(folder: Path, manifest: dict[str, Any]) -> Iterator[str]:
    """Whether each judgment is the one that was sealed at its place, and whether all are there."""
    path = folder / JUDGMENTS
    if not path.exists():
        return  # said already: the manifest lists it
    ends: dict[int, tuple[int, bytes]] = {}
    try:
        for n, row in enumerate(read_lines(path), 1):
            task, place, hashed = row["task"], row["place"], bytes.fromhex(row["hash"])
            where = f"{JUDGMENTS}, line {n} (task {task}, place {place})"
            before = ends.get(task, (0, START))
            said = digest(row["content"]) if "content" in row else _erased(row)
            if place != before[0] + 1:
                yield f"{where}: place {before[0] + 1} is missing before it."
            elif sealed(before[1], said) != hashed:
                yield f"{where}: altered, or not the one that was sealed here."
            ends[task] = (place, hashed)
    except (BundleProblem, KeyError, ValueError, TypeError) as problem:
        yield f"{JUDGMENTS}: cannot be read: {problem}"
        return
    tasks = [[task, place, hashed.hex()] for task, (place, hashed) in sorted(ends.items())]
    if head_of(tasks) != manifest.get("head"):
        yield f"{JUDGMENTS}: the chains do not end as the manifest says."


def _erased(row: dict[str, Any]) -> bytes:
    """The hash that stays of a judgment that was erased."""
    return bytes.fromhex(row["erased"])


def recompute(folder: Path, verdict: Verdict) -> None:
    """Make every figure again, and compare it with the bundle's."""
    version = verdict.manifest.get("code_version")
    if version != settings.VERSION:
        verdict.told.append(f"Made by version {version}; this is version {settings.VERSION}.")
    needs_texts = set(map(str, verdict.manifest["needs_texts"]))
    listed = {name for name in verdict.manifest["files"] if name.startswith("results/")}
    with rebuilt(folder) as copy:
        for name, make in figures(copy):
            if name not in listed:
                if verdict.manifest["texts"] == "full":
                    verdict.told.append(f"{name} is not in the bundle; this version makes it.")
                continue
            listed.discard(name)
            if name in needs_texts:
                verdict.left[name] = "it needs the texts, of which the bundle has hashes alone"
                continue
            _recompute_one(folder, name, make, verdict)
        _recompute_report(folder, copy, verdict)
    verdict.left |= dict.fromkeys(sorted(listed), "this version does not make it")


def _recompute_report(folder: Path, copy: RebuiltCampaign, verdict: Verdict) -> None:
    """The report's Markdown, whose words hang on the version; HTML and PDF are hashed alone."""
    name = report_files.COMPUTED
    if name not in verdict.manifest["files"]:
        return
    hashed = sorted(
        each for each in verdict.manifest["files"] if each.startswith(HASHED) and each != name
    )
    verdict.told.append(f"Hashed, not made again: {', '.join(hashed)}.")
    if verdict.manifest.get("code_version") != settings.VERSION:
        verdict.left[name] = "its words are those of another version"
        return
    before = (folder / name).read_text(encoding="utf-8")
    has_texts = verdict.manifest["texts"] == "full"
    with transaction.atomic():
        found = report_files.compared_report(before, copy, has_texts=has_texts)
    _judge(found, verdict)


def _recompute_one(folder: Path, name: str, make, verdict: Verdict) -> None:
    try:
        with transaction.atomic():
            now = make()
        found = compare(name, (folder / name).read_text(encoding="utf-8"), now)
    except Exception as error:  # whatever keeps a page from being made is said, and others go on
        verdict.left[name] = f"{type(error).__name__}: {str(error).split(chr(10))[0]}"
        return
    _judge(found, verdict)


def _judge(found: ComparedFigures, verdict: Verdict) -> None:
    verdict.figures.append(found)
    if found.different:
        more = len(found.different) - SHOWN
        shown = "; ".join(found.different[:SHOWN]) + (f"; and {more:,} more" if more > 0 else "")
        verdict.wrong.append(f"{found.name}: {shown}.")
