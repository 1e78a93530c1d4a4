"""Valid files for every form that takes a file. They name objects in `World`."""

import gzip
from dataclasses import dataclass, field

from tests.media_files import wav, zipped

TAB = "\t"


@dataclass(frozen=True)
class File:
    """`field`: the form field it is sent in. `fields`: required other fields."""

    field: str
    name: str
    text: str
    fields: dict[str, str] = field(default_factory=dict)

    @property
    def content(self) -> bytes:
        content = self.text.encode()
        return gzip.compress(content, mtime=0) if self.name.endswith(".gz") else content


@dataclass(frozen=True)
class Archive(File):
    """A zip of a sound, and of the table in `text`."""

    @property
    def content(self) -> bytes:
        return zipped({"all.tsv": self.text.encode(), "a.wav": wav()})


def table(*rows: str) -> str:
    """Return rows of a TSV file, with | for the tabs."""
    return "".join(row.replace("|", TAB) + "\n" for row in rows)


XML = (
    '<dataset id="x"><collection id="news"><doc origlang="de" id="a"><src lang="de"><p>'
    '<seg id="1">Eins</seg></p></src><ref lang="en" translator="A"><p><seg id="1">One</seg></p>'
    '</ref><hyp system="X" lang="en"><p><seg id="1">one</seg></p></hyp></doc></collection>'
    "</dataset>\n"
)
JSON_LINES = '{"src": "Eins", "doc_id": "d", "refs": {"refA": "One"}, "hyps": {"X": "one"}}\n'
LINES = "one\ntwo words\nthree\nfour <b>\n"
SET = {"name": "New set", "source_language": "de", "target_language": "en"}
BITEXT = {"name": "News", "source_language": "de", "target_language": "en"}
SCORES = {"direction": "higher"}
JUDGMENTS = [
    File(
        "file",
        "ratings.tsv",
        table(
            "annotator|segment|system|dimension|value|seconds|item|kind",
            "Mia|1|System-A|adequacy|4|41.5|a|regular",
            "Mia|1|System-A|fluency|3||a|regular",
            "Jo|2|System-B|adequacy|2||b|repeat",
            "Jo|2|System-B|fluency|5||b|repeat",
        ),
    ),
    File(
        "file",
        "ratings.jsonl",
        '{"annotator": "w", "segment": 1, "system": "System-A", "dimension": "adequacy", '
        '"value": 4}\n{"annotator": "w", "segment": 1, "system": "System-A", '
        '"dimension": "fluency", "value": 2}\n',
    ),
    File(
        "file", "rankings.tsv", table("ranking|annotator|segment|system|rank", "1|Mia|1|System-A|2")
    ),
]
FILES: dict[str, list[File]] = {
    "quality-exclusions": [
        File(
            "file",
            "exclusions.tsv",
            table("segment|system|reason", "1|System-A|cut off", "2||wrong source"),
        ),
        File("file", "exclusions.jsonl", '{"segment": "3", "reason": "twice"}\n'),
    ],
    "test-set-new": [
        File("source", "source.txt", LINES, SET),
        File(
            "table",
            "set.tsv",
            table(
                "segment|document|source|reference|system:X|system:Y",
                "h1|d|Eins|One|one|ones",
                "h2|d|Zwei|Two|two|too",
            ),
            SET,
        ),
        File("table", "set.jsonl", '{"segment": "1", "source": "Eins", "system:X": "one"}\n', SET),
        File("source", "source.txt.gz", LINES, SET),
        Archive("media_files", "a.zip", table("source|media|system:X", "|a.wav|one"), SET),
    ],
    "test-set-media": [
        Archive("media_files", "a.zip", table("segment|media", "1|a.wav")),
    ],
    "test-set-texts": [
        File("source", "source.txt", LINES),
        File(
            "table",
            "texts.tsv",
            table(
                "segment|source|reference|system:System-A|system:System-B|system:System-C",
                *(f"{n}|Eins|One|one||too" for n in range(1, 5)),
            ),
        ),
    ],
    "import": [
        File("several", "set.xml", XML),
        File("several", "set.xml.gz", XML),
        File("several", "set.de-en.jsonl", JSON_LINES * 3),
        File("folder", "source.txt", LINES, {"paths": '["news/source.txt"]'}),
    ],
    "project-from-file": [
        File(
            "file",
            "project.yaml",
            """name: A task
pairs:
  - texts:
      name: Two sentences
      source_language: de
      target_language: en
      rows:
        - {segment: "1", source: Eins, "system:A": One, "system:B": Ones}
        - {segment: "2", source: Zwei, "system:A": Two, "system:B": Too}
protocols: [{preset: pairwise, plan: {seats: 2, repeats: 0}}, {preset: esa}]
rounds: [{}, {instructions: Again.}]
links: {for_each_pair: 2, days: 3}
""",
        ),
    ],
    "campaign-from-file": [
        File(
            "file",
            "campaign.yaml",
            """name: Which one reads better?
texts:
  name: Two sentences
  source_language: de
  target_language: en
  rows:
    - {segment: "1", source: Eins, "system:A": One, "system:B": Ones}
    - {segment: "2", source: Zwei, "system:A": Two, "system:B": Too}
preset: pairwise
plan: {seats: 2, repeats: 0}
staffing: {codes: {pass: P1, fail: F1}, pay: {amount: "12.50", currency: EUR}}
""",
        ),
        File("file", "campaign.json", '{"name": "X", "texts": "Small set", "preset": "esa"}'),
    ],
    "invitations-many": [
        File(
            "guests_file",
            "people.csv",
            "name,e-mail,alias\nAda,ada@example.org,\nGrace,,swift heron\n",
        ),
    ],
    "project-links": [
        File(
            "guests_file",
            "people.csv",
            "name,e-mail,alias,pairs\nAda,ada@example.org,,\nGrace,,swift heron,\n",
            {"days": "60"},
        ),
    ],
    "corpora": [
        File("file", "corpus.txt", LINES * 5, {"name": "News", "language": "en"}),
        File("file", "corpus.txt.gz", LINES * 5, {"name": "News", "language": "en"}),
    ],
    "bitexts": [
        File("source", "bitext.tsv", table("ein Haus|a house", "zwei|two") * 3, BITEXT),
    ],
    "import-judgments": JUDGMENTS,
    "suggestions": [
        File(
            "file",
            "suggested.jsonl",
            '{"segment": "1", "system": "System-A", "start": 2, "end": 6, "severity": "minor"}\n'
            '{"segment": "2", "system": "System-B", "side": "missing", "severity": "major"}\n',
        ),
        File(
            "file",
            "suggested.tsv",
            table("segment|system|start|end|severity", "1|System-A|0|6|major"),
        ),
    ],
    "proposed-links": [
        File("table", "links.tsv", table("segment|system|links", "1|System-A|0-0 1-2 2p3")),
        File("systems", "System-A.txt", "0-0 1-1\n\n2p2\n0?0\n"),
    ],
    "questions-import": [
        File(
            "file",
            "questions.tsv",
            "document\tlevel\tchoices\tright\tquestion\n"
            "doc0\t1\ta boat|a train\ta boat\tWhat lies there?\n"
            "doc1\t2\t\ttomorrow\tWhen?\n",
        )
    ],
    "reference-new": [
        File("file", "refB.txt", LINES, {"name": "refB"}),
        File("file", "refC.csv", "segment,text\n1,One\n3,=three\n", {"name": "refC"}),
    ],
    "systems-new": [
        File("systems", "late.txt", LINES),
        File("table", "late.tsv", table("system|segment|text", "late-2|1|=Late", "late-2|2|")),
    ],
    "post-edits": [
        File("systems", "System-A.txt", LINES, {"name": "Jo"}),
        File("table", "edits.tsv", table("system|segment|text|name", "System-A|1|Better|Jo")),
    ],
    "score-upload": [
        File("files_of_scores", "X-ref.seg.score", "System-A 0.5\n" * 4, SCORES),
        File("files_of_scores", "X-ref.sys.score", table("System-A|0.5", "System-B|-3"), SCORES),
        File(
            "files_of_scores",
            "scores.tsv",
            table("system|segment|metric|references|score", "System-A|1|X|ref|0.62"),
            SCORES,
        ),
        File(
            "files_of_scores",
            "wide.tsv",
            table("system|references|X|Y", "System-A|ref|1|2"),
            SCORES,
        ),
    ],
    "score-kit": [
        File(
            "files_of_scores",
            "X.scores.jsonl",
            '{"mteval_scores": 1, "metric": "X", "signature": "X|v:1", "higher_is_better": true, '
            '"references": ["ref"], "systems": ["System-A"]}\n'
            '{"system": "System-A", "segment": "1", "score": 0.5, "texts": "0"}\n',
        )
    ],
}
