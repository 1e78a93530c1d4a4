"""What else a bundle holds, for people to read. Nothing of it is computed again.

A writer takes the campaign and yields (path, bytes).
More is added to FILES here; their hashes are checked with all others. The report is made by
`report_files`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from judgments.exchange.campaign_files.loader import document_of
from judgments.exchange.campaign_files.section import NotInAFile
from judgments.judges.records import described, judge_of, lines_of
from judgments.models import Campaign

Writer = Callable[[Campaign], Iterator[tuple[str, bytes]]]
# Who took part by name, and links: no business of those who read results.
AT_HOME = ("people", "staffing")


def campaign_file(campaign: Campaign) -> Iterator[tuple[str, bytes]]:
    """Yield the file that makes the same campaign again, without its people."""
    try:
        found = document_of(campaign)
    except NotInAFile as reason:
        yield "campaign-file.txt", f"There is no campaign file. {reason}\n".encode()
        return
    kept = {key: value for key, value in found.items() if key not in AT_HOME}
    yield "campaign-file.json", (json.dumps(kept, ensure_ascii=False, indent=1) + "\n").encode()


def judge_files(campaign: Campaign) -> Iterator[tuple[str, bytes]]:
    """Yield for a campaign that a language model judged: how it was asked, and its raw answers."""
    judge = judge_of(campaign)
    if judge is None:
        return
    settings = json.dumps(described(judge), ensure_ascii=False, indent=1)
    yield "judge.json", f"{settings}\n".encode()
    yield "judge-answers.jsonl", "".join(lines_of(judge)).encode()


FILES: list[Writer] = [campaign_file, judge_files]
