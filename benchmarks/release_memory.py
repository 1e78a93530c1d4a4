"""Memory for reading a large release: a generated file of each kind is read and surveyed.

    .venv/bin/python -m benchmarks.release_memory [MEGABYTES] [KIND …]

Each kind is read in a separate process, without the database; its peak resident memory is compared
with that for a file of a tenth of the size.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

TEXT = "This is a sentence of the usual length, in which nothing of interest happens at all. " * 2
SYSTEMS = [f"System-{n}" for n in range(10)]


def google_mqm(n: int) -> str:
    """Return a row of an error, as in Google's table; five errors per segment."""
    marked = TEXT.replace("usual", "<v>usual</v>")
    segment, system = n // 5 // len(SYSTEMS), SYSTEMS[n // 5 % len(SYSTEMS)]
    cells = [system, f"doc{segment // 10}", str(segment % 10), str(segment), f"rater{n // 5 % 8}"]
    return "\t".join([*cells, TEXT, marked, "Accuracy/Mistranslation", "Minor"]) + "\n"


def appraise(n: int) -> str:
    spans = [{"start_i": 0, "end_i": 4, "severity": "minor"}]
    cells = [f"user{n % 50}", SYSTEMS[n % 10], str(n // 10), "TGT", "eng", "deu", str(n % 101)]
    cells += [f"doc{n // 100}", "False", json.dumps(spans).replace('"', '""'), "1.5", "9.5"]
    return ",".join(f'"{cell}"' for cell in cells) + "\n"


def wmt_jsonl(n: int) -> str:
    hyps = dict.fromkeys(SYSTEMS, f"{TEXT}{n}")
    row = {"src": f"{TEXT}{n}", "doc_id": f"d{n // 20}", "refs": {"refA": TEXT}, "hyps": hyps}
    return json.dumps(row) + "\n"


def wmt_xml(n: int) -> str:
    def side(head: str) -> str:
        segs = "".join(f'<seg id="{k}">{TEXT}{n}</seg>\n' for k in range(20))
        return f"<{head}><p>{segs}</p></{head.split()[0]}>\n"

    hyps = "".join(side(f'hyp system="{system}" lang="de"') for system in SYSTEMS)
    head = f'<doc origlang="en" id="d{n}">' + side('src lang="en"') + side('ref lang="de"')
    return f"{head}{hyps}</doc>\n"


GOOGLE_HEAD = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
# kind: name of the file, text before its rows and after them, a row.
KINDS: dict[str, tuple[str, str, str, Callable[[int], str]]] = {
    "google-mqm": ("mqm_ende.tsv", GOOGLE_HEAD, "", google_mqm),
    "appraise": ("ESA.scores.csv", "", "", appraise),
    "wmt-jsonl": ("texts.en-de.jsonl", "", "", wmt_jsonl),
    "wmt-xml": ("texts.xml", '<dataset id="x">\n', "</dataset>\n", wmt_xml),
}


def make(kind: str, path: Path, n_bytes: int) -> None:
    _, before, after, row = KINDS[kind]
    with path.open("w", encoding="utf-8") as file:
        written = file.write(before)
        n = 0
        while written < n_bytes:
            written += file.write(row(n))
            n += 1
        file.write(after)


def read(path: Path) -> None:
    """Read a file in a separate process: print the findings, seconds and the peak in megabytes."""
    import django

    django.setup()
    from django.conf import settings

    from judgments.exchange.releases import registry
    from judgments.exchange.releases.records import Problems
    from judgments.exchange.releases.survey import Survey
    from judgments.files.uploads import opened

    settings.MAX_UPLOAD_BYTES = 4 * 2**30
    began = time.perf_counter()
    answers = {"source-language": "en", "target-language": "de"}
    with opened([path]) as files:
        survey = Survey(registry.read(files, answers, Problems()))
        for rows in all_rows(survey.release):
            for _ in rows:
                pass
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found = "; ".join(part.sentence for part in survey.found)
    print(json.dumps([found, seconds, peak]))


def all_rows(release) -> Iterator:
    yield from (part.segments() for part in release.texts)
    yield from (part.screens() for part in release.judgments)


def measure(kind: str, megabytes: float) -> tuple[str, float, float]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, KINDS[kind][0])
        make(kind, path, int(megabytes * 2**20))
        program = [sys.executable, "-m", "benchmarks.release_memory", "--read", str(path)]
        done = subprocess.run(program, capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stderr.strip().split("\n")[-1], float("nan"), float("nan")
    return tuple(json.loads(done.stdout.split("\n")[-2]))


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["--read"]:
        read(Path(arguments[1]))
        return
    megabytes = float(arguments[0]) if arguments else 200.0
    for kind in arguments[1:] or KINDS:
        _, _, small = measure(kind, megabytes / 10)
        found, seconds, peak = measure(kind, megabytes)
        print(f"{kind}: {megabytes:g} MB in {seconds:.1f} s, peak {peak:.0f} MB; a tenth of it: ")
        print(f"  peak {small:.0f} MB, ratio {peak / small:.2f}. {found}")


if __name__ == "__main__":
    import os

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mteval_site.settings")
    main(sys.argv[1:])
