"""The folders of mt-metrics-eval, version 2, in which WMT publishes its evaluations.

    wmt23/sources/en-de.txt                       a segment a line, as in all texts
    wmt23/references/en-de.refA.txt
    wmt23/documents/en-de.docs                    domain TAB document
    wmt23/system-outputs/en-de/GPT4-5shot.txt
    wmt23/human-scores/en-de.mqm.seg.score        system TAB score; .sys.score; .domain.score
    wmt23/human-scores/en-de.mqm.merged.seg.rating   system TAB errors as JSON [TAB rater]
    wmt23/metric-scores/en-de/COMET-refA.seg.score   read by the app `metrics`

The README of github.com/google-research/mt-metrics-eval describes them. Each language pair becomes
a test set, and each kind of human score a campaign: from the marked errors if there are any,
otherwise from the scores of segments, which are means of unnamed raters.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.utils.text import slugify

from judgments.files import texts as text_files
from judgments.files.lines import read_lines
from judgments.files.problem import ImportProblem
from judgments.files.uploads import Folder, ReleaseFile, part_of_name, without

from . import mt_metrics_eval_files as files_of
from .format import Answers, Format
from .human_scores import HumanScores
from .plain_folder import in_documents
from .records import JudgmentsPart, OpenQuestion, Problems, Release, ScoresPart, TextsPart

LANGUAGE = r"[a-z]{2,3}(_[A-Za-z0-9]{2,8})*"  # such as zh_Hant: a dash separates two
PAIR = re.compile(f"{LANGUAGE}-{LANGUAGE}")
YEAR = re.compile(r"wmt[0-9]{2}[a-z0-9.]*")
ROOMS = (
    *("sources", "references", "documents", "metadata"),
    *("system-outputs", "human-scores", "metric-scores"),
)


@dataclass
class PairFiles:
    """The files of one language pair in one folder. rooms: by the name of the subfolder."""

    folder: str
    languages: str
    rooms: dict[str, list[ReleaseFile]] = field(default_factory=lambda: defaultdict(list))

    @property
    def key(self) -> str:
        return f"{self.folder}/{self.languages}"

    @property
    def name(self) -> str:
        return " ".join(filter(None, (self.folder, self.languages)))

    def texts(self, room: str) -> dict[str, ReleaseFile]:
        """Return {name: file} of references or outputs: `en-de.refA.txt` is refA, `AIRC.txt` is
        AIRC."""
        lead = f"{self.languages}." if room == "references" else ""
        return {
            file.name.removesuffix(".txt").removeprefix(lead): file for file in self.rooms[room]
        }


def place_of(file: ReleaseFile) -> tuple[str, str, str] | None:
    """Return the folder of a release, the subfolder and the language pair that a file belongs
    to."""
    parts = [*file.folders, file.name]
    room = next((i for i, part in enumerate(parts[:-1]) if part in ROOMS), None)
    if room is None or len(parts) - room > 3:
        return None
    below = parts[room + 1]
    languages = below if len(parts) - room == 3 else below.split(".")[0]
    if not PAIR.fullmatch(languages):
        return None
    return (parts[room - 1] if room else "", parts[room], languages)


class MtMetricsEval(Format):
    slug = "mt-metrics-eval"
    name = "mt-metrics-eval"
    holds = "a WMT test set with its texts, human scores, marked errors and scores of metrics"
    described = "https://github.com/google-research/mt-metrics-eval"
    writes = True

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        placed = [(place_of(file), file) for file in files]
        pairs = {(p[0], p[2]) for p, _ in placed if p and p[1] == "sources"}
        return [file for p, file in placed if p and (p[0], p[2]) in pairs]

    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        pairs = self.pairs(files)
        wanted = set(answers.get("pairs", "").replace(",", " ").split())
        if missing := wanted - {pair.languages for pair in pairs}:
            known = ", ".join(sorted({pair.languages for pair in pairs}))
            reason = f"there is no language pair {', '.join(sorted(missing))}; there are {known}."
            raise ImportProblem("sources", None, "", reason)
        release = Release()
        if len(pairs) > 1:
            release.questions.append(
                OpenQuestion(
                    "pairs",
                    "Language pairs",
                    f"Of {', '.join(pair.languages for pair in pairs)}; none for all of them.",
                    required=False,
                )
            )
        for pair in pairs:
            if not wanted or pair.languages in wanted:
                self.read_pair(pair, release, problems)
        return release

    @staticmethod
    def pairs(files: Sequence[ReleaseFile]) -> list[PairFiles]:
        found: dict[tuple[str, str], PairFiles] = {}
        for file in files:
            place = place_of(file)
            if place:
                folder, room, languages = place
                pair = found.setdefault((folder, languages), PairFiles(folder, languages))
                pair.rooms[room].append(file)
        return [found[key] for key in sorted(found)]

    def read_pair(self, pair: PairFiles, release: Release, problems: Problems) -> None:
        source, target = (part.replace("_", "-") for part in pair.languages.split("-"))
        year = YEAR.match(pair.folder)
        texts = TextsPart(
            pair.key,
            pair.name,
            source,
            target,
            segments=lambda: self.segments(pair),
            release=year.group() if year else "",
        )
        release.texts.append(texts)
        n_segments = sum(1 for _ in read_lines(pair.rooms["sources"][0].place))
        scored = pair.rooms["human-scores"]
        found, notes = files_of.human_scores(pair.languages, scored, n_segments)
        release.notes += notes
        for scores in found:
            release.judgments.append(self.judgments_part(pair, scores, problems))
        if scored := [f for f in pair.rooms["metric-scores"] if f.name.endswith(".score")]:
            release.scores.append(ScoresPart(pair.key, scored))
        rooms = pair.rooms
        documents = [*rooms["documents"], *rooms["metadata"]]
        for file in (
            *rooms["sources"][1:],
            *documents[1:],
            *without(rooms["metric-scores"], scored),
        ):
            release.notes.append(f"{file.path} was left out: it has no place in the layout.")

    def judgments_part(
        self, pair: PairFiles, scores: HumanScores, problems: Problems
    ) -> JudgmentsPart:
        return JudgmentsPart(
            name=f"{pair.name} {scores.name}",
            texts=pair.key,
            preset=scores.preset,
            options=scores.options,
            screens=lambda: scores.screens(problems),
            published=scores.published(),
        )

    @staticmethod
    def segments(pair: PairFiles) -> Iterator[text_files.SegmentTexts]:
        """Yield the segments. A line that says that there is no translation means none, not an
        empty one. A byte order mark stays, because the toolkit counts it as a character (AIRC of
        WMT23 has one)."""
        documents = pair.rooms["documents"]
        rows = text_files.from_lines(
            pair.rooms["sources"][0].place,
            {name: file.place for name, file in pair.texts("references").items()},
            {name: file.place for name, file in pair.texts("system-outputs").items()},
            documents[0].place if documents else None,
            keep_marks=True,
        )
        if pair.rooms["metadata"] and not documents:  # as in WMT24
            rows = in_documents(rows, pair.rooms["metadata"][0])
        for row in rows:
            yield files_of.without_missing(row)

    # ---- Out -----------------------------------------------------------------------------------

    def may_write(self, release: Release) -> str:
        if any(not texts.has_texts for texts in release.texts):
            return "The folder consists of texts, and the campaign's test set has none."
        if any(not files_of.is_written(part) for part in release.judgments):
            return "mt-metrics-eval supports only scores and marked errors."
        return ""

    def write(self, release: Release, folder: Folder) -> None:
        for texts in release.texts:
            lead = texts.release or slugify(texts.name) or "texts"
            self.write_texts(texts, lead, folder)
            taken: set[str] = set()
            for part in release.judgments:
                if part.texts == texts.key:
                    files_of.write_human_scores(part, texts, lead, folder, taken)
            for scores in release.scores:
                if scores.texts == texts.key and scores.write is not None:
                    scores.write(partial(written, folder, lead), files_of.pair_of(texts))

    @staticmethod
    def write_texts(texts: TextsPart, lead: str, folder: Folder) -> None:
        pair = files_of.pair_of(texts)
        with ExitStack() as stack:
            files: dict[str, Any] = {}

            def line(path: str, text: str, before: int) -> None:
                if path not in files:
                    files[path] = stack.enter_context(folder.text(f"{lead}/{path}"))
                    files[path](f"{files_of.NO_TRANSLATION}\n" * before)
                files[path](files_of.in_a_line(text) + "\n")

            names = files_of.NamesMet()
            for n, segment in enumerate(texts.segments()):
                line(f"sources/{pair}.txt", segment.source, 0)
                line(f"documents/{pair}.docs", f"{segment.domain}\t{segment.document}", 0)
                names.meet(segment)
                for name in names.references:
                    text = segment.references.get(name, files_of.NO_TRANSLATION)
                    line(f"references/{pair}.{part_of_name(name)}.txt", text, n)
                for name in names.systems:
                    text = segment.outputs.get(name, files_of.NO_TRANSLATION)
                    line(f"system-outputs/{pair}/{part_of_name(name)}.txt", text, n)


def written(folder: Folder, lead: str, path: str, text: str) -> None:
    with folder.text(f"{lead}/{path}") as write:
        write(text)
