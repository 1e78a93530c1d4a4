"""The files of a folder of mt-metrics-eval: their roles, and writing them."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from judgments.files.names import free_name
from judgments.files.texts import SegmentTexts
from judgments.files.uploads import Folder, ReleaseFile
from judgments.stats.mqm import Scheme

from .human_scores import HumanScores
from .presets import asks_scores
from .records import JudgedScreen, JudgmentsPart, MarkedSpan, TextsPart

# A line that stands for a missing translation (`data.py` of mt-metrics-eval).
NO_TRANSLATION = "[No translation supplied]"
RATING, SCORE = ".seg.rating", ".score"
LEVELS = ("sys", "domain", "doc", "seg")
PLAIN = re.compile(r"[\w-]{1,60}")  # the name of a rater that can be placed between two dots


def human_scores(
    languages: str, files: Sequence[ReleaseFile], n_segments: int
) -> tuple[list[HumanScores], list[str]]:
    """Return the kinds of human scores in some files, and sentences about what is left out. Raise
    ImportProblem for scores that are not of each of the segments.

    `en-de.mqm.merged.seg.rating` belongs to the scores of `en-de.mqm.seg.score`.
    """
    scores: dict[str, dict[str, ReleaseFile]] = defaultdict(dict)
    ratings: list[tuple[str, ReleaseFile]] = []
    notes = []
    for file in files:
        name = file.name.removeprefix(f"{languages}.")
        if name.endswith(RATING):
            ratings.append((name.removesuffix(RATING), file))
        elif name.endswith(SCORE) and name.removesuffix(SCORE).rpartition(".")[2] in LEVELS:
            kind, _, level = name.removesuffix(SCORE).rpartition(".")
            scores[kind][level] = file
        else:
            notes.append(f"{file.path} was left out: its name is not one of human scores.")
    found = {name: HumanScores(name, scores=files_) for name, files_ in scores.items()}
    for name, file in sorted(ratings):
        kind, _, rater = name.rpartition(".")
        if name in found or not kind:
            kind, rater = name, "rater"
        found.setdefault(kind, HumanScores(kind)).ratings[rater] = file
    for name, each in list(found.items()):
        if name.startswith("esa") and len(each.ratings) > 1:
            # The scores are means over the raters of the errors: a separate campaign.
            found[f"{name} scores"] = HumanScores(name, scores=each.scores)
            each.scores = {}
    for name, each in sorted(found.items()):
        each.n_segments = n_segments
        if not each.ratings and "seg" not in each.scores:
            notes.append(f"The scores {name} were left out: there are no scores of segments.")
    kept = [each for _, each in sorted(found.items()) if each.ratings or "seg" in each.scores]
    return kept, notes + [each.note for each in kept if each.note]


def without_missing(segment: SegmentTexts) -> SegmentTexts:
    outputs = {name: text for name, text in segment.outputs.items() if text != NO_TRANSLATION}
    references = {n: text for n, text in segment.references.items() if text != NO_TRANSLATION}
    return replace(segment, outputs=outputs, references=references)


class NamesMet:
    """The references and systems read so far, in their order."""

    def __init__(self) -> None:
        self.references: dict[str, None] = {}
        self.systems: dict[str, None] = {}

    def meet(self, segment: SegmentTexts) -> None:
        self.references |= dict.fromkeys(segment.references)
        self.systems |= dict.fromkeys(segment.outputs)


# ---- Out ---------------------------------------------------------------------------------------


def pair_of(texts: TextsPart) -> str:
    """Return `en-de`, `en-zh_Hant`: only the languages are separated by a dash."""
    languages = (texts.source_language, texts.target_language)
    return "-".join(tag.replace("-", "_") for tag in languages)


def in_a_line(text: str) -> str:
    """Return a text with spaces for its line breaks, which preserves the places of errors."""
    return text.replace("\r", " ").replace("\n", " ")


def is_written(part: JudgmentsPart) -> bool:
    """Return whether the judgments are scores of single outputs, with or without errors."""
    if not asks_scores(part.preset):
        return False
    first = next(part.screens_without_controls(), None)
    return first is None or bool(first.ratings or first.spans is not None)


def write_human_scores(
    part: JudgmentsPart, texts: TextsPart, lead: str, folder: Folder, taken: set[str]
) -> None:
    """Write the files of a campaign: scores for each dimension, and its marked errors."""
    pair = pair_of(texts)
    segments = [(s.key, s.domain, frozenset(s.outputs)) for s in texts.segments()]
    judged: dict[str, dict[tuple[str, str], list[float]]] = defaultdict(lambda: defaultdict(list))
    marked: dict[tuple[str, str], list[JudgedScreen]] = defaultdict(list)
    for screen in part.screens_without_controls():
        if screen.kind not in ("regular", "repeat"):
            continue
        for system, dimension, value in screen.ratings:
            judged[dimension][screen.segment, system].append(value)
        if screen.spans is not None:
            for system in screen.outputs:
                marked[screen.segment, system].append(screen)
    names = []
    # A score given with errors is written with them if each output was judged once. Otherwise the
    # scores are means, and the errors are written without them.
    weighed = judged.pop("esa_spans", None)
    if weighed is not None and max(map(len, marked.values()), default=0) > 1:
        judged["mqm"] = weighed
    outputs = {f"{system} in {key}": (key, system) for key, _, some in segments for system in some}
    for row in part.published if marked else ():
        # A score that a release gave without errors: nobody's judgment here.
        if row.figure == "segment mean" and row.dimension in judged and row.of in outputs:
            judged[row.dimension].setdefault(outputs[row.of], [float(row.text)])
    for dimension, values in judged.items():
        names.append(name := free_name(dimension.replace("_", "-"), taken))
        taken.add(name)
        write_scores(f"{lead}/human-scores/{pair}.{name}", values, segments, folder)
    if marked:
        # Next to the scores of the same campaign, which have been written.
        known = [name for name in names if name.startswith(("mqm", "esa"))]
        name = known[-1] if known else free_name("mqm", taken)
        taken.add(name)
        weights = part.options.get("weights", {})
        write_ratings(f"{lead}/human-scores/{pair}.{name}", marked, segments, weights, folder)


Places = list[tuple[str, str, frozenset[str]]]  # of segments: key, domain, systems


def write_scores(
    stem: str, values: dict[tuple[str, str], list[float]], segments: Places, folder: Folder
) -> None:
    """Write scores of segments, domains and systems; sums add one number after the other, like the
    toolkit's authors, so that figures agree to the last digit."""
    systems = sorted({system for _, system in values})
    domains = dict.fromkeys(domain for _, domain, _ in segments)
    with (
        folder.text(f"{stem}.seg.score") as write_segment,
        folder.text(f"{stem}.sys.score") as write_system,
    ):
        by_domain: dict[str, dict[str, list[float]]] = {each: defaultdict(list) for each in domains}
        for system in systems:
            scores = []
            for key, domain, _ in segments:
                given = values.get((key, system))
                # A single number is not summed: that would turn −0.0, which releases contain, into
                # 0.0.
                score = None if not given else sum(given[1:], given[0]) / len(given)
                write_segment(f"{system}\t{score!r}\n")
                if score is not None:
                    scores.append(score)
                    by_domain[domain][system].append(score)
            write_system(f"{system}\t{sum(scores) / len(scores)!r}\n")
    if not any(domains):
        return
    with folder.text(f"{stem}.domain.score") as write_domain:
        for domain, of_system in by_domain.items():
            for system in systems:
                rows = of_system[system]
                write_domain(f"{domain}\t{system}\t{sum(rows) / len(rows) if rows else None!r}\n")


def write_ratings(
    stem: str,
    marked: dict[tuple[str, str], list[JudgedScreen]],
    segments: Places,
    weights: Mapping[str, float],
    folder: Folder,
) -> None:
    """Write the k-th judgment of every output to the k-th file, with its rater if there are
    several, or if the only one has a name that the file's cannot contain."""
    scheme = Scheme("campaign", "the campaign", weights)
    raters = {screen.annotator for screens in marked.values() for screen in screens}
    systems = sorted(
        {system for _, system in marked} | {s for _, _, some in segments for s in some}
    )
    only = next(iter(raters)) if len(raters) == 1 else ""
    n_files = max(map(len, marked.values()))
    for k in range(n_files):
        named = only if n_files == 1 and PLAIN.fullmatch(only) else f"rating{k + 1}"
        with folder.text(f"{stem}.{named}{RATING}") as write:
            for system in systems:
                for key, _, _ in segments:
                    screens = marked.get((key, system), [])
                    if k >= len(screens):
                        write(f"{system}\tNone\n")
                        continue
                    errors = json.dumps({"errors": errors_of(screens[k], system, scheme, weights)})
                    end = "" if named == only else f"\t{screens[k].annotator}"
                    write(f"{system}\t{errors}{end}\n")


def errors_of(screen: JudgedScreen, system: str, scheme: Scheme, given: Mapping) -> list[dict]:
    """Return errors for JSON. given: the weights as the release wrote them, 5 or 5.0."""
    as_given = {float(weight): weight for weight in given.values()}

    def score(span: MarkedSpan) -> float:
        weight = scheme.penalty(span.severity, span.category)
        return as_given.get(weight, weight)

    return [
        {
            "start": span.start,
            "end": span.end,
            "category": span.category or None,
            "severity": span.severity,
            "score": score(span),
            "is_source_error": span.side == "source",
        }
        for span in screen.spans or ()
        if span.system == system
    ]
