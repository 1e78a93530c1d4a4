"""XLIFF 1.2 and 2: the format that translation tools exchange, with errors as in ITS 2.0.

    <unit id="u1"><segment>
      <source>ein Haus</source>
      <target>a <sm id="m1" type="its:generic" its:locQualityIssueType="mistranslation"
        its:locQualityIssueSeverity="75"/>mouse<em startRef="m1"/></target>

Read: units and trans-units (parts marked as `mrk mtype="seg"` are separate segments), issues on
marks and on whole targets, in place or in `its:locQualityIssues`, proposals in alt-trans or
matches. Written: XLIFF 2.1 with a `file` for each system and annotator; data that ITS cannot
express (name of system and annotator, our severity and category) are in attributes of our
namespace.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from sqlite3 import Connection
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

from judgments.files.problem import ImportProblem
from judgments.files.uploads import Folder, ReleaseFile

from .bilingual import (
    ISSUE,
    LEFT_OUT,
    OUTPUT,
    POST_EDITS,
    SEVERITIES,
    TEXTUAL,
    BilingualTable,
    BilingualUnit,
    FileUse,
    InlineText,
    inline_text,
    use_of,
)
from .format import Answers, Format, numbered
from .language_answers import language_questions, languages_of
from .languages import language_code
from .marked_out import commented, judged_outputs, remarks_on, why_not
from .marked_rows import SCORE
from .records import JudgedScreen, JudgmentsPart, MarkedSpan, Problems, Release, Remark, TextsPart
from .spool import spool
from .text_store import TextStore
from .wmt_xml import UNWRITABLE, clean
from .xml_reading import OURS, OuterElement, XmlTree, is_xml, trees

UNITS = ("unit", "trans-unit")
ISSUES = "locQualityIssues"
AROUND = ("xliff", "file", "body", "group")
INLINE = {"source", "target", "seg-source", "sm", "em", "cp", *TEXTUAL}
READ = {*UNITS, ISSUES, *("segment", "ignorable", "alt-trans", "matches", "match", "notes")}
READ |= {*INLINE, "note", ISSUE, "originalData", "data"}
NAMES_READ = re.compile(
    "mteval:|locQualityIssue(s|sRef|Type|Severity|Comment|Enabled|)$|locQualityRatingScore$"
    "|(id|mid|ref|startRef|mtype|type|value|comment|appliesTo|annotates|hex|space|lang|xid)$"
)
# Categories of MQM → types of ITS 2.0 (W3C 2013, appendix C); any other one is "other".
TYPES = {
    **{word: word for word in ("terminology", "mistranslation", "omission", "untranslated")},
    **{word: word for word in ("addition", "duplication", "inconsistency", "grammar", "register")},
    **{word: word for word in ("style", "whitespace", "formatting", "markup", "length", "numbers")},
    "spelling": "misspelling",
    "punctuation": "typographical",
    "typography": "typographical",
    "character-encoding": "characters",
    "untranslated-text": "untranslated",
    "awkward": "style",
    "": "uncategorized",
}
HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" xmlns:its="http://www.w3.org/2005/11/its"
  xmlns:mteval={ours} version="2.1" srcLang={source} trgLang={target} its:version="2.0">
"""
JUDGED = """
create table judged (
    n integer primary key, system text, annotator text, time integer, segment text, score real,
    started integer, submitted integer, active integer, errors text, remarks text
);
create index of_file on judged (system, annotator, time);
"""


class Xliff(Format):
    slug = "xliff"
    name = "XLIFF"
    holds = "source and target of translation tools, with errors (ITS 2.0) and post-edits"
    described = "https://docs.oasis-open.org/xliff/xliff-core/v2.1/xliff-core-v2.1.html"
    writes = True
    file = "campaign.xlf"

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        return [file for file in files if is_xml(file, "xliff")]

    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        """Return a release in which files of one language pair belong to one test set."""
        release = Release()
        pairs: dict[tuple[str, str], list[ReleaseFile]] = {}
        for file in files:
            pairs.setdefault(languages_in(file), []).append(file)
        for pair, some in pairs.items():
            if len(pairs) == 1:
                release.questions += language_questions(*pair)
            source, target = languages_of(answers if len(pairs) == 1 else {}, *pair)
            table = BilingualTable(some, problems)
            for file in some:
                default, is_ours = first_use(file)
                use = default if is_ours else use_of(file, default, answers, release)
                if use.role != LEFT_OUT:
                    table.add(file, units(file, table.count_unread), use)
            release.add(table.finished(source, target))
        return release

    def may_write(self, release: Release) -> str:
        if release.judgments or release.plans:
            return why_not(self.name, release)
        return "" if all(texts.has_texts for texts in release.texts) else "There are no texts."

    def write(self, release: Release, folder: Folder) -> None:
        """Write a file for each campaign, or for each test set if there is none."""
        texts = {part.key: part for part in release.texts}
        judged: list[tuple[TextsPart, JudgmentsPart | None]]
        judged = [(texts[part.texts], part) for part in release.judgments]
        some = judged or [(part, None) for part in release.texts]
        for n, (of, part) in enumerate(some, 1):
            with folder.text(numbered(self.file, n, len(some))) as write:
                write_xliff(of, part, write)


# ---- Reading -----------------------------------------------------------------------------------


def languages_in(file: ReleaseFile) -> tuple[str, str]:
    """Return the languages of a file. Raise ImportProblem for a file without a unit."""
    first = next(trees(file, *UNITS), None)
    if first is None:
        raise ImportProblem(file.name, None, "", "there is no unit in it, and so no text.")
    said = {name: value for each in first.outer for name, value in each.attributes.items()}
    source = said.get("srcLang") or said.get("source-language", "")
    target = said.get("trgLang") or said.get("target-language", "")
    return language_code(source), language_code(target)


def first_use(file: ReleaseFile) -> tuple[FileUse, bool]:
    """Return the probable role of a file's targets, and whether the file states it, as ours do."""
    role, is_ours, is_judged = OUTPUT, True, False
    for unit in units(file):
        is_ours &= bool(unit.said.get("system") or unit.said.get("reference"))
        is_judged |= bool(unit.score or unit.source.issues or (unit.target and unit.target.issues))
        if unit.proposal:
            role = POST_EDITS
    is_judged &= not is_ours  # whose judgments have their annotators
    return FileUse(role, file.name.partition(".")[0], is_judged), is_ours


def units(
    file: ReleaseFile, count: Callable[[Iterable[str]], object] = lambda names: None
) -> Iterator[BilingualUnit]:
    """Yield all segments of a file in order. count: called with names of elements and attributes
    that are not read. Raise ImportProblem for an id that occurs twice."""
    listed: dict[str, list[Mapping[str, str]]] = {}
    around: tuple | None = None
    seen: set[str] = set()

    def passed(outer: Sequence[OuterElement]) -> None:
        *enclosing, name = (each.name for each in outer)
        count([name] if name not in AROUND and set(enclosing) <= set(AROUND) else [])

    for tree in trees(file, *UNITS, ISSUES, passed=passed):
        listed |= issues_listed(tree.root)
        count(names_unread(tree.root))
        if tree.root.tag == ISSUES:
            continue
        files = [each for each in tree.outer if each.name == "file"]
        if not files or around is None or files[-1] is not around:
            around, seen = files[-1] if files else (), set()
        about = files[-1].attributes if files else {}
        for unit in segments_of(tree, about, listed):
            if unit.key in seen:
                reason = f"the id {unit.key} occurs twice in one file element."
                raise ImportProblem(file.name, unit.row, "id", reason)
            seen.add(unit.key)
            yield unit


def issues_listed(root: Element) -> dict[str, list[Mapping[str, str]]]:
    """Return {id: issues} of issues listed apart from their text."""
    return {
        "#" + each.get("id", ""): [issue.attrib for issue in each if issue.tag == ISSUE]
        for each in root.iter(ISSUES)
    }


def names_unread(root: Element) -> Iterator[str]:
    """Yield the names of elements and attributes in a tree that are not read. Codes in a text are
    counted as such."""
    if root.tag not in READ:
        yield root.tag
        return
    yield from (name for name in root.attrib if not NAMES_READ.match(name))
    for each in root:
        if root.tag not in INLINE or each.tag in INLINE:
            yield from names_unread(each)


def segments_of(
    tree: XmlTree, about: Mapping[str, str], listed: Mapping[str, list[Mapping[str, str]]]
) -> Iterator[BilingualUnit]:
    """Yield the segments of one unit: the unit itself, several as in XLIFF 2, or as divided by
    marks."""
    root = tree.root
    ours = {**about, **root.attrib}
    said = {name[7:]: value for name, value in ours.items() if name.startswith("mteval:")}
    document = said.get("document") or about.get("original") or about.get("id") or ""
    key = said.get("segment") or root.get("id") or ""
    parts = pairs_of(root)
    notes = list(root.iter("note"))
    by_id = {each.get("id", ""): each for each in notes}
    placed = {note_id(each.attrib) for each in root.iter()} - {""}
    whole = [(text_of(each), each.attrib) for each in notes if each.get("id") not in placed]
    proposals = [each for each in root.iter() if each.tag in ("alt-trans", "match")]
    proposed = proposals[0].find("target") if proposals else None
    for n, (source, target) in enumerate(parts, 1):
        yield BilingualUnit(
            tree.row,
            document,
            key if len(parts) == 1 else f"{key}:{n}",
            with_marks(source, listed, by_id),
            None if target is None else with_marks(target, listed, by_id),
            inline_text(proposed).text if proposed is not None and len(parts) == 1 else "",
            said,
            said.get("score") or root.get("locQualityRatingScore") or "",
            whole if n == 1 else (),
            len(proposals) if n == 1 else 0,
        )


def pairs_of(root: Element) -> list[tuple[Element, Element | None]]:
    """Return (source, target) of each segment of a unit."""
    if root.tag == "unit":
        found = [(each.find("source"), each.find("target")) for each in root.iter("segment")]
        return [(source, target) for source, target in found if source is not None]
    source, target = root.find("source"), root.find("target")
    cut = {each.get("mid", ""): each for each in cuts(root.find("seg-source"))}
    if cut:
        mine = {each.get("mid", ""): each for each in cuts(target)}
        return [(each, mine.get(mid)) for mid, each in cut.items()]
    return [(source, target)] if source is not None else []


def cuts(side: Element | None) -> list[Element]:
    marks = side.iter("mrk") if side is not None else ()
    return [each for each in marks if each.get("mtype") == "seg"]


def note_id(said: Mapping[str, str]) -> str:
    """Return the id of the note to which a mark of a comment refers, as in `#n=n1`."""
    is_comment = said.get("type") == "comment"
    return said.get("ref", "").removeprefix("#").removeprefix("n=") if is_comment else ""


def text_of(note: Element | None) -> str:
    return "" if note is None else "".join(note.itertext()).strip()


def with_marks(
    side: Element,
    listed: Mapping[str, list[Mapping[str, str]]],
    notes: Mapping[str, Element],
) -> InlineText:
    """Return the text with the issues and notes to which its marks refer."""
    found = inline_text(side)
    issues: list[tuple[int, int, Mapping[str, str]]] = []
    for start, end, said in found.issues:
        ref = said.get(f"{ISSUE}sRef")
        issues += [(start, end, each) for each in (listed.get(ref, []) if ref else [said])]
    comments = []
    for start, end, said in found.comments:
        text = said.get("comment") or said.get("value") or text_of(notes.get(note_id(said)))
        comments.append((start, end, {"comment": text}))
    return found._replace(issues=issues, comments=comments)


# ---- Writing -----------------------------------------------------------------------------------


def write_xliff(texts: TextsPart, part: JudgmentsPart | None, write: Callable) -> None:
    write(
        HEAD.format(
            ours=quoteattr(OURS),
            source=quoteattr(texts.source_language),
            target=quoteattr(texts.target_language),
        )
    )
    n = 0
    with closing(spool(JUDGED)) as judged, closing(TextStore(texts.segments())) as store:
        for judgment in judged_outputs(part) if part else ():
            judged.execute(
                "insert into judged (system, annotator, time, segment, score, started, submitted,"
                " active, errors, remarks) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                judged_row(*judgment),
            )
        for about, units in files_of(texts, judged, store):
            place = 0
            for place, (said, inside) in enumerate(units, 1):
                if place == 1:
                    n += 1
                    write(f'<file id="f{n}" xml:space="preserve"{attributes(about)}>\n')
                write(f'<unit id="u{place}"{said}>{inside}</segment></unit>\n')
            write("</file>\n" if place else "")
    write("</xliff>\n")


Units = Iterator[tuple[str, str]]  # attributes, and content up to the end of the segment


def files_of(
    texts: TextsPart, judged: Connection, store: TextStore
) -> Iterator[tuple[dict[str, str], Units]]:
    """Yield the data of each `file`, and its units: first judged ones, then all other texts."""
    files = judged.execute(
        "select system, annotator, time from judged group by 1, 2, 3 order by min(n)"
    ).fetchall()
    for system, annotator, time in files:
        about = {"system": system, "annotator": annotator, "repeat": str(time) if time > 1 else ""}
        yield about, judged_units(judged, store, (system, annotator, time))
    for kind, name in sides_of(texts):
        rows = judged.execute("select distinct segment from judged where system = ?", (name,))
        done = {key for (key,) in rows} if kind == "system" else set()
        yield {kind: name}, other_units(texts, kind, name, done)


def judged_units(judged: Connection, store: TextStore, file: tuple[str, str, int]) -> Units:
    rows = judged.execute(
        "select segment, score, started, submitted, active, errors, remarks from judged"
        " where system = ? and annotator = ? and time = ? order by n",
        file,
    )
    for key, score, started, submitted, active, errors, remarks in rows:
        segment = store.segment(key)
        about = {"segment": key, "document": segment.document, "started": started}
        about |= {"timestamp": submitted, "active": active}
        rating = attributes({"score": score})
        if score is not None and 0 <= score <= 100:
            rating = f' its:locQualityRatingScore="{score!r}"'
        spans = [MarkedSpan(*each) for each in json.loads(errors)]
        comments, rest = commented(spans, [Remark(*each) for each in json.loads(remarks)])
        found = list(enumerate(zip(spans, comments, strict=True), 1))
        of_source = [(n, *each) for n, each in found if each[0].side == "source"]
        of_target = [(n, *each) for n, each in found if each[0].side != "source"]
        source, target = marked(segment.source, of_source), segment.outputs[file[0]]
        yield attributes(about) + rating, sides(source, marked(target, of_target), rest)


def other_units(texts: TextsPart, kind: str, name: str, done: Container[str]) -> Units:
    for row in texts.segments():
        text = (row.outputs if kind == "system" else row.references).get(name)
        if text is not None and row.key not in done:
            about = {"segment": row.key, "document": row.document}
            yield attributes(about), sides(written(row.source), written(text))


def sides(source: str, target: str, remarks: Sequence[Remark] = ()) -> str:
    notes = "".join(note(n, remark) for n, remark in enumerate(remarks, 1))
    before = f"\n<notes>{notes}</notes>" if notes else ""
    return f"{before}<segment>\n<source>{source}</source>\n<target>{target}</target>"


def note(n: int, remark: Remark) -> str:
    said = f' appliesTo="{remark.side}"' if remark.side else ""
    if remark.side:
        said += f' mteval:side="{remark.side}" mteval:start="{remark.start}"'
        said += f' mteval:end="{remark.end}"'
    return f'<note id="n{n}"{said}>{escape(clean(remark.comment))}</note>'


def judged_row(screen: JudgedScreen, system: str, time: int) -> tuple:
    scores = [v for judged, name, v in screen.ratings if (judged, name) == (system, SCORE)]
    moments = (screen.started, screen.submitted)
    times = [round(each.timestamp() * 1000) if each else None for each in moments]
    active = screen.active_ms
    share = active // len(screen.outputs) if active is not None else None
    errors = json.dumps([span for span in screen.spans or () if span.system == system])
    remarks = json.dumps(remarks_on(screen, system))
    score = scores[0] if scores else None
    return (system, screen.annotator, time, screen.segment, score, *times, share, errors, remarks)


def sides_of(texts: TextsPart) -> dict[tuple[str, str], None]:
    found: dict[tuple[str, str], None] = {}
    for row in texts.segments():
        found |= dict.fromkeys(("system", name) for name in row.outputs)
        found |= dict.fromkeys(("reference", name) for name in row.references)
    return found


def attributes(said: Mapping[str, object]) -> str:
    """Return our attributes that are not empty."""
    there = {name: value for name, value in said.items() if value not in ("", None)}
    return "".join(f" mteval:{name}={quoteattr(str(value))}" for name, value in there.items())


def marked(text: str, spans: Sequence[tuple[int, MarkedSpan, str]]) -> str:
    """Return a text with its errors between `sm` and `em`, which may overlap. spans: with their
    numbers and comments."""
    ends = [
        (each.end, 0, f'<em startRef="m{n}"/>') for n, each, _ in spans if each.start < each.end
    ]
    starts = [(span.start, 1, begin(n, span, comment)) for n, span, comment in spans]
    found, at = "", 0
    for place, _, mark in sorted(ends + starts, key=lambda each: each[:2]):
        found += written(text[at:place]) + mark
        at = place
    return found + written(text[at:])


def begin(n: int, span: MarkedSpan, comment: str) -> str:
    word = span.category.lower().replace(" ", "-").rpartition("/")[2]
    number = SEVERITIES.get(span.severity.lower())
    said = f' its:locQualityIssueType="{TYPES.get(word, "other")}"'
    said += "" if number is None else f' its:locQualityIssueSeverity="{number}"'
    said += f" its:locQualityIssueComment={quoteattr(clean(comment))}" if comment else ""
    named = attributes({"severity": span.severity})
    named += f" mteval:category={quoteattr(span.category)}"
    ended = "" if span.start < span.end else f'<em startRef="m{n}"/>'
    return f'<sm id="m{n}" type="its:generic"{said}{named}/>{ended}'


def written(text: str) -> str:
    """Return a text in XML; characters that XML cannot contain are written by their codes."""
    text = escape(text, {"\r": "&#13;"})
    return UNWRITABLE.sub(lambda each: f'<cp hex="{ord(each[0]):04X}"/>', text)
