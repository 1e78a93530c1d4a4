"""Recorded answers of a language model and of people, imported as those of judges.

    python benchmarks/recorded_judges.py ../shared/data [--segments N]

The folder has `12_judges` and `03_mqm_esa_wmt23_en-de`: 207 segments of WMT23 English–German by 13
systems, from the study of error span annotation (Kocmi et al. 2024; Zouhar et al. 2025). A server
on this machine answers each request of a judge with the recorded data of that translation, so that
real errors go through prompts, answers, locating and storing. Two judges:

- *ESA-AI*, asked the campaign's own questions, answers with the errors and scores of the arm in
  which people corrected what GEMBA had marked, each error with the words around it.
- *GEMBA*, asked after GEMBA-ESA, answers in prose with the errors that GEMBA had marked and people
  kept (the others are not recorded), without the words around them, then with 100 plus its own
  score of the segment.

Prints answers, errors, how many of them are where they were recorded, and whether the scores
published as a metric equal the recorded ones; then the correlation with people. For ESA-AI the
study reports Spearman .962 and 93.6 % of pairs with expert MQM, over the segments that have it. The
exit code is 1 if items are not judged, scores differ, or these two figures are not reproduced.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import itertools
import json
import re
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from judge_site import empty_site, judged_by, make_test_set, scores_of_metric
from scipy import stats

from tests.model_endpoint import serving

WMT = "03_mqm_esa_wmt23_en-de"
PUBLISHED = {"spearman": 0.962, "accuracy": 0.936}
AROUND = 20  # characters quoted on either side of an error
SOURCE = re.compile(r"^Source \(English\):\n(.*)$", re.MULTILINE)
TRANSLATION = re.compile(r"^Translation 1 \(German\):\n(.*)$", re.MULTILINE)
Key = tuple[str, str]  # system, line


@dataclass(frozen=True)
class RecordedError:
    """own: marked by GEMBA and kept; else marked or changed by people. Without a place for
    omissions."""

    severity: str
    own: bool
    place: tuple[int, int] | None


@dataclass
class Recorded:
    """The recorded data of a translation. own_score: of GEMBA alone."""

    source: str
    text: str
    score: float
    own_score: float
    errors: list[RecordedError] = field(default_factory=list)


def read(path: Path) -> Iterable[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def read_recorded(data: Path) -> tuple[dict[Key, Recorded], dict[str, str]]:
    """Return the recorded data, and the documents of the lines."""
    rows = {row["line"]: row for row in read(data / WMT / "segments.en-de.tsv.gz")}
    texts = {(r["system"], r["line"]): r["text"] for r in read(data / WMT / "outputs.en-de.tsv.gz")}
    lines = {
        (row["system"], row["document_id"], row["item_id"]): row["line"]
        for row in read(data / WMT / "appraise.en-de.tsv.gz")
        if row["line"]
    }
    own: dict[Key, float] = {}
    n: Counter[str] = Counter()
    with gzip.open(data / "12_judges" / "en-de.LLM.seg.score.gz", "rt") as scores:
        for system, value in (line.rstrip("\n").split("\t") for line in scores):
            if value != "None":
                own[system, str(n[system])] = float(value)
            n[system] += 1
    found = {}
    with gzip.open(data / "12_judges" / "240315rc5GEMBA.scores.csv.gz", "rt") as file:
        judged = sorted(csv.reader(file), key=lambda row: float(row[11]))  # the last one counts
    for row in judged:
        system, is_text = row[1].removeprefix("wmt23."), row[3] == "TGT"
        if row[1].startswith("wmt23.") and is_text and "#duplicate" not in row[7]:
            key = (system, lines[system, row[7], row[2]])
            recorded = Recorded(rows[key[1]]["source"], texts[key], float(row[6]), own[key])
            recorded.errors = [error_of(error, texts[key]) for error in json.loads(row[9])]
            found[key] = recorded
    return found, {line: row["doc_id"] for line, row in rows.items()}


def error_of(error: Mapping, text: str) -> RecordedError:
    """Return the error. GEMBA's ends are exclusive, people's inclusive: so the marks end where
    words do. A place after the text represents an omission."""
    own, start, place = "error_type" not in error, error["start_i"], None
    if start != "missing" and start < len(text):
        place = (start, min(error["end_i"] + (not own), len(text)))
    return RecordedError(error["severity"], own, place)


def usable(errors: Iterable[RecordedError]) -> list[RecordedError]:
    """Return the errors without those whose severity people left open, and those of no width."""
    known = [error for error in errors if error.severity in ("minor", "major")]
    return [error for error in known if error.place is None or error.place[0] < error.place[1]]


def in_json(recorded: Recorded) -> str:
    """Return an answer to the campaign's own questions."""
    marks = []
    for error in usable(recorded.errors):
        start, end = error.place or (0, 0)
        marks.append(
            {
                "quote": recorded.text[start:end],
                "before": recorded.text[max(start - AROUND, 0) : start] if error.place else "",
                "after": recorded.text[end : end + AROUND] if error.place else "",
                "side": "target" if error.place else "missing",
                "severity": error.severity,
            }
        )
    return json.dumps(
        {"translation_1_spans": marks, "translation_1_esa": recorded.score}, ensure_ascii=False
    )


def in_prose(recorded: Recorded) -> str:
    """Return an answer after GEMBA-MQM."""
    parts = []
    for severity in ("critical", "major", "minor"):
        named = []
        for error in usable(recorded.errors):
            if error.own and error.severity == severity:
                start, end = error.place or (0, 0)
                kind = "mistranslation" if error.place else "omission"
                named.append(f'accuracy/{kind} - "{recorded.text[start:end]}"')
        parts += [f"{severity.capitalize()}:", *(named or ["no-error"])]
    return "\n".join(parts)


class Answers:
    """The script of an endpoint with the recorded data of the translation in a request. If systems
    wrote the same text, each request gets the next one's answer."""

    def __init__(self, recorded: Iterable[Recorded]) -> None:
        self.by_text: dict[tuple[str, str], list[Recorded]] = defaultdict(list)
        for each in recorded:
            self.by_text[each.source, each.text.strip()].append(each)
        self.n_asked: Counter[tuple[str, str, str]] = Counter()
        self.lock = threading.Lock()

    def next_of(self, step: str, text: str) -> Recorded:
        key = (SOURCE.findall(text)[-1], TRANSLATION.findall(text)[-1].strip())
        with self.lock:
            number = self.n_asked[step, *key]
            self.n_asked[step, *key] += 1
        return self.by_text[key][number % len(self.by_text[key])]

    def of_campaign(self, body, number) -> str:
        return in_json(self.next_of("", body["messages"][-1]["content"]))

    def of_gemba(self, body, number) -> str:
        text = body["messages"][-1]["content"]
        if body["messages"][0]["role"] == "system":
            return in_prose(self.next_of("errors", text))
        return f"{100 + self.next_of('score', text).own_score:g}"


@dataclass(frozen=True)
class Replay:
    """A judge's answers: of n_items items n_judged have a judgment; of n_errors named errors n_same
    are where they were recorded, n_elsewhere in another place, n_unplaced nowhere. n_equal of
    n_single segment scores of the metric are the recorded ones; single translations are those of
    only one system. scores: of the metric."""

    n_items: int
    n_judged: int
    n_errors: int
    n_same: int
    n_elsewhere: int
    n_unplaced: int
    n_single: int
    n_equal: int
    scores: Mapping[Key, float]


def replays(data: Path, n_segments: int | None) -> dict[str, Replay]:
    """Return both judges' replays, by their names, on a site without data on these texts."""
    from tests import factory

    recorded, documents = read_recorded(data)
    lines = sorted({line for _, line in recorded}, key=int)[:n_segments]
    texts = [
        {
            "document": documents[line],
            "key": line,
            "source": next(r.source for (_, at), r in recorded.items() if at == line),
            "outputs": {s: r.text for (s, at), r in recorded.items() if at == line},
        }
        for line in lines
    ]
    owner = factory.make_user("owner", is_staff=True)
    campaign = factory.make_campaign(
        make_test_set(owner, ("en", "de"), texts), preset="esa", owner=owner
    )
    chosen = {key: each for key, each in recorded.items() if key[1] in lines}
    found = {}
    for name, prompt, script in (
        ("ESA-AI", "campaign", Answers(chosen.values()).of_campaign),
        ("GEMBA", "gemba-esa", Answers(chosen.values()).of_gemba),
    ):
        with serving(script) as endpoint:
            judge = judged_by(endpoint.address, campaign, owner, name=name, prompt=prompt)
        found[name] = replay_of(judge, chosen, is_own=name == "GEMBA")
    return found


def replay_of(judge, recorded: Mapping[Key, Recorded], *, is_own: bool) -> Replay:
    from judgments.models import ErrorSpan, Item, Judgment

    stored: dict[Key, list[tuple]] = defaultdict(list)
    spans = ErrorSpan.objects.filter(judgment__campaign=judge.answers)
    columns = ("output__system__name", "output__segment__key", "side", "start", "end", "severity")
    for system, line, side, start, end, severity in spans.values_list(*columns):
        stored[system, line].append((None if side == "missing" else (start, end), severity))
    scores = scores_of_metric(judge)
    same_text = Counter((key[1], each.text) for key, each in recorded.items())
    n_errors = n_same = n_single = n_equal = 0
    for key, each in recorded.items():
        if same_text[key[1], each.text] == 1:  # otherwise others' answers may be here
            named = [e for e in usable(each.errors) if e.own or not is_own]
            wanted = Counter({(e.place, e.severity) for e in named})
            n_errors += wanted.total()
            n_same += (wanted & Counter(stored[key])).total()
            n_single += 1
            n_equal += scores.get(key) == (100 + each.own_score if is_own else each.score)
    single = {key for key, each in recorded.items() if same_text[key[1], each.text] == 1}
    n_stored = sum(len(stored[key]) for key in single)
    last = judge.raw_answers.filter(is_last=True)
    return Replay(
        n_items=Item.objects.filter(task__campaign=judge.answers).count(),
        n_judged=Judgment.objects.filter(campaign=judge.answers).count(),
        n_errors=n_errors,
        n_same=n_same,
        n_elsewhere=n_stored - n_same,
        n_unplaced=sum(last.values_list("n_unplaced", flat=True)),
        n_single=n_single,
        n_equal=n_equal,
        scores=scores,
    )


def with_people(
    scores: Mapping[Key, float], people: Mapping[Key, float]
) -> tuple[int, float, float, float, float]:
    """Return (translations, Spearman and share of pairs in the same order of the systems' means,
    Kendall's tau-c and Pearson of segments), over what both have."""
    keys = sorted(set(scores) & set(people))
    systems = sorted({system for system, _ in keys})
    ours, theirs = (
        np.array([np.mean([of[key] for key in keys if key[0] == name]) for name in systems])
        for of in (scores, people)
    )
    pairs = itertools.combinations(range(len(systems)), 2)
    agree = [(ours[a] - ours[b]) * (theirs[a] - theirs[b]) > 0 for a, b in pairs]
    x, y = ([of[key] for key in keys] for of in (scores, people))
    tau = stats.kendalltau(x, y, variant="c").statistic
    rho = stats.spearmanr(ours, theirs).statistic
    return len(keys), float(rho), float(np.mean(agree)), tau, float(np.corrcoef(x, y)[0, 1])


def people_of(data: Path) -> dict[str, dict[Key, float]]:
    mqm = read(data / WMT / "human_segments.en-de.tsv.gz")
    esa = read(data / WMT / "published_esa_segments.en-de.tsv.gz")
    return {
        "expert MQM": {(r["system"], r["line"]): float(r["mqm"]) for r in mqm if r["mqm"]},
        "people's ESA": {
            (r["system"], r["line"]): float(r["score"]) for r in esa if r["protocol"] == "ESA-1"
        },
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--segments", type=int)
    options = parser.parse_args()
    with empty_site():
        found = replays(options.data, options.segments)
    is_right = True
    for name, replay in found.items():
        print(f"{name}: {replay.n_judged:,} of {replay.n_items:,} items judged")
        print(
            f"  errors {replay.n_errors:,}: where they were recorded {replay.n_same:,}, elsewhere "
            f"{replay.n_elsewhere:,}, nowhere {replay.n_unplaced:,}"
        )
        print(f"  scores as recorded {replay.n_equal:,} of {replay.n_single:,}")
        is_right &= replay.n_judged == replay.n_items and replay.n_equal == replay.n_single
        for people, theirs in people_of(options.data).items():
            n, rho, accuracy, tau, pearson = with_people(replay.scores, theirs)
            print(
                f"  with {people}, {n:,} translations: systems Spearman {rho:.4f}, pairs "
                f"{accuracy:.1%}; segments tau-c {tau:.3f}, Pearson {pearson:.3f}"
            )
            if (name, people) == ("ESA-AI", "expert MQM") and options.segments is None:
                is_right &= abs(rho - PUBLISHED["spearman"]) < 0.0006
                is_right &= abs(accuracy - PUBLISHED["accuracy"]) < 0.0006
    print("as published" if is_right else "NOT as published")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
