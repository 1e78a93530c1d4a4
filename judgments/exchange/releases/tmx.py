"""TMX: translation memories, a unit with a text in each of its languages.

    <tu tuid="1"><tuv xml:lang="de"><seg>ein Haus</seg></tuv><tuv xml:lang="en"><seg>…</seg></tuv>

A memory may have many languages, so the source and the target language are asked for. Written: TMX
1.4 with a unit for each output and reference, whose `prop` names its system or reference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

from judgments.files.problem import ImportProblem
from judgments.files.uploads import Folder, ReleaseFile

from .bilingual import (
    LEFT_OUT,
    OUTPUT,
    BilingualTable,
    BilingualUnit,
    FileUse,
    InlineText,
    inline_text,
    use_of,
)
from .format import Answers, TextsFormat, numbered
from .language_answers import SOURCE_LANGUAGE, TARGET_LANGUAGE
from .languages import language_code
from .records import OpenQuestion, Problems, Release, TextsPart
from .wmt_xml import clean
from .xml_reading import is_xml, trees

MOST_LANGUAGES = 200
PROPS = {
    "x-mteval-system": "system",
    "x-mteval-reference": "reference",
    "x-mteval-document": "document",
}
HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<tmx version="1.4">
<header creationtool="mteval" creationtoolversion="1" segtype="sentence" o-tmf="mteval"
  adminlang="en" srclang={source} datatype="plaintext"/>
<body>
"""


class Tmx(TextsFormat):
    slug = "tmx"
    name = "TMX"
    holds = "a translation memory: source, outputs and references, unit by unit"
    described = "https://resources.gala-global.org/tbx14b"
    writes = True
    file = "texts.tmx"

    def recognize(self, files: Sequence[ReleaseFile]) -> list[ReleaseFile]:
        return [file for file in files if is_xml(file, "tmx")]

    def read(self, files: Sequence[ReleaseFile], answers: Answers, problems: Problems) -> Release:
        """Return a release in which all files belong to one test set."""
        release = Release()
        languages: dict[str, None] = {}
        ids = UnitIds()
        is_ours = True
        for file in files:
            found, ours = survey(file, ids)
            languages |= found
            is_ours &= ours
        source, target = self.asked(list(languages), answers, release)
        table = BilingualTable(files, problems)
        for file in files:
            use = FileUse(OUTPUT, file.name.partition(".")[0])
            if not is_ours:
                use = use_of(file, use, answers, release)
            if use.role != LEFT_OUT:
                table.add(file, units(file, source, target, ids, table.count_unread), use)
        release.add(table.finished(language_code(source), language_code(target)))
        return release

    def asked(self, languages: list[str], answers: Answers, release: Release) -> tuple[str, str]:
        """Return the languages as the files write them; the first two if nobody has chosen."""
        if len(languages) < 2:
            reason = f"it has texts in {len(languages)} language: a source and a target are needed."
            raise ImportProblem("TMX", None, "", reason)
        choices = tuple((each, each) for each in languages)
        found = []
        for question, label in (
            (SOURCE_LANGUAGE, "Language of the source"),
            (TARGET_LANGUAGE, "Language of the translations"),
        ):
            default = next(each for each in languages if each not in found)
            release.questions.append(OpenQuestion(question, label, "", choices, default))
            chosen = answers.get(question) or default
            known = [each for each in languages if language_code(each) == language_code(chosen)]
            found.append(known[0] if known else default)
        return found[0], found[1]

    def write(self, release: Release, folder: Folder) -> None:
        for n, texts in enumerate(release.texts, 1):
            with folder.text(numbered(self.file, n, len(release.texts))) as write:
                write(HEAD.format(source=quoteattr(texts.source_language)))
                for piece in written(texts):
                    write(piece)
                write("</body>\n</tmx>\n")


class UnitIds:
    """Ids for units without one: that of the source and how often it has occurred in the file, so
    that files with different units do not mix."""

    def __init__(self) -> None:
        self.given: set[str] = set()
        self.made: dict[tuple[str, int], str] = {}
        self.number = 0

    def of(self, source: str, time: int) -> str:
        if (source, time) not in self.made:
            self.number += 1
            while f"{self.number}" in self.given:
                self.number += 1
            self.made[source, time] = f"{self.number}"
        return self.made[source, time]


def survey(file: ReleaseFile, ids: UnitIds) -> tuple[dict[str, None], bool]:
    """Return the languages of a file, that of its sources first, and whether the file names the
    system of its translations, as ours do; note the ids of its units."""
    found: dict[str, None] = {}
    is_ours = True
    for tree in trees(file, "header", "tu"):
        if tree.root.tag == "header":
            said = tree.root.get("srclang", "")
            found |= {said: None} if said and said != "*all*" else {}
            continue
        found |= dict.fromkeys(each.get("lang", "") for each in tree.root.iter("tuv"))
        ids.given.add(tree.root.get("tuid", ""))
        is_ours &= bool({"system", "reference"} & set(props_of(tree.root)))
        if len(found) > MOST_LANGUAGES:
            reason = f"there are texts in more than {MOST_LANGUAGES} languages."
            raise ImportProblem(file.name, tree.row, "", reason)
    return {each: None for each in found if each}, is_ours


def props_of(unit: Element) -> dict[str, str]:
    return {
        PROPS[each.get("type", "")]: each.text or ""
        for each in unit.iter("prop")
        if each.get("type") in PROPS
    }


def names_unread(unit: Element, languages: Sequence[str]) -> Iterator[str]:
    """Yield the names of what is not read in a unit."""
    yield from (name for name in unit.attrib if name != "tuid")
    for each in unit:
        language, kind = each.get("lang", ""), each.get("type", "")
        if each.tag == "tuv":
            yield from (name for name in each.attrib if name != "lang")
            yield from (f"{inner.tag} of tuv" for inner in each if inner.tag != "seg")
            if language.lower() not in languages:
                yield f"tuv {language}"
        elif kind not in PROPS:
            yield f"{each.tag} {kind}".strip()
    if languages[0] not in [each.get("lang", "").lower() for each in unit.iter("tuv")]:
        yield f"tu without {languages[0]}"


def units(
    file: ReleaseFile,
    source: str,
    target: str,
    ids: UnitIds,
    count: Callable[[Iterable[str]], object],
) -> Iterator[BilingualUnit]:
    """Yield the units that have a text in the source language. count: called with the names of what
    is not read."""
    times: Counter[str] = Counter()
    for tree in trees(file, "tu"):
        texts: dict[str, InlineText] = {}
        for each in tree.root.iter("tuv"):
            seg = each.find("seg")
            if seg is not None:
                texts.setdefault(each.get("lang", "").lower(), inline_text(seg))
        count(names_unread(tree.root, (source.lower(), target.lower())))
        said = props_of(tree.root)
        if source.lower() in texts:
            text = texts[source.lower()].text
            key = tree.root.get("tuid", "")
            if not key:
                times[text] += 1
                key = ids.of(text, times[text])
            yield BilingualUnit(
                tree.row,
                said.get("document", ""),
                key,
                texts[source.lower()],
                texts.get(target.lower()),
                said=said,
            )


def written(texts: TextsPart) -> Iterator[str]:
    """Yield a unit for each output and each reference."""
    languages = (texts.source_language, texts.target_language)
    for row in texts.segments():
        sides = [("system", name, text) for name, text in row.outputs.items()]
        sides += [("reference", name, text) for name, text in row.references.items()]
        for kind, name, text in sides:
            found = [f"<tu tuid={quoteattr(row.key)}>"]
            for prop, value in ((kind, name), ("document", row.document)):
                found.append(f'<prop type="x-mteval-{prop}">{escape(value)}</prop>')
            for language, side in zip(languages, (row.source, text), strict=True):
                seg = escape(clean(side), {"\r": "&#13;"})
                found.append(f"<tuv xml:lang={quoteattr(language)}><seg>{seg}</seg></tuv>")
            yield "".join([*found, "</tu>\n"])
