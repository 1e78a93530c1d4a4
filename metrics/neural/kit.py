"""Scores the texts of a test set on any machine, without the site: what *Take the texts* gives.

    python texts-12.zip --metric comet
    python texts-12.zip --callable my_metric:score --name "My metric" --reference refA

A callable is called once for each system as ``function(sources, outputs, references)``: lists of
as many entries, those of `references` lists of texts, empty without --reference. It returns a list
of numbers, None where it has none, or of ``{"score": ..., "spans": [{"start": ..., "end": ...,
"severity": ...}]}`` with offsets in characters of the output.

The file that comes out has a line about the whole (`mteval_scores`, `metric`, `higher_is_better`,
`references`, `systems`, `signature`, `model`, `revision`), then one for each output: `system`,
`segment`, `score`, `texts` (`row_hash` of what was read) and, where the metric marks errors,
`spans`.
"""

import argparse
import json
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

from metrics.neural.hub import NoModel
from metrics.neural.kit_scorers import Scored, ScorerOfKit, scorer_of
from metrics.neural.kit_texts import KitProblem, KitTexts, read_texts
from metrics.neural.row_hash import row_hash


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python texts.zip", description="Score the texts of this file."
    )
    what = made.add_mutually_exclusive_group(required=True)
    what.add_argument("--list", action="store_true", help="what is in the file")
    what.add_argument("--metric", help="one of --list, such as comet")
    what.add_argument("--callable", metavar="MODULE:FUNCTION", help="a metric of your own")
    made.add_argument("--model", default="", help="a name on the model hub, or a folder")
    made.add_argument("--batch-size", type=int, default=8)
    made.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="such as layer=2"
    )
    made.add_argument("--name", default="", help="of the metric, where it is shown")
    made.add_argument("--lower-is-better", action="store_true", help="for a callable")
    made.add_argument(
        "--reference", action="append", default=[], help="may be repeated; all if none is named"
    )
    made.add_argument("--system", action="append", default=[], help="may be repeated; or all")
    made.add_argument("--texts", default="", help="a texts.jsonl, for those in this file")
    made.add_argument("--out", default="", help="the file of scores")
    return made


def main(arguments: list[str]) -> int:
    asked = parser().parse_args(arguments)
    sys.path.insert(0, os.getcwd())  # where a callable is looked for
    try:
        texts = read_texts(asked.texts)
        if asked.list:
            print(contents(texts))
            return 0
        scorer = scorer_of(asked, texts)
        systems = chosen(asked.system, texts.about["systems"], "system")
        out = asked.out or re.sub(r"[^\w.+-]+", "-", scorer.name) + ".scores.jsonl"
        write(scorer, texts, systems, out)
    except (KitProblem, NoModel, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print(out)
    return 0


def contents(texts: KitTexts) -> str:
    """Return what a kit holds, in words."""
    about = texts.about
    lines = [
        f"{about['test_set']} ({about['source_language']}-{about['target_language']}), "
        f"{len(texts.segments):,} segments",
        f"Systems: {', '.join(about['systems'])}",
        f"References: {', '.join(about['references']) or 'none'}",
        "Metrics:",
    ]
    lines += [f"  {slug}: {kind['name']}, {kind['model']}" for slug, kind in metrics(texts)]
    return "\n".join(lines)


def metrics(texts: KitTexts) -> list[tuple[str, dict[str, Any]]]:
    return sorted(texts.about["metrics"].items())


def chosen(asked: Sequence[str], known: Sequence[str], what: str) -> list[str]:
    """Return the names that were asked for, or all. Raise KitProblem for one that is not there."""
    if unknown := sorted(set(asked) - set(known)):
        raise KitProblem(f"There is no {what} {unknown[0]!r}; there is: {', '.join(known) or '-'}.")
    return [name for name in known if name in asked] if asked else list(known)


def write(scorer: ScorerOfKit, texts: KitTexts, systems: list[str], out: str) -> None:
    """Write the file of scores, under its name only once it is whole."""
    part = Path(f"{out}.part")
    with part.open("w", encoding="utf-8") as file:
        head = {"mteval_scores": 1, "test_set": texts.about["test_set"], **scorer.about()}
        put(file, {**head, "systems": systems})
        for number, system in enumerate(systems, 1):
            print(f"{scorer.name}: {system} ({number} of {len(systems)})", file=sys.stderr)
            rows = texts.rows_of(system, scorer.references)
            for row, scored in zip(rows, scorer.scored(rows) if rows else [], strict=True):
                texts_of_row = row_hash(row.source, row.output, row.references)
                put(file, line_of(system, row.segment, scored, texts_of_row))
    part.replace(out)


def line_of(system: str, segment: str, scored: Scored, texts: str) -> dict[str, Any]:
    line = {"system": system, "segment": segment, "score": scored.score, "texts": texts}
    return line if scored.spans is None else {**line, "spans": scored.spans}


def put(file: TextIO, line: dict[str, Any]) -> None:
    file.write(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
