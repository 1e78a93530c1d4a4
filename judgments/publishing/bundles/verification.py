"""Checking a bundle: its signature, every file, the chain of its judgments, and every figure."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from judgments.models.chains.content import START, digest, sealed
from judgments.models.chains.publication import head_of

from . import archive, report_files, signing
from .figures import SHOWN, ComparedFigures, Make, compare, figures
from .frame import FOLDER, JUDGMENTS
from .problem import BundleProblem
from .project import project_figures, rebuilt_project
from .rebuild import UNREADABLE, RebuiltCampaign, read_lines, rebuilt
from .release import MANIFEST, SCHEMA, SCHEMA_VERSION, SIGNATURE, UNSIGNED

SHA256, CHARACTERS = "_sha256", "_characters"
LONGEST_MANIFEST = 2**24  # bytes
LONGEST_SIGNATURE = 1000
MOST_CHARACTERS = 2**30  # that stand for texts, of which there are hashes
SHORT = 2**20  # bytes; files of this length are read whatever they should be
SAID = 50  # of each check, how many things are said one by one
# What a manifest says, as far as anything depends on it.
KINDS: dict[str, type] = {
    **dict.fromkeys(("campaign", "texts", "code_version", "head", "key"), str),
    "judgments": int,
    "files": dict,
    "needs_texts": list,
}
OF_PROJECT: dict[str, type] = {
    **dict.fromkeys(("texts", "code_version", "key"), str),
    **dict.fromkeys(("project", "files"), dict),
    **dict.fromkeys(("campaigns", "left_out", "needs_texts"), list),
    **dict.fromkeys(("judgments", "hidden_campaigns"), int),
}
SIGNED = "Signed with the key"
HASHED = (f"{report_files.FOLDER}/", "campaign-file")  # what no figure comes from


Compare = Callable[[str, str, str], ComparedFigures]


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

    @property
    def name(self) -> str:
        """Of the campaign or the project."""
        if "project" in self.manifest:
            return self.manifest["project"]["name"]
        return self.manifest["campaign"]

    def add(self, file: str, part: Verdict) -> None:
        """What came of a campaign of a project. Who signed it is known already."""
        self.wrong += [f"{file}: {sentence}" for sentence in part.wrong]
        own = [each for each in part.told if not each.startswith(SIGNED)]
        self.told += [each for each in own if each not in self.told]
        self.figures += [replace(each, name=f"{file}: {each.name}") for each in part.figures]
        self.left |= {f"{file}: {name}": reason for name, reason in part.left.items()}


def verify(file: Path, key: str = "") -> Verdict:
    """Check a bundle of a campaign or of a project. key: the public key that has to have signed it.
    Nothing stays in the database. Figures are computed only from files that are as they were
    signed. Raise BundleProblem for a file that is no bundle."""
    with tempfile.TemporaryDirectory(prefix="mteval-release-") as place:
        folder = Path(place, "bundle")
        archive.unpack(file, folder)
        manifest = read_manifest(folder)
        if "project" in manifest:
            return _verify_project(folder, manifest, key)
        return _verify_campaign(folder, manifest, key)


def _verify_campaign(folder: Path, manifest: dict[str, Any], key: str) -> Verdict:
    verdict = Verdict(manifest)
    verdict.wrong += first_of(check_signature(folder, verdict, key))
    verdict.wrong += first_of(check_files(folder, manifest))
    verdict.wrong += first_of(check_texts(folder))
    verdict.wrong += first_of(check_chain(folder, manifest))
    if not verdict.wrong:
        recompute(folder, verdict)
    return verdict


def _verify_project(folder: Path, manifest: dict[str, Any], key: str) -> Verdict:
    """Return each campaign as one alone, by the same key; then the tables of all."""
    verdict = Verdict(manifest)
    verdict.wrong += first_of(check_signature(folder, verdict, key))
    verdict.wrong += first_of(check_files(folder, manifest))
    if verdict.wrong:
        return verdict
    verdict.told += left_out(manifest)
    folders, n_bytes = [], archive.MOST_BYTES
    for n, each in enumerate(manifest["campaigns"]):
        name = each["file"]
        folders.append(folder.parent / str(n))
        try:
            n_bytes -= archive.unpack(folder / name, folders[-1], n_bytes)
            own = read_manifest(folders[-1])
            if "project" in own:
                raise BundleProblem("It is not a release of a campaign.")
            verdict.add(name, _verify_campaign(folders[-1], own, manifest["key"]))
        except BundleProblem as problem:
            raise BundleProblem(f"{name}: {problem}") from None
    if not verdict.wrong:
        tell_version(verdict)
        with rebuilt_project(manifest, folders) as results:
            _recompute_figures(folder, partial(project_figures, results), verdict)
    return verdict


def left_out(manifest: dict[str, Any]) -> Iterator[str]:
    """Yield what a project has beside the campaigns in its bundle."""
    if names := manifest["left_out"]:
        yield f"Campaigns of the project that are left out: {', '.join(map(str, names))}."
    if n := manifest["hidden_campaigns"]:
        yield f"Campaigns that are left out and not named: {n}."


def first_of(sentences: Iterator[str]) -> list[str]:
    """Return the first ones, and how many more there are: a hostile file may have millions."""
    found = list(islice(sentences, SAID))
    if n_more := sum(1 for _ in sentences):
        found.append(f"And {n_more:,} more like the last.")
    return found


def read_manifest(folder: Path) -> dict[str, Any]:
    """Raise BundleProblem for one that is missing, no JSON, of a later version or not as ours."""
    path = folder / MANIFEST
    if not path.is_file():
        raise BundleProblem(f"It has no {MANIFEST}: it is not a release of mteval.")
    if path.stat().st_size > LONGEST_MANIFEST:
        raise BundleProblem(f"Its {MANIFEST} is longer than {LONGEST_MANIFEST:,} bytes.")
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        raise BundleProblem(f"Its {MANIFEST} cannot be read: it is damaged, or not ours.") from None
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise BundleProblem(f"Its {MANIFEST} is not that of a release of mteval.")
    version = found.get("schema_version")
    if version != SCHEMA_VERSION:
        raise BundleProblem(f"It has version {version!r}, which only a later mteval can read.")
    kinds = OF_PROJECT if "project" in found else KINDS
    wrong = [key for key, kind in kinds.items() if not isinstance(found.get(key), kind)]
    if not wrong and "project" in found:
        wrong = [key for key in ("project", "campaigns") if not is_as_ours(key, found)]
    if wrong or found["texts"] not in ("full", "hashes"):
        raise BundleProblem(f"Its {MANIFEST} has no valid {(wrong or ['texts'])[0]}.")
    if found["needs_texts"] and found["texts"] == "full":
        raise BundleProblem(
            f"Its {MANIFEST} says that texts are there, and that figures lack them."
        )
    return found


def is_as_ours(key: str, found: dict[str, Any]) -> bool:
    """Return whether a manifest says what a project is called, and which files its campaigns
    are."""
    said = found[key]
    if key == "project":
        return all(isinstance(said.get(name), str) for name in ("name", "address"))
    return bool(said) and all(
        isinstance(each, dict)
        and isinstance(each.get("file"), str)
        and each.get("file") in found["files"]
        and isinstance(each.get("dimension"), str)
        for each in said
    )


def check_signature(folder: Path, verdict: Verdict, key: str) -> Iterator[str]:
    """Yield whether the manifest is as it was signed, and by whom."""
    try:
        own = signing.read_key(str(verdict.manifest.get("key", "")))
    except ValueError:
        yield f"{MANIFEST}: its key is not valid."
        return
    path = folder / SIGNATURE
    if not path.is_file():
        yield f"{SIGNATURE} was removed."
        return
    with path.open("rb") as stream:
        signature = stream.read(LONGEST_SIGNATURE).decode("ascii", errors="replace")
    if not signing.is_signed((folder / MANIFEST).read_bytes(), signature, key or own):
        if key and signing.is_signed((folder / MANIFEST).read_bytes(), signature, own):
            yield f"Signed with another key: {signing.fingerprint(own)}."
        else:
            yield f"{MANIFEST} or {SIGNATURE} was altered: the signature does not match."
        return
    by = f"{SIGNED} {signing.fingerprint(own)}"
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
    """Yield each text has its own hash, so that the one that was altered is named; and what stands
    for texts has a length that can be made."""
    n_characters = 0
    for path in sorted((folder / FOLDER).glob("*.jsonl")):
        try:
            for n, row in enumerate(read_lines(path), 1):
                for name in [key for key in row if key.endswith(SHA256)]:
                    text = row.get(name.removesuffix(SHA256))
                    if text is not None and _hash(text) != row[name]:
                        yield f"{FOLDER}/{path.name}, line {n}: the text is not the one hashed."
                n_characters += sum(_length(row[key]) for key in row if key.endswith(CHARACTERS))
        except BundleProblem as problem:
            yield f"{FOLDER}/{problem}"
        except UnicodeDecodeError:
            yield f"{FOLDER}/{path.name}: not in UTF-8."
    if n_characters > MOST_CHARACTERS:
        yield f"{FOLDER}: its texts would have {n_characters:,} characters."


def _length(said: Any) -> int:
    return said if isinstance(said, int) else 0


def _hash(text: Any) -> str:
    return hashlib.sha256(str(text).encode(errors="surrogatepass")).hexdigest()


def check_chain(folder: Path, manifest: dict[str, Any]) -> Iterator[str]:
    """Yield whether each judgment is the one that was sealed at its place, and whether all are
    there."""
    path = folder / JUDGMENTS
    if not path.is_file():
        if JUDGMENTS not in manifest["files"]:  # said already where it is listed
            yield f"It has no {JUDGMENTS}."
        return
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
        tasks = [[task, place, hashed.hex()] for task, (place, hashed) in sorted(ends.items())]
        fits = head_of(tasks) == manifest["head"]
    except BundleProblem as problem:
        yield str(problem)
    except UNREADABLE as problem:
        yield f"{JUDGMENTS}, after {len(ends):,} tasks: cannot be read: {problem}"
    else:
        n, said = sum(place for place, _ in ends.values()), manifest["judgments"]
        if not fits:
            yield f"{JUDGMENTS}: the chains do not end as the manifest says."
        elif n != said:
            yield f"{JUDGMENTS}: {n:,} judgments, of which the manifest says {said:,}."


def _erased(row: dict[str, Any]) -> bytes:
    """Return the hash that stays of a judgment that was erased."""
    return bytes.fromhex(row["erased"])


def recompute(folder: Path, verdict: Verdict) -> None:
    """Make every figure again, and compare it with the bundle's. Of a bundle of this very version
    each of its figures has to come out; another version may make others."""
    tell_version(verdict)
    with rebuilt(folder) as copy:
        _recompute_figures(folder, partial(figures, copy), verdict)
        _recompute_report(folder, copy, verdict)


def tell_version(verdict: Verdict) -> None:
    version = verdict.manifest["code_version"]
    if version != settings.VERSION:
        sentence = f"Made by version {version}; this is version {settings.VERSION}."
        verdict.told += [sentence] if sentence not in verdict.told else []


def _recompute_figures(
    folder: Path, made: Callable[[], Iterator[tuple[str, Make]]], verdict: Verdict
) -> None:
    needs_texts = set(map(str, verdict.manifest["needs_texts"]))
    listed = {name for name in verdict.manifest["files"] if name.startswith("results/")}
    for name, make in _every_figure(made):
        if name not in listed:
            if verdict.manifest["texts"] == "full":
                verdict.told.append(f"{name} is not in the bundle; this version makes it.")
            continue
        listed.discard(name)
        if name in needs_texts:
            verdict.left[name] = "it needs the texts, of which the bundle has hashes alone"
            continue
        _recompute_one(folder, name, make, verdict)
    for name in sorted(listed):
        _leave(name, "this version does not make it", verdict)


def _every_figure(made: Callable[[], Iterator[tuple[str, Make]]]) -> list[tuple[str, Make]]:
    try:
        return list(made())
    except Exception as error:  # whatever keeps the pages from being listed
        raise BundleProblem(f"It has no pages of results: {_sentence(error)}") from error


def _recompute_report(folder: Path, copy: RebuiltCampaign, verdict: Verdict) -> None:
    """The report's Markdown, whose words hang on the version; HTML and PDF are hashed alone."""
    name = report_files.COMPUTED
    if name not in verdict.manifest["files"]:
        return
    hashed = sorted(
        each for each in verdict.manifest["files"] if each.startswith(HASHED) and each != name
    )
    verdict.told.append(f"Hashed, not made again: {', '.join(hashed)}.")
    if verdict.manifest["code_version"] != settings.VERSION:
        verdict.left[name] = "its words are those of another version"
        return
    has_texts = verdict.manifest["texts"] == "full"
    _recompute_one(
        folder,
        name,
        lambda: report_files.report_again(copy, has_texts=has_texts),
        verdict,
        partial(report_files.compared_report, has_texts=has_texts),
    )


def _recompute_one(
    folder: Path, name: str, make: Make, verdict: Verdict, against: Compare = compare
) -> None:
    try:
        with transaction.atomic():
            now = make()
    except Exception as error:  # noqa: BLE001  whatever keeps a page from being made is said, and others go on
        _leave(name, _sentence(error), verdict)
        return
    path = folder / name
    if path.stat().st_size > 4 * len(now) + SHORT:  # four bytes are a character's most
        verdict.wrong.append(f"{name}: {path.stat().st_size:,} bytes, far more than it has here.")
        return
    try:
        _judge(against(name, path.read_text(encoding="utf-8"), now), verdict)
    except UnicodeDecodeError:
        verdict.wrong.append(f"{name}: not in UTF-8.")


def _leave(name: str, reason: str, verdict: Verdict) -> None:
    """A figure that is not made here: its bundle is wrong if this very version made it."""
    if verdict.manifest["code_version"] == settings.VERSION:
        verdict.wrong.append(f"{name}: in the bundle, and not made here: {reason}.")
    else:
        verdict.left[name] = reason


def _sentence(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).split(chr(10))[0]}"


def _judge(found: ComparedFigures, verdict: Verdict) -> None:
    verdict.figures.append(found)
    if found.different:
        more = len(found.different) - SHOWN
        shown = "; ".join(found.different[:SHOWN]) + (f"; and {more:,} more" if more > 0 else "")
        verdict.wrong.append(f"{found.name}: {shown}.")
