"""How often omission hints are at experts' omission marks.

    python benchmarks/omission_hints.py shared/data/03_mqm_esa_wmt23_en-de

FOLDER has segments, outputs and the errors that MQM raters marked at WMT23. The aligner learns from
the sources with all outputs, and hints are computed as on the site. Prints how many of the
omissions that raters marked in the source contain a hint, how many of the hints are in such an
omission, compared with the share of all words that are (the rate of random hints), hints per
translation, and the total seconds.
"""

import argparse
import csv
import gzip
import os
import sys
import time
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mteval_site.settings")

OMISSION = "accuracy/omission"
Place = tuple[int, int]


def rows_of(folder: Path, name: str) -> list[dict[str, str]]:
    (path,) = folder.glob(f"{name}.*.tsv.gz")
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def linked(pairs: list[tuple[str, str]]):
    from judgments.models import TestSet
    from judgments.test_sets.word_links.linker import PairLinks, TextLinker
    from judgments.test_sets.word_links.making import AT_ONCE
    from metrics.lessons.word_aligner import ALIGNER

    linker = TextLinker(TestSet(source_language="en", target_language="de"), "words")
    trained = linker.train(ALIGNER, pairs, "diagonal")
    found: dict[tuple[str, str], PairLinks] = {}
    for start in range(0, len(pairs), AT_ONCE):
        some = pairs[start : start + AT_ONCE]
        found |= zip(some, linker.link(trained, some, "intersection"), strict=True)
    return found


def hints_of(pairs: list[tuple[str, str]]) -> dict[tuple[str, str], list[Place]]:
    from judgments.protocols.tokens import tokens, words_of
    from judgments.test_sets.word_links.hints import common_words, hinted_words

    found = linked(pairs)
    of_source = defaultdict(list)
    for pair in pairs:
        of_source[pair[0]].append(pair)
    common = common_words(map(words_of, of_source))
    hints = {}
    for pair, own in found.items():
        others = [found[each].support for each in of_source[pair[0]] if each != pair]
        linked_places = {i for i, _ in own.links}
        words, places = words_of(pair[0]), tokens(pair[0])
        chosen = hinted_words(words, own.support, linked_places, others, common)
        hints[pair] = [places[i] for i in chosen]
    return hints


def main() -> None:
    import django

    django.setup()
    from judgments.protocols.tokens import tokens

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    began = time.perf_counter()
    sources = {row["line"]: row["source"] for row in rows_of(folder, "segments")}
    texts = {(r["system"], r["line"]): r["text"] for r in rows_of(folder, "outputs")}
    pairs = [(sources[line], text) for (_, line), text in texts.items() if text]
    hints = hints_of(list(dict.fromkeys(pairs)))
    marked: dict[tuple[str, str], list[Place]] = defaultdict(list)
    for row in rows_of(folder, "mqm_errors"):
        places = marked[row["system"], row["line"]]
        if row["category"] == OMISSION and row["is_source_error"] == "1":
            places.append((int(row["start"]), int(row["end"])))
    n_hints = n_inside = n_omissions = n_found = n_words = n_left_out = 0
    for (system, line), omissions in marked.items():
        source = sources[line]
        shown = hints.get((source, texts[system, line]), [])
        n_hints += len(shown)
        n_inside += sum(any(touches(hint, each) for each in omissions) for hint in shown)
        n_omissions += len(omissions)
        n_found += sum(any(touches(hint, each) for hint in shown) for each in omissions)
        words = tokens(source)
        n_words += len(words)
        n_left_out += sum(any(touches(word, each) for each in omissions) for word in words)
    print(f"{len(marked):,} translations, {n_omissions:,} omissions marked by raters")
    print(f"with a hint in them: {n_found:,} ({n_found / n_omissions:.0%})")
    print(f"{n_hints:,} hints, {n_hints / len(marked):.2f} for each translation")
    print(f"of these in an omission: {n_inside:,} ({n_inside / n_hints:.0%})")
    print(f"of all words of the sources: {n_left_out / n_words:.1%}")
    print(f"{time.perf_counter() - began:.0f} s for {len(hints):,} pairs of texts")


def touches(one: Place, other: Place) -> bool:
    return one[0] < other[1] and other[0] < one[1]


if __name__ == "__main__":
    main()
