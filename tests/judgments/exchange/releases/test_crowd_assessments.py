"""WMT's crowd direct assessments: the file of WMT22 uk-en as it was released."""

import gzip
from collections import Counter, defaultdict

import pytest

from judgments.exchange.releases import registry
from judgments.exchange.releases.records import Problems
from judgments.files.uploads import opened
from judgments.models import Item
from judgments.results.scores import figures as scores_figures
from judgments.results.selection.selection import Selection
from tests.releases import bring
from tests.shared import read_tsv, shared_data

FILE = ("10_as_released", "wmt22", "ad-uken-good-stnd.csv.gz")


@pytest.mark.proof
@pytest.mark.slow
def test_published_figures(db):
    """Means of segments, averages, order, clusters, wins and p-values of the release, from its own
    standardized scores and without texts."""
    written = bring([shared_data(*FILE)])
    ((campaign, imported),) = written.campaigns
    assert (imported.judgments, imported.annotators) == (25_138, 144)
    # Counted in the file with zcat | cut -f9 | sort | uniq -c
    kinds = Counter(Item.objects.values_list("kind", flat=True))
    assert kinds == {"regular": 17930, "reference": 2425, "degraded": 2408, "repeat": 2375}

    scores = scores_figures.segment_scores(Selection.of(campaign), "da_z", "raw")
    rows = read_tsv(shared_data("02_da_wmt22", "published_segments.uk-en.tsv.gz"))
    systems = {name: i for i, name in enumerate(scores.names)}
    segments = {key: j for j, key in enumerate(scores.segment_keys)}
    at = ([systems[r["system"]] for r in rows], [segments[r["seg_id"]] for r in rows])
    assert scores.values[at].tolist() == pytest.approx(
        [float(r["mean_z"]) for r in rows], abs=1e-12
    )
    assert scores.n[at].tolist() == [int(r["n"]) for r in rows]
    assert int((scores.n > 0).sum()) == len(rows)

    found = scores_figures.system_scores(Selection.of(campaign), "da_z", rule="wmt17-23")
    rows = read_tsv(shared_data("02_da_wmt22", "published_systems.uk-en.tsv"))
    assert found.names[found.order].tolist() == [r["system"] for r in rows]
    places = [found.names.tolist().index(r["system"]) for r in rows]
    assert [round(float(found.mean[i]), 3) for i in places] == [float(r["avg_z"]) for r in rows]
    assert found.n_segments[places].tolist() == [int(r["n_segments"]) for r in rows]
    assert found.n_judgments[places].tolist() == [int(r["n_judgments"]) for r in rows]
    assert found.wins[places].tolist() == [int(r["wins"]) for r in rows]
    assert found.cluster_low[places].tolist() == [int(r["cluster_start"]) for r in rows]
    assert found.cluster_high[places].tolist() == [int(r["cluster_end"]) for r in rows]

    place = {name: i for i, name in enumerate(found.names)}
    rows = read_tsv(shared_data("02_da_wmt22", "published_wilcoxon.uk-en.tsv"))
    p_values = [found.p_of_rule[place[r["system_a"]], place[r["system_b"]]] for r in rows]
    # Means that are equal but for their last bit are ties in the release: up to 1e-4.
    assert p_values == pytest.approx([float(r["p_value_a_better"]) for r in rows], abs=1e-4)


def read(path, problems):
    with opened([path]) as files:
        (texts,), (part,) = (found := registry.read(files, {}, problems)).texts, found.judgments
        assert not texts.has_texts
        assert (texts.source_language, texts.target_language) == ("uk", "en")
        assert part.options["dimensions"][0] | {"low": None, "high": None, "step": None}
        return list(texts.segments()), list(part.screens())


def test_rows_of_the_file(tmp_path):
    """Under another name, and with spaces between the cells as in earlier years."""
    lines = gzip.decompress(shared_data(*FILE).read_bytes()).decode().splitlines()
    (tmp_path / "scores.txt").write_text("\n".join(lines[:500]).replace("\t", " "))
    segments, screens = read(tmp_path / "scores.txt", Problems())
    assert len(screens) == 499
    hits = defaultdict(list)
    for line, screen in zip(lines[1:], screens, strict=False):
        hit, worker, *_, system, _, _, sid, score, time = line.split("\t")
        assert (screen.annotator, screen.segment, screen.outputs) == (worker, sid, [system])
        assert screen.ratings == [(system, "da_z", float(score))]
        hits[hit, worker].append((float(time), screen.active_ms))
    for rows in list(hits.values())[:-1]:
        assert sum(ms for _, ms in rows) / 1000 == pytest.approx(rows[0][0], abs=0.1)
    assert {s.key for s in segments} == {s.segment for s in screens}
    assert all(s.source == "" and set(s.outputs.values()) == {""} for s in segments)


def raw_file(folder, lp):
    """`ad-good-raw.csv` of the tidy table in shared/data/02_da_wmt22, which has the raw scores."""
    head = "HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time"
    lines = [head.replace(" ", "\t")]
    for row in read_tsv(shared_data("02_da_wmt22", f"ratings.{lp}.tsv.gz")):
        hit, about = [row["hit_id"], row["worker"], *lp.split("-"), "ad"], [row["hit"]]
        about += [row["system"], "1", row["type"], row["seg_id"]]
        lines.append("\t".join([*hit, *about, row["raw"], row["hit_seconds"]]))
    path = folder / "ad-good-raw.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.proof
@pytest.mark.slow
def test_raw_scores(db, tmp_path):
    """Averages of raw scores as published (ad-sys-ranking-liv-en-z-names.csv), to their digit."""
    written = bring([raw_file(tmp_path, "liv-en")])
    ((campaign, imported),) = written.campaigns
    assert (imported.judgments, imported.annotators) == (5782, 46)
    scale = campaign.options["dimensions"][0]
    assert (scale["slug"], scale["low"], scale["high"]) == ("da", 0, 100)
    found = scores_figures.system_scores(Selection.of(campaign), "da", rule="wmt17-23")
    rows = read_tsv(shared_data("02_da_wmt22", "published_systems.liv-en.tsv"))
    means = dict(zip(found.names.tolist(), found.mean.tolist(), strict=True))
    for row in rows:
        assert round(means[row["system"]], 1) == float(row["avg_raw"])


def test_kinds_of_2015(tmp_path):
    """In small letters, and `cal` for BAD_REF (ygraham/segment-mteval, keys-2-sets-100.pl)."""
    lines = [
        "HITId WorkerId Input.src Input.trg Input.item sys_id rid type sid score time",
        "h w cs en ad X 1 system 1 80 1000",
        "h w cs en ad X 2 cal 2 12 1000",
        "h w cs en ad X 3 ref 3 100 1000",
        "h w cs en ad X 4 repeat 1 79 1000",
    ]
    (tmp_path / "ad-latest.csv").write_text("\n".join(lines))
    with opened([tmp_path / "ad-latest.csv"]) as files:
        (part,) = registry.read(files, {}, problems := Problems()).judgments
        screens = list(part.screens())
    assert not problems
    assert [screen.kind for screen in screens] == ["regular", "degraded", "reference", "repeat"]
    assert [screen.ratings[0][1:] for screen in screens][:2] == [("da", 80.0), ("da", 12.0)]


def test_bad_rows_are_named(tmp_path):
    lines = gzip.decompress(shared_data(*FILE).read_bytes()).decode().splitlines()[:6]
    lines[2] = lines[2].replace("SYSTEM", "SISTEM")
    lines[3] = lines[3].rpartition("\t")[0]
    lines[4] = lines[4].replace(lines[4].split("\t")[10], "nan")
    (tmp_path / "ad.csv").write_text("\n".join(lines))
    problems = Problems()
    _, screens = read(tmp_path / "ad.csv", problems)
    assert len(screens) == 2
    assert [problem.row for problem in problems.first] == [3, 4, 5]


@pytest.mark.proof
def test_texts_that_come_along():
    """The judgments are of texts that come with them, if these have all that is named."""
    tidy = [shared_data("02_da_wmt22", f"{n}.uk-en.tsv.gz") for n in ("segments", "outputs")]
    with opened([shared_data(*FILE), *tidy]) as files:
        release = registry.read(files, {}, Problems())
        (texts,) = release.texts
        (part,) = release.judgments
        assert texts.has_texts
        assert part.texts == texts.key
        assert sum(1 for _ in texts.segments()) == 2018
    with opened([shared_data(*FILE), tidy[0]]) as files:
        release = registry.read(files, {}, Problems())
        assert [texts.has_texts for texts in release.texts] == [False, True]
        assert any("has no output of" in note for note in release.notes)
