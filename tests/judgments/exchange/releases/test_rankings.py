"""WMT's rankings: pairs as WMT16 released them, screens as WMT10 to WMT15 did; in, out and in."""

import shutil

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judgments.exchange.releases import registry
from judgments.exchange.releases.from_database import release_of
from judgments.exchange.releases.rankings import WmtRankedPairs, WmtRankings
from judgments.exchange.releases.records import (
    JudgedScreen,
    JudgmentsPart,
    Problems,
    Release,
    TextsPart,
)
from judgments.files.uploads import Folder, opened
from judgments.results.observations import observations
from judgments.results.observations import pairs as observations_pairs
from judgments.results.scores import figures as scores_figures
from judgments.results.selection.selection import Selection
from judgments.stats.agreement import pairwise_agreement
from tests.releases import bring
from tests.shared import read_tsv, shared_data

FILE = ("10_as_released", "wmt16", "wmt16.collapsed.deu-eng.csv.gz")
SCREENS = [
    "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,system2Number,"
    "system2Id,system3Number,system3Id,system4Number,system4Id,system5Number,system5Id,"
    "system1rank,system2rank,system3rank,system4rank,system5rank",
    "fra,eng,12,-1,12,judge1,1,newstest2013.fr-en.cu-zeman.2738,2,newstest2013.fr-en.MES.2802,"
    "3,newstest2013.fr-en.Shef-wproa.2780,4,newstest2013.fr-en.online-A.0,5,"
    "newstest2013.fr-en.online-B.0,2,2,5,1,-1",
]


def kappa(campaign, reading):
    pairs = observations_pairs.pairs_of(observations.load(Selection.of(campaign)).as_shown())
    return pairwise_agreement(
        pairs.segment, pairs.annotator, pairs.first, pairs.second, pairs.label, reading=reading
    )


def check_figures(campaign, pair="deu-eng", name=lambda system: system.split(".")[1]):
    """The kappas that were published, with their counts, and expected wins."""
    for mode, reading in (("inter", "wmt16-compat"), ("intra", "intra-wmt16-compat")):
        (expected,) = (
            row
            for row in read_tsv(shared_data("05_ranking_wmt16", "published_kappa.tsv"))
            if (row["mode"], row["lp"]) == (mode, pair)
        )
        found = kappa(campaign, reading)
        counts = (found.n_agreeing, found.n_pairs, found.n_ties, found.n_labels)
        assert counts == tuple(int(expected[c]) for c in ("agree", "comparable", "ties", "total"))
        assert f"{found.p_observed:.3f}" == expected["pA"]
        assert f"{found.p_expected:.3f}" == expected["pE"]
        assert f"{found.estimate:.3f}" == expected["kappa"]
    rows = [
        row
        for row in read_tsv(shared_data("05_ranking_wmt16", "computed_expected_wins.tsv"))
        if row["lp"] == pair
    ]
    scores = scores_figures.system_scores(Selection.of(campaign))
    found = {n: f"{mean:.4f}" for n, mean in zip(scores.names, scores.mean, strict=True)}
    assert found == {name(row["system"]): row["expected_wins"] for row in rows}


@pytest.mark.proof
@pytest.mark.slow
def test_published_figures_in_out_and_in_again(db, tmp_path):
    written = bring([shared_data(*FILE)])
    ((campaign, imported),) = written.campaigns
    # cut -d, -f10 | sort -u | wc -l
    assert imported.judgments == 1340
    assert campaign.test_set.source_language == "de"
    check_figures(campaign)
    for form in (WmtRankedPairs(), WmtRankings()):
        release = release_of([campaign])
        assert form.may_write(release) == ""
        folder = tmp_path / form.slug
        form.write(release, Folder(folder))
        ((again, _),) = bring([folder]).campaigns
        check_figures(again)


@pytest.mark.proof
def test_six_language_pairs_of_a_tidy_table(db):
    """05's table as it is: a column names the language pairs, a cell the identical outputs."""
    written = bring([shared_data("05_ranking_wmt16", "rankings.tsv.gz")])
    campaigns = [campaign for campaign, _ in written.campaigns]
    assert sum(imported.judgments for _, imported in written.campaigns) == 8050
    assert len(campaigns) == 6
    for campaign in campaigns:
        check_figures(campaign, campaign.name.split()[-1], str)


def read(paths, problems=None):
    with opened(paths) as files:
        release = registry.read(files, {}, Problems() if problems is None else problems)
        (part,) = release.judgments
        return release, list(part.screens())


def test_a_screen_a_row(tmp_path):
    """Under another name, and without the rank that was left blank."""
    (tmp_path / "judgments.txt").write_text("\n".join(SCREENS))
    release, (screen,) = read([tmp_path / "judgments.txt"])
    assert (release.texts[0].source_language, release.texts[0].target_language) == ("fr", "en")
    assert release.judgments[0].preset == "partial-ranking"
    assert screen.outputs == ["cu-zeman", "MES", "Shef-wproa", "online-A", "online-B"]
    assert screen.ratings == [
        ("cu-zeman", "rank", 2.0),
        ("MES", "rank", 2.0),
        ("Shef-wproa", "rank", 5.0),
        ("online-A", "rank", 1.0),
    ]
    assert (screen.annotator, screen.segment, screen.copies) == ("judge1", "12", frozenset())


def test_bad_rows_are_named(tmp_path):
    wrong = [
        SCREENS[1].replace("2,2,5,1,-1", "2,2,5,1,0"),
        SCREENS[1].removesuffix(",-1"),
        SCREENS[1].replace("online-B", "online-A"),
    ]
    (tmp_path / "judgments.csv").write_text("\n".join([*SCREENS, *wrong]))
    problems = Problems()
    _, screens = read([tmp_path / "judgments.csv"], problems)
    assert len(screens) == 1
    assert [problem.row for problem in problems.first] == [3, 4, 5]


NAMES = st.text(st.sampled_from("ab+.,-_'\"= é"), min_size=1, max_size=6).map(str.strip)
SYSTEMS = NAMES.filter(bool)


@st.composite
def rankings(draw):
    """Rankings of up to four outputs, some of which several systems share."""
    systems = draw(st.lists(SYSTEMS, min_size=2, max_size=6, unique=True))
    screens = []
    for row in range(1, draw(st.integers(1, 4)) + 1):
        order = draw(st.permutations(systems))
        n_shown = draw(st.integers(2, min(4, len(systems))))
        copies = frozenset(order[i] for i in range(1, len(order)) if i >= n_shown)
        copies = frozenset(copies if draw(st.booleans()) else ())
        outputs = order if copies else order[:n_shown]
        ranks, last = [], 1
        for system in outputs:
            last = last if system in copies else draw(st.integers(1, 5))
            ranks.append((system, "rank", float(last)))
        judge = draw(SYSTEMS)
        # Each of another segment: where outputs of one are collapsed in two ways, see `shown_of`.
        name = str(row)
        screens.append(
            JudgedScreen("", row, judge, name, outputs, name, ratings=ranks, copies=copies)
        )
    return screens


def said(screens):
    return [(s.annotator, s.segment, list(s.outputs), s.ratings, s.copies) for s in screens]


@pytest.mark.parametrize("target", ["pt-BR", "zh-Hant", "en"])
def test_names_come_back_in_any_language(tmp_path, target):
    ranks = [("A", "rank", 1.0), ("B", "rank", 2.0)]
    screen = JudgedScreen("", 1, "r", "1", ["A", "B"], "1", ratings=ranks)
    for form in (WmtRankedPairs(), WmtRankings()):
        release = Release(
            [TextsPart("1", "t", "en", target, list, has_texts=False)],
            [JudgmentsPart("c", "1", "relative-ranking", lambda: [screen])],
        )
        form.write(release, Folder(tmp_path / form.slug))
        _, (found,) = read([tmp_path / form.slug])
        assert found.outputs == ["A", "B"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(screens=rankings())
def test_out_and_in(tmp_path, screens):
    for form in (WmtRankedPairs(), WmtRankings()):
        folder = Folder(tmp_path / form.slug)
        shutil.rmtree(folder.place, ignore_errors=True)
        release = Release(
            [TextsPart("1", "t", "de", "en", list, has_texts=False)],
            [JudgmentsPart("c", "1", "relative-ranking", lambda: screens)],
        )
        form.write(release, folder)
        _, found = read([folder.place])
        assert said(found) == said(screens)
