"""Further files of a bundle, for people to read. None of them is recomputed.

A writer takes the campaign, and whether only hashes of its texts may be in the bundle; it yields
(path, bytes). Further writers are added to FILES here; the hashes of their files are checked with
all others. The report is made by `report_files`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from judgments.exchange.campaign_files.loader import document_of
from judgments.exchange.campaign_files.section import NotInAFile
from judgments.exchange.campaign_files.sections.materials import TUTORIAL, MaterialsSection
from judgments.judges.records import described, judge_of, lines_of
from judgments.models import Campaign

from .frame import line_of, without_texts

Writer = Callable[[Campaign, bool], Iterator[tuple[str, bytes]]]
# Names of participants, and links, which readers of results must not see.
AT_HOME = ("people", "staffing")
# What may quote texts in an answer of a language model: its words, and why they did not fit.
QUOTING = ("text", "problem")


def campaign_file(campaign: Campaign, hashes_only: bool) -> Iterator[tuple[str, bytes]]:
    """Yield the file that recreates the campaign, without its people. hashes_only: also without the
    tutorial, whose items are texts."""
    try:
        found = document_of(campaign)
    except NotInAFile as reason:
        yield "campaign-file.txt", f"There is no campaign file. {reason}\n".encode()
        return
    kept = {key: value for key, value in found.items() if key not in AT_HOME}
    if hashes_only and (materials := kept.pop(MaterialsSection.key, None)):
        rest = {key: rows for key, rows in materials.items() if key != TUTORIAL}
        kept |= {MaterialsSection.key: rest} if rest else {}
    yield "campaign-file.json", (json.dumps(kept, ensure_ascii=False, indent=1) + "\n").encode()


def judge_files(campaign: Campaign, hashes_only: bool) -> Iterator[tuple[str, bytes]]:
    """Yield the prompt and raw answers of a campaign that a language model judged."""
    judge = judge_of(campaign)
    if judge is None:
        return
    settings = json.dumps(described(judge), ensure_ascii=False, indent=1)
    yield "judge.json", f"{settings}\n".encode()
    lines = lines_of(judge)
    if hashes_only:
        lines = (line_of(without_texts(json.loads(line), QUOTING)) for line in lines)
    yield "judge-answers.jsonl", "".join(lines).encode()


FILES: list[Writer] = [campaign_file, judge_files]
