"""Plain text files of one test set, line n of each for segment n, told apart by their names.

`formats.file_roles` says which names are known. What a name says is only proposed: every file is a
question, so that a person sees what becomes of it. A file that reads as the source or a reference,
or has another number of lines than the source, is proposed to be left out; it never becomes a
system.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from judgments.files import jsonl, texts
from judgments.files.file_roles import DOCUMENTS, OUTPUT, REFERENCE, SOURCE, role_of
from judgments.files.lines import beginning, read_lines
from judgments.files.problem import ImportProblem, shortened
from judgments.files.table import problem_with_name
from judgments.files.texts import LONGEST_REFERENCE_NAME, LONGEST_SYSTEM_NAME
from judgments.files.twins import reads_as
from judgments.files.uploads import ReleaseFile, without

from .format import Answers, Format
from .language_answers import language_questions, languages_of
from .records import OpenQuestion, Problems, Release, TextsPart

LEFT_OUT = "out"
CHOICES = (
    (SOURCE, "source text"),
    (REFERENCE, "reference translation"),
    (OUTPUT, "output of a system"),
    (DOCUMENTS, "names of documents"),
    (LEFT_OUT, "leave it out"),
)
# Files of other kinds, whatever folder they lie in.
ENDINGS = (".txt", ".docs", ".jsonl")
LONGEST_FOLDER = 80


@dataclass
class FileChoice:
    """A file with what it is taken for."""

    file: ReleaseFile
    role: str
    name: str
    n_lines: int = 0
    why: str = ""  # it is left out, as a sentence


class PlainFolder(Format):
    slug = "plain-folder"
    name = "Plain text files"
    holds = "the texts of a test set, a segment on each line"

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        """Return text files, if the name of one says that it is the source."""
        known = [(file, role_of(file.path)) for file in files if is_text(file)]
        roles = {role.role for _, role in known}
        if SOURCE not in roles or len(known) < 2:
            return []
        return [file for file, role in known if role.role or file.name.endswith(ENDINGS)]

    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        release = Release()
        groups = by_languages(files)
        for file in without(files, [file for some in groups.values() for file in some]):
            release.notes.append(
                f"{file.path} was left out: its name does not fit a language pair."
            )
        for (source, target), some in sorted(groups.items()):
            if len(groups) == 1:
                release.questions += language_questions(source, target)
                source, target = languages_of(answers, source, target)
            proposed = propose(some)
            for each in proposed:
                release.questions += questions_about(each)
            chosen = [answered(each, answers) for each in proposed]
            left = [each for each in chosen if each.role == LEFT_OUT]
            release.notes += [f"{e.file.path} was left out. {e.why}".strip() for e in left]
            release.texts.append(texts_part(chosen, source, target))
        return release


def is_text(file: ReleaseFile) -> bool:
    """Return whether it holds lines of text, by its name and first bytes."""
    role = role_of(file.path)
    if not (role.role or file.name.endswith(ENDINGS)):
        return False
    if file.name.endswith(".jsonl"):
        return role.role == DOCUMENTS
    if file.name.endswith((".json", ".xml", ".csv", ".tsv", ".xlsx", ".score", ".rating", ".md")):
        return False
    head = file.head()
    return bool(head) and "\0" not in beginning(head)


def by_languages(files: Sequence[ReleaseFile]) -> dict[tuple[str, str], list[ReleaseFile]]:
    """Return the files of each language pair; those that say less go where they fit, if only one
    does."""
    said = {file: role_of(file.path).languages for file in files}
    whole = {pair for pair in said.values() if all(pair)}
    if len(whole) <= 1:
        source, target = ("", "")
        for pair in said.values():
            source, target = source or pair[0], target or pair[1]
        return {(source, target): list(files)}
    groups = defaultdict(list)
    for file, (source, target) in said.items():
        fitting = [p for p in whole if source in ("", p[0]) and target in ("", p[1])]
        if len(fitting) == 1:
            groups[fitting[0]].append(file)
    return dict(groups)


# ---- What each file is -------------------------------------------------------------------------


def propose(files: Sequence[ReleaseFile]) -> list[FileChoice]:
    """Return what the files of one language pair seem to be, by their names, lengths and texts."""
    found = []
    for file in files:
        role = role_of(file.path)
        found.append(FileChoice(file, role.role, role.name, n_lines(file)))
    sources = [each for each in found if each.role == SOURCE]
    if not sources:
        return [replace(each, role=each.role or LEFT_OUT) for each in found]
    source = sources[0]
    for each in sources[1:]:
        each.role, each.why = LEFT_OUT, f"{source.file.name} is the source."
    for each in found:
        if each.n_lines != source.n_lines:
            each.role, each.why = LEFT_OUT, f"The source has {source.n_lines:,}."
        elif not each.role:
            each.role = OUTPUT
    model = [each for each in found if each.role in (SOURCE, REFERENCE)]
    for each in found:
        if each.role == OUTPUT and (twin := twin_of(each, model)):
            each.role, each.why = (
                LEFT_OUT,
                f"It has the same text as {twin.file.name} on every line.",
            )
    return found


def questions_about(each: FileChoice) -> list[OpenQuestion]:
    hint = f"{each.n_lines:,} line{'s' * (each.n_lines != 1)}. {each.why}".strip()
    found = [OpenQuestion(f"role:{each.file.path}", each.file.path, hint, CHOICES, each.role)]
    if each.role in (REFERENCE, OUTPUT):
        label = f"Name of {each.file.name}"
        found.append(
            OpenQuestion(f"name:{each.file.path}", label, "", (), each.name, required=False)
        )
    return found


def answered(each: FileChoice, answers: Answers) -> FileChoice:
    role = answers.get(f"role:{each.file.path}") or each.role
    name = answers.get(f"name:{each.file.path}", "").strip() or each.name
    return replace(each, role=role, name=name)


def n_lines(file: ReleaseFile) -> int:
    return sum(1 for _ in read_lines(file.place))


def twin_of(each: FileChoice, others: Sequence[FileChoice]) -> FileChoice | None:
    """Return another file with the same text on every line."""
    return next(
        (o for o in others if o.file != each.file and reads_as(each.file.place, o.file.place)), None
    )


# ---- Texts -------------------------------------------------------------------------------------


def texts_part(chosen: Sequence[FileChoice], source: str, target: str) -> TextsPart:
    of = {role: [each for each in chosen if each.role == role] for role, _ in CHOICES}
    named = (of[SOURCE] or list(chosen))[0].file
    name = named.folders[0][:LONGEST_FOLDER] if named.folders else named.name
    pair = f"{source}-{target}" if source and target else ""
    return TextsPart(
        key=pair or "texts",
        name=name if pair in name else f"{name} {pair}",
        source_language=source,
        target_language=target,
        segments=lambda: segments_of(of, chosen[0].file.path),
    )


def check(of: Mapping[str, Sequence[FileChoice]], some: str) -> None:
    """Raise ImportProblem where the files do not make a test set."""
    for role, words in ((SOURCE, "the source"), (DOCUMENTS, "the documents")):
        if len(of[role]) > 1:
            names = ", ".join(each.file.path for each in of[role])
            raise ImportProblem(names, None, "", f"only one file can be {words}.")
    if not of[SOURCE]:
        raise ImportProblem(some, None, "", "say which of the files is the source text.")
    for role, longest in ((REFERENCE, LONGEST_REFERENCE_NAME), (OUTPUT, LONGEST_SYSTEM_NAME)):
        taken: dict[str, str] = {}
        for each in of[role]:
            if each.name in taken:
                reason = f"{taken[each.name]} also has the name {shortened(each.name)}."
                raise ImportProblem(each.file.path, None, "", reason)
            taken[each.name] = each.file.path
            if problem := problem_with_name(each.name, longest):
                raise ImportProblem(each.file.path, None, "", problem)
    for each in of[OUTPUT]:
        if twin := twin_of(each, [*of[SOURCE], *of[REFERENCE]]):
            reason = f"it has the same text as {twin.file.path} on every line. Leave it out."
            raise ImportProblem(each.file.path, None, "", reason)


def segments_of(of: Mapping[str, Sequence[FileChoice]], some: str) -> Iterator[texts.SegmentTexts]:
    """some: a file to name where none is the source. Raise ImportProblem."""
    check(of, some)
    documents = of[DOCUMENTS][0].file if of[DOCUMENTS] else None
    is_table = documents is not None and documents.name.endswith(".jsonl")
    rows = texts.from_lines(
        of[SOURCE][0].file.place,
        {each.name: each.file.place for each in of[REFERENCE]},
        {each.name: each.file.place for each in of[OUTPUT]},
        documents.place if documents and not is_table else None,
    )
    yield from in_documents(rows, documents) if documents and is_table else rows


def in_documents(
    rows: Iterator[texts.SegmentTexts], documents: ReleaseFile
) -> Iterator[texts.SegmentTexts]:
    """Yield segments in the documents that JSON lines name, one for each. Raise ImportProblem."""
    places = texts.DocumentLines()
    of_rows = jsonl.read(documents.place)
    row = None
    for row in rows:
        _, cells = next(of_rows, (0, {}))
        name = cells.get("docid") or cells.get("doc_id") or cells.get("document") or ""
        if not name:
            raise ImportProblem(documents.name, row.row, "docid", "it names no document.")
        line = f"{cells.get('domain', '')}\t{name}"
        domain, document = places.read(documents.name, row.row, line)
        yield replace(row, domain=domain, document=document)
    if row and (more := sum(1 for _ in of_rows)):
        reason = f"there are {more:,} more lines than segments. Line n belongs to segment n."
        raise ImportProblem(documents.name, row.row + 1, "", reason)
