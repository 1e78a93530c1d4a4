"""The score files of mt-metrics-eval: `METRIC-REF.LEVEL.score`, a system and a score a line.

LEVEL is sys, domain, doc or seg. A system has one score, one for each document or one for each
segment, in the order of the test set; lines of domains begin with the domain's name. REF is the
name of a reference, several of them with dots between, `all` or, for a metric that reads none,
`src`. The README of github.com/google-research/mt-metrics-eval describes them.
"""

from collections.abc import Collection, Iterable, Iterator

from judgments.files.lines import Source, name_of, read_lines
from judgments.files.problem import ImportProblem, shortened

from . import people
from .entries import WITHOUT_REFERENCE, Entry, parse_references, parse_score

SUFFIX = ".score"
LEVELS = {"seg": "segment", "doc": "document", "domain": "domain", "sys": "system"}
ALL_REFERENCES = "all"


def read(source: Source, known_references: Collection[str]) -> Iterator[Entry]:
    """Yield every line of a file.

    Raises ImportProblem for a name without a level, a line that is not a system and a score, and
    for scores of people, which are no metric's.
    """
    file = name_of(source)
    metric, references, level = parse_name(file, known_references)
    if people.is_file_of_people(source, metric, references):
        raise ImportProblem(file, None, "", people.REFUSAL)
    of_domains = level == "domain"
    row, key = 0, ""
    for row, line in read_lines(source):
        if of_domains:
            key, line = parse_domain(file, row, line)
        system, score = parse_line(file, row, line)
        value = parse_score(file, row, "", score)
        yield Entry(file, row, "", metric, references, level, system, key, score, value)
    if not row:
        raise ImportProblem(file, None, "", "the file is empty.")


def stem_of(file: str) -> str:
    """`COMET-22-refA.seg.score.gz` → `COMET-22-refA`; "" for a file of another kind."""
    name = file.removesuffix(".gz")
    return name.removesuffix(SUFFIX).rpartition(".")[0] if name.endswith(SUFFIX) else ""


def parse_name(
    file: str, known_references: Collection[str]
) -> tuple[str, tuple[str, ...] | None, str]:
    """`COMET-22-refA.seg.score` → ("COMET-22", ("refA",), "segment").

    A last part that names no reference of the test set belongs to the metric's name, and the
    references are then None.
    """
    stem, _, level = file.removesuffix(".gz").removesuffix(SUFFIX).rpartition(".")
    if level not in LEVELS or not stem:
        reason = (
            "the name should be METRIC-REF.seg.score, METRIC-REF.doc.score, .domain.score or "
            ".sys.score."
        )
        raise ImportProblem(file, None, "", reason)
    metric, dash, last = stem.rpartition("-")
    if dash and metric:
        if last == ALL_REFERENCES and known_references:
            return metric, tuple(sorted(known_references)), LEVELS[level]
        names = parse_references(last, ".")
        if last == WITHOUT_REFERENCE or set(names) <= set(known_references):
            return metric, names, LEVELS[level]
    return stem, None, LEVELS[level]


def parse_domain(file: str, row: int, line: str) -> tuple[str, str]:
    """Return (domain, the rest of the line)."""
    domain, _, rest = line.partition("\t") if "\t" in line else line.partition(" ")
    if not domain.strip() or not rest.strip():
        reason = f"{shortened(line)} is not a domain, a system and a score separated by tabs."
        raise ImportProblem(file, row, "", reason)
    return domain, rest


def parse_line(file: str, row: int, line: str) -> tuple[str, str]:
    """Return (system, score as it is written); white space stands between them, a tab if there is
    one."""
    cells = line.split("\t") if "\t" in line else line.rsplit(None, 1)
    if len(cells) == 2:
        system, score = cells[0], cells[1].strip()
        if score and system.strip():
            return system, score
    reason = (
        "the line is empty."
        if not line.strip()
        else (f"{shortened(line)} is not a system and a score separated by a tab.")
    )
    raise ImportProblem(file, row, "", reason)


def write_line(system: str, score: str, domain: str = "") -> str:
    """Return the line that `read` and mt-metrics-eval read back; `score` is written already."""
    return f"{domain}\t{system}\t{score}\n" if domain else f"{system}\t{score}\n"


def file_name(metric: str, references: Iterable[str], level: str) -> str:
    """Return the name of the file of a metric; `level` is one of the keys of LEVELS."""
    return f"{metric}-{'.'.join(references) or WITHOUT_REFERENCE}.{level}{SUFFIX}"
