"""Tables by recipes: those of the site, and users' own."""

import json

import pytest

from judgments.exchange.releases import registry
from judgments.exchange.releases.records import Problems, TextsPart
from judgments.files import ImportProblem
from judgments.files.uploads import opened
from judgments.models import TargetedReference
from judgments.results.recomputation.figures import NONE, SAME, recomputed
from judgments.results.selection.selection import Selection
from tests.releases import bring
from tests.shared import shared_data

from .table_files import read, said

MLQE = (
    "index\toriginal\ttranslation\tscores\tmean\tz_scores\tz_mean\tmodel_scores\n"
    "0\tOne.\tEins.\t[91, 90, 95]\t92\t[0.5, 0.6, 0.5]\t0.53\t-0.4\n"
    "1\tTwo.\tZwei.\t[50.5, 45]\t47.75\t[-1.1, -1.2]\t-1.15\t-0.2\n"
)
LABELS = "804\tOne.\tEins.\t[0, 1, 1]\tERR\n686\tTwo.\tZwei.\t[0, 0, 0]\tNOT\n"
PAIRS = (
    "system2rank,segmentId,system1Id,system2Number,system1Number,trglang,system1rank,srcIndex,"
    "judgeID,srclang,system2Id,documentId\n"
    "1,001_1,ht,-1,-1,-1,2,001_1,p1,-1,gg,-1\n"
    "1,001_1,ht,-1,-1,-1,2,001_1,p1,-1,c6,-1\n"
    "1,001_1,gg,-1,-1,-1,1,001_1,p1,-1,c6,-1\n"
)
PARITY = {
    "documents.csv": "wmt_article_id,exp_item_number,src,human,mt,spam\n"
    "d1,E-1,甲。乙。,A. B.,C. D.,\n",
    "sentences.csv": "wmt_article_id,wmt_line_number,exp_item_number,src,human,mt,spam\n"
    "d2,7,O-1,丙。,E.,F.,\n",
    "ratings.csv": "participant_id,condition,type,exp_item_number,rating\n"
    "A,fluency,document,E-1,mt\nA,adequacy,sentence,O-1,tie\nB,adequacy,sentence,O-1,human\n",
}


def test_several_ratings_in_one_cell(tmp_path):
    release, screens, texts, problems = read(tmp_path, **{"test20.ende.df.short.tsv": MLQE})
    assert not problems
    assert said(screens) == [
        ("rater 1", "0", ["NMT"], "regular", [("NMT", "score", 91.0)]),
        ("rater 2", "0", ["NMT"], "regular", [("NMT", "score", 90.0)]),
        ("rater 3", "0", ["NMT"], "regular", [("NMT", "score", 95.0)]),
        ("rater 1", "1", ["NMT"], "regular", [("NMT", "score", 50.5)]),
        ("rater 2", "1", ["NMT"], "regular", [("NMT", "score", 45.0)]),
    ]
    (part,) = release.judgments
    assert [(each.of, each.text) for each in part.published if each.figure == "segment mean"] == [
        ("NMT in 0", "92"),
        ("NMT in 1", "47.75"),
    ]
    ((one, two),) = texts.values()
    assert (one.source, two.outputs) == ("One.", {"NMT": "Zwei."})
    assert (release.texts[0].source_language, release.texts[0].target_language) == ("en", "de")
    assert problems.unused() == [
        "2 columns are not used from test20.ende.df.short.tsv: z_scores, model_scores."
    ]


def test_lists_are_known_without_a_recipe(tmp_path):
    table = "id\tsource\ttarget\tratings\nx1\tOne.\tEins.\t[5, 4]\nx2\tTwo.\tZwei.\t[]\n"
    _, _, _, problems = read(tmp_path, **{"a.tsv": table})
    assert problems.unused() == ["2 columns are not used from a.tsv: id, ratings."]  # [] is no list
    _, screens, _, problems = read(tmp_path, **{"a.tsv": table.replace("[]", "[3, 2.5]")})
    assert [(s.annotator, s.segment, s.ratings[0][2]) for s in screens] == [
        ("rater 1", "1", 5.0),
        ("rater 2", "1", 4.0),
        ("rater 1", "2", 3.0),
        ("rater 2", "2", 2.5),
    ]
    assert problems.unused() == ["1 column is not used from a.tsv: id."]


@pytest.mark.parametrize("cell", ["[91, x]", "91, 90", "[1e999]", "[--1]"])
def test_a_cell_that_is_no_list_is_named(tmp_path, cell):
    table = MLQE.replace("[50.5, 45]", cell)
    _, screens, _, problems = read(tmp_path, **{"test20.ende.df.short.tsv": table})
    assert len(screens) == 3
    assert [(p.row, p.column) for p in problems.first] == [(3, "scores")]


def test_labels_of_critical_errors(tmp_path):
    """A file without a header. That there is none is the better answer, so it counts 1."""
    release, screens, _, problems = read(tmp_path, **{"ende_majority_dev.tsv": LABELS})
    assert not problems
    assert [(s.annotator, s.segment, s.ratings[0][2]) for s in screens] == [
        ("rater 1", "804", 1.0),
        ("rater 2", "804", 0.0),
        ("rater 3", "804", 0.0),
        ("rater 1", "686", 1.0),
        ("rater 2", "686", 1.0),
        ("rater 3", "686", 1.0),
    ]
    (dimension,) = release.judgments[0].options["dimensions"]
    assert dimension == {"slug": "no_critical_error", "low": 0, "high": 1}
    assert problems.unused() == ["1 column is not used from ende_majority_dev.tsv: majority."]


def test_the_better_system(tmp_path):
    release, _, texts, problems = read(tmp_path, **PARITY)
    assert not problems
    known = {
        part.name: [(s.annotator, s.segment, s.preferences) for s in part.screens()]
        for part in release.judgments
    }
    assert known == {
        "ratings fluency document": [("A", "E-1", [("human", "mt", -1, None)])],
        "ratings adequacy sentence": [
            ("A", "O-1", [("human", "mt", 0, None)]),
            ("B", "O-1", [("human", "mt", 1, None)]),
        ],
    }
    (segments,) = texts.values()
    assert [(s.key, s.document, s.outputs["mt"]) for s in segments] == [
        ("E-1", "d1", "C. D."),
        ("O-1", "d2", "F."),
    ]
    assert (release.texts[0].source_language, release.texts[0].target_language) == ("zh", "en")


def test_three_systems_where_one_is_better(tmp_path):
    ratings = PARITY["ratings.csv"] + "B,fluency,document,E-1,sl\n"
    with pytest.raises(ImportProblem, match=r"it names 3 systems \(“human, mt, sl”\)"):
        read(tmp_path, **PARITY | {"ratings.csv": ratings})


def test_ranked_pairs(tmp_path):
    release, screens, _, problems = read(tmp_path, **{"hp.csv": PAIRS})
    assert not problems
    assert [(s.annotator, s.outputs, s.ratings) for s in screens] == [
        ("p1", ["ht", "gg", "c6"], [("ht", "rank", 2.0), ("gg", "rank", 1.0), ("c6", "rank", 1.0)])
    ]
    assert release.judgments[0].preset == "relative-ranking"
    _, _, _, problems = read(
        tmp_path, **{"hp.csv": PAIRS.replace("1,001_1,gg,-1,-1,-1,1", "1,001_1,gg,-1,-1,-1,2")}
    )
    assert [(p.row, p.reason[:4]) for p in problems.first] == [(4, "“gg”")]


def test_files_side_by_side(tmp_path):
    """Direct assessments of 2016: line n of each file is of segment n."""
    files = {
        "DAseg.newstest2016.source.cs-en": "Jedna.\nDvě.\n",
        "DAseg.newstest2016.reference.cs-en": "One.\nTwo.\n",
        "DAseg.newstest2016.mt-system.cs-en": "An one.\nTwo!\n",
        "DAseg.newstest2016.human.cs-en": "-0.25\n1.5\n",
    }
    release, screens, texts, problems = read(tmp_path, **files)
    assert not problems
    assert [(s.segment, s.ratings) for s in screens] == [
        ("1", [("unnamed systems", "da_z", -0.25)]),
        ("2", [("unnamed systems", "da_z", 1.5)]),
    ]
    ((one, _),) = texts.values()
    assert (one.references, one.outputs) == ({"ref": "One."}, {"unnamed systems": "An one."})
    assert (release.texts[0].source_language, release.texts[0].target_language) == ("cs", "en")
    assert release.judgments[0].options["are_means"] is True
    files["DAseg.newstest2016.human.cs-en"] = "1\n"
    with pytest.raises(ImportProblem, match="row 2: the files should have the same number"):
        read(tmp_path, **files)


def test_means_of_crowd_workers(tmp_path):
    """The columns and the row as in the README of ygraham/direct-assessment."""
    table = "HIT N SID SYS SCR\nH0 17 65 uedin-nmt 36.3088235294118\n"
    release, screens, _, problems = read(tmp_path, **{"ad-raw-seg-scores-15.cs-en.csv": table})
    assert not problems
    assert [(s.segment, s.ratings) for s in screens] == [
        ("65", [("uedin-nmt", "score", 36.3088235294118)])
    ]
    assert release.judgments[0].options["are_means"] is True
    assert (release.texts[0].source_language, release.texts[0].target_language) == ("cs", "en")


def test_a_recipe_that_somebody_brings(tmp_path):
    """It has priority over every other format, and the form saves the same kind of file."""
    recipe = {
        "recipe": 1,
        "name": "Ours",
        "answers": {"source-language": "de", "target-language": "en"},
        "tables": [
            {
                "columns": {
                    "wer": "annotator",
                    "satz": "segment",
                    "a": "system",
                    "n": "score:adequacy",
                }
            }
        ],
    }
    table = "wer,satz,a,n,bemerkung\nMia,7,A,3,gut\n"
    release, screens, _, problems = read(
        tmp_path, **{"t.csv": table, "recipe.json": json.dumps(recipe)}
    )
    assert said(screens) == [("Mia", "7", ["A"], "regular", [("A", "adequacy", 3.0)])]
    assert problems.unused() == ["1 column is not used from t.csv: bemerkung."]
    assert "t.csv was read by the recipe “Ours”." in release.notes
    assert release.recipe == [
        {"columns": {**recipe["tables"][0]["columns"], "bemerkung": "unused"}}
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"recipe": 2}, "version 1"),
        ({"tables": []}, "a list with an object for each table"),
        ({"tables": [{"columns": {"a": "colour"}}]}, "“colour” is not a meaning of a column"),
        ({"tables": [{"columns": {"a": "score"}, "regex": "(a+)+"}]}, "not “regex”"),
        ({"tables": [{"columns": {"a": "score"}, "header": ["b"]}]}, "with all of the columns"),
        ({"tables": [{"columns": {"a": "score"}, "files": {"a": "{}{}{}{}"}}]}, "at most 3"),
        ({"tables": [{"columns": {"a": "score"}, "values": {"x": "1"}}]}, "a number for each"),
        ({"answers": ["x"], "tables": [{}]}, "an object {name: text}"),
    ],
)
def test_what_is_no_recipe(tmp_path, change, said):
    recipe = {"recipe": 1, "tables": [{"columns": {"a": "score"}}]} | change
    with pytest.raises(ImportProblem, match=r"recipe\.json") as raised:
        read(tmp_path, **{"t.csv": "a,b\n1,2\n", "recipe.json": json.dumps(recipe)})
    assert said in str(raised.value)


def test_no_reader_of_tables_forgets_a_column(tmp_path):
    """One more column in the files of every format that has tables; each says that it is there."""
    more = {
        "published-figures": ("published_x.tsv", "system\tmqm\nX\t-1\n", "\t"),
        "google-mqm": ("mqm_deen.tsv", MQM, "\t"),
        "wmt-da": ("ad.csv", CROWD, " "),
        "wmt-ranked-pairs": ("pairs.csv", WMT16, ","),
        "recipes": ("test20.ende.df.short.tsv", MLQE, "\t"),
        "tables": ("t.csv", "rater,segment,system,score\nMia,1,A,3\n", ","),
    }
    for slug, (name, text, mark) in more.items():
        lines = text.rstrip("\n").split("\n")
        lines = [f"{lines[0]}{mark}zzz", *(f"{line}{mark}9" for line in lines[1:])]
        path = tmp_path / slug / name
        path.parent.mkdir()
        path.write_text("\n".join(lines) + "\n")
        with opened([path]) as files:
            assert [each.slug for each, _ in registry.recognize(files)[0]] == [slug]
            problems = Problems()
            release = registry.read(files, {}, problems)
            for part in (*release.texts, *release.judgments):
                list(part.segments() if isinstance(part, TextsPart) else part.screens())
        assert any("zzz" in note for note in problems.unused()), slug
    known = '{"src": "eins", "zzz": 1, "metadata": {"doc_id": "d", "yyy": 2}, "hyps": {"X": "1"}}\n'
    *_, problems = read(tmp_path, **{"a.de-en.jsonl": known})
    assert problems.unused() == ["2 columns are not used from a.de-en.jsonl: zzz, yyy."]


MQM = (
    "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    "X\td\t1\t1\tr\teins\t<v>one</v>\tStyle\tminor\n"
)
CROWD = (
    "HITId WorkerId Input.src Input.trg sys_id type sid score time\nh w de en X SYSTEM 1 0.5 10\n"
)
WMT16 = (
    "srclang,trglang,srcIndex,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID\n"
    "deu,eng,7,Mia,newstest2016.A.1.de-en,2,newstest2016.B.2.de-en,1,5\n"
)


# ---- In the database ---------------------------------------------------------------------------


def test_published_means_are_compared_and_post_edits_stored(db, tmp_path):
    (tmp_path / "test20.ende.df.short.tsv").write_text(MLQE)
    ((campaign, added),) = bring([tmp_path / "test20.ende.df.short.tsv"]).campaigns
    assert (added.judgments, added.annotators) == (5, 3)
    assert campaign.import_records.get().notes == [
        "2 columns are not used from test20.ende.df.short.tsv: z_scores, model_scores.",
        "test20.ende.df.short.tsv was read by the recipe “MLQE-PE”.",
    ]
    verdicts = {(row.figure, row.of): row.verdict for row in recomputed(Selection.of(campaign))}
    of_rater = "segment mean z, over all a rater's work"
    assert verdicts == {
        ("segment mean", "NMT in 0"): SAME,
        ("segment mean", "NMT in 1"): SAME,
        (of_rater, "NMT in 0"): NONE,
        (of_rater, "NMT in 1"): NONE,
    }
    folder = tmp_path / "en-de"
    folder.mkdir()
    for ending, text in {"src": "One.\nTwo.\n", "mt": "Ein.\nZwei.\n", "pe": "Eins.\n\n"}.items():
        (folder / f"test20.{ending}").write_text(text)
    (test_set,) = bring([folder]).test_sets.values()
    edits = TargetedReference.objects.filter(output__segment__test_set=test_set)
    assert [(e.output.segment.key, e.output.text, e.text) for e in edits] == [
        ("1", "Ein.", "Eins.")
    ]


@pytest.mark.proof
@pytest.mark.parametrize(
    ("names", "screens"),
    [
        (["mlqe-pe.df.short.tsv"], 30),  # five rows of six raters
        (["mlqe-pe.catastrophic.tsv"], 24),  # eight rows of three raters
        (["toral.appraise.csv"], 3),  # nine pairs, three of each judge
        ([f"laeubli.{name}.csv" for name in ("documents", "sentences", "ratings")], 11),
    ],
)
def test_first_lines_as_released(tmp_path, names, screens):
    files = {name: shared_data("13_first_lines", name).read_bytes() for name in names}
    _, found, _, problems = read(tmp_path, **files)
    assert (len(found), problems.n) == (screens, 0)
