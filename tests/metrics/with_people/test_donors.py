"""Donors of references: what is left out of metrics against people. Expected values are those of
sacreBLEU, SciPy and NumPy for the same texts and ratings."""

from dataclasses import replace

import numpy as np
import pytest
import sacrebleu
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from scipy import stats

from judgments.models import (
    Campaign,
    Item,
    Output,
    Reference,
    ReferenceFacts,
    ReferenceKind,
    System,
    SystemFacts,
)
from judgments.results.selection.selection import Selection
from judgments.web.sections import tables_of
from metrics import with_people as agreement
from metrics.models import MetricScore, to_bytes
from metrics.scoring import jobs
from metrics.scoring.choices import parse_metric
from metrics.stats.meta_evaluation import compare_metrics
from metrics.stats.soft_accuracy import soft_pairwise_accuracy
from metrics.stats.williams import williams
from metrics.with_people import PRESETS, MetricsPage, Settings, StudyChoice, ridge_metric
from metrics.with_people.differences import SEED, differences
from metrics.with_people.donor_effect import (
    OF_PAIRS,
    donor_effect,
    donor_effect_of,
    donor_table,
    donor_words,
)
from metrics.with_people.donors import in_whole_documents
from metrics.with_people.judged_segments import Judged, judged_in
from metrics.with_people.study import full_board, without_donors
from metrics.with_people.system_kinds import kind_agreement, look_of
from metrics.with_people.systems import SOFT_SEED
from tests import factory
from tests.made_once import rows_of_the_module
from tests.metrics.with_people.studies import board_of, over_segments, over_systems, study_of

N_SYSTEMS, N_SEGMENTS, N_JUDGED = 6, 6, 5
# The donor of each segment of “edited”, by the index of the system; the last one nobody judged.
DONORS = [1, 1, 3, None, None, 1]


@pytest.fixture(scope="module")
def made_once(django_db_setup, django_db_blocker):
    with rows_of_the_module(django_db_blocker):
        yield make_campaign().pk


@pytest.fixture
def campaign(made_once, db):
    cache.clear()
    return Campaign.objects.get(pk=made_once)


def make_campaign():
    """Two people rated five of six segments. “ref” is a translation, “edited” made from outputs."""
    owner = factory.make_user("owner", is_staff=True)
    annotators = [factory.make_user(f"annotator-{i}") for i in (1, 2)]
    test_set = factory.make_test_set(owner, n_segments=N_SEGMENTS, n_systems=N_SYSTEMS)
    rng = np.random.default_rng(11)
    words = ["the", "a", "port", "harbor", "ship", "boat", "lies", "sails", "is", "in", "out"]
    for output in Output.objects.filter(segment__test_set=test_set).order_by("pk"):
        output.text = " ".join(rng.choice(words, 12))
        output.save()
    for reference in Reference.objects.filter(segment__test_set=test_set):
        reference.text = " ".join(rng.choice(words, 12))
        reference.save()
    systems = list(test_set.systems.order_by("name"))
    for segment, donor in zip(test_set.segments.order_by("position"), DONORS, strict=True):
        made = " ".join(rng.choice(words, 12))
        if donor is not None:
            made = segment.outputs.get(system=systems[donor]).text + " today"
        system = None if donor is None else systems[donor]
        Reference.objects.create(segment=segment, name="edited", text=made, donor=system)
    campaign = factory.make_campaign(test_set, owner=owner, annotators=annotators)
    for seat, annotator in enumerate(annotators, 1):
        segments = list(test_set.segments.all()[:N_JUDGED])
        factory.make_task(campaign, annotator, seat=seat, segments=segments)
    for item in Item.objects.filter(task__campaign=campaign).select_related("task__campaign"):
        adequacy, fluency = rng.integers(1, 6, (2, N_SYSTEMS)).astype(float)
        factory.judge(item, {"adequacy": list(adequacy), "fluency": list(fluency)})
    for names in (["edited"], ["ref"]):
        jobs.work_on(jobs.create_job(test_set, [parse_metric("bleu")], names).pk)
    jobs.work_on(jobs.create_job(test_set, [parse_metric("ter")], ["edited"]).pk)
    return campaign


def human_table(campaign, dimension):
    """Return mean ratings (S, N), directly from the rows; NaN for the segment that nobody
    judged."""
    return np.array(
        [
            [
                np.mean(values) if (values := ratings_of(segment, system, dimension)) else np.nan
                for segment in campaign.test_set.segments.order_by("position")
            ]
            for system in campaign.test_set.systems.order_by("name")
        ]
    )


def ratings_of(segment, system, dimension):
    output = segment.outputs.get(system=system)
    return list(output.ratings.filter(dimension=dimension).values_list("value", flat=True))


def donated():
    """Return which outputs “edited” was made from, (S, N)."""
    found = np.zeros((N_SYSTEMS, N_SEGMENTS), bool)
    for place, donor in enumerate(DONORS):
        if donor is not None:
            found[donor, place] = True
    return found


def texts(campaign, name):
    """Return outputs (S, N) and references (N,) in the order of the test set."""
    segments = list(campaign.test_set.segments.order_by("position"))
    outputs = [
        [segment.outputs.get(system=system).text for segment in segments]
        for system in campaign.test_set.systems.order_by("name")
    ]
    return outputs, [segment.references.get(name=name).text for segment in segments]


def scored(campaign, metric, stay):
    """Return corpus scores of each system over the remaining segments, (S,), by sacreBLEU against
    “edited”; NaN without any."""
    make = {"bleu": sacrebleu.corpus_bleu, "ter": sacrebleu.corpus_ter}[metric]
    outputs, references = texts(campaign, "edited")
    found = []
    for row, kept in zip(outputs, stay, strict=True):
        places = np.flatnonzero(kept)
        pair = [row[i] for i in places], [[references[i] for i in places]]
        found.append(make(*pair).score if len(places) else np.nan)
    return np.array(found)


def row_of(found, metric, name):
    return next(
        row for row in found.rows if (row.metric.metric, row.metric.references) == (metric, (name,))
    )


def place_of(study, metric, name):
    listed = [(each.metric, each.references) for each in study.metrics]
    return listed.index((metric, (name,)))


def assert_pearson(figure, metric, human):
    there = ~np.isnan(metric + human)
    expected = stats.pearsonr(metric[there], human[there]).statistic
    assert figure.estimate == pytest.approx(expected, abs=1e-12)
    assert figure.n == there.sum()


@pytest.mark.parametrize(("metric", "sign"), [("bleu", 1), ("ter", -1)])
@pytest.mark.parametrize("over", ["all", "judged"])
def test_over_systems_donors_are_scored_on_their_other_segments(campaign, metric, sign, over):
    human = human_table(campaign, "adequacy")
    stay = ~donated() & (True if over == "all" else ~np.isnan(human))
    people = np.nanmean(np.where(stay, human, np.nan), axis=1)
    found = over_systems(campaign, dimension="adequacy", over=over)
    figures = row_of(found, metric, "edited").figures
    assert_pearson(figures["pearson"], sign * scored(campaign, metric, stay), people)
    # If counted, they are over all segments.
    every = np.ones_like(stay) if over == "all" else ~np.isnan(human)
    found = over_systems(campaign, dimension="adequacy", over=over, donors="in")
    counted = row_of(found, metric, "edited").figures
    expected = sign * scored(campaign, metric, every)
    assert_pearson(counted["pearson"], expected, np.nanmean(human, axis=1))
    assert counted["pearson"].estimate != figures["pearson"].estimate


def test_what_was_not_given_such_a_reference_stays(campaign):
    for found in (over_systems, over_segments):
        out = found(campaign, dimension="adequacy")
        into = found(campaign, dimension="adequacy", donors="in")
        for row in out.rows:
            if "edited" not in row.metric.references:
                other = next(each for each in into.rows if each.metric == row.metric)
                np.testing.assert_equal(
                    {key: vars(each) for key, each in row.figures.items()},
                    {key: vars(each) for key, each in other.figures.items()},
                )
        kinds = {row.metric.references for row in out.rows}
        assert {("ref",), (), ("edited",)} < kinds, "some sentinels are given all references"


def test_a_metric_with_several_references_leaves_out_what_any_was_made_from(campaign):
    jobs.work_on(jobs.create_job(campaign.test_set, [parse_metric("chrf")], ["edited", "ref"]).pk)
    study = study_of(campaign, "adequacy")
    i = next(i for i, each in enumerate(study.metrics) if len(each.references) == 2)
    assert (study.left[i] == donated()[:, :N_JUDGED]).all()


@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_over_segments_the_cells_are_missing(campaign, metric):
    human = human_table(campaign, "fluency")
    stored = MetricScore.objects.filter(metric=metric, references=["edited"])
    scores = np.array([row.segment_scores for row in stored.order_by("system__name")])
    there = ~np.isnan(human) & ~donated()
    assert there.sum() == N_SYSTEMS * N_JUDGED - 3
    sign = -1 if metric == "ter" else 1
    row = row_of(over_segments(campaign, dimension="fluency"), metric, "edited")
    expected = stats.pearsonr(sign * scores[there], human[there]).statistic
    assert row.figures["pearson"].estimate == pytest.approx(expected, abs=1e-12)
    assert row.figures["pearson"].n == there.sum()
    every = over_segments(campaign, dimension="fluency", donors="in")
    assert row_of(every, metric, "edited").figures["pearson"].n == (~np.isnan(human)).sum()


def test_soft_accuracy_asks_people_about_the_same_outputs(campaign):
    human = human_table(campaign, "adequacy")[:, :N_JUDGED]
    stored = MetricScore.objects.filter(metric="bleu", references=["edited"])
    scores = np.array([row.segment_scores for row in stored.order_by("system__name")])
    gone = donated()[:, :N_JUDGED]
    expected = soft_pairwise_accuracy(
        np.where(gone, np.nan, human),
        np.where(gone, np.nan, scores[:, :N_JUDGED])[None],
        rng=np.random.default_rng(SOFT_SEED),
        permutations=1000,
    )
    found = row_of(over_systems(campaign, dimension="adequacy"), "bleu", "edited").figures["spa"]
    assert found.estimate == pytest.approx(expected.estimates[0], abs=1e-12)


def test_the_donor_of_a_whole_set_drops_out_and_is_named(campaign):
    test_set = campaign.test_set
    Reference.objects.filter(name="edited").update(donor=None)
    donor = test_set.systems.get(name="System-C")
    facts = {"test_set": test_set, "name": "edited", "kind": ReferenceKind.MODEL}
    ReferenceFacts.objects.create(**facts, system=donor)
    found = over_systems(campaign, dimension="adequacy")
    human = np.nanmean(human_table(campaign, "adequacy"), axis=1)
    expected = scored(campaign, "bleu", np.ones((N_SYSTEMS, N_SEGMENTS), bool))
    human[2] = expected[2] = np.nan
    assert_pearson(row_of(found, "bleu", "edited").figures["pearson"], expected, human)
    assert row_of(found, "bleu", "ref").figures["pearson"].n == N_SYSTEMS
    choice = StudyChoice("adequacy")
    effect = donor_effect(Selection.of(campaign), choice, board_of(campaign))
    assert (effect.donors, effect.gone) == ((("System-C", N_JUDGED),), ("System-C",))
    (said,) = donor_words(effect, "out")
    assert "No output is left of System-C, which drops out" in said


def test_a_metric_without_scores_of_segments_cannot_say_more_of_a_donor(campaign):
    """A score of the whole test set cannot be split."""
    for score in MetricScore.objects.filter(metric="bleu", references=["edited"]):
        score.segment_data = to_bytes(np.full(N_SEGMENTS, np.nan))
        score.statistics_data, score.statistics_width = b"", 0
        score.save()
    study = study_of(campaign, "adequacy")
    scores = study.metric_systems[place_of(study, "bleu", "edited")]
    assert np.isnan(scores).tolist() == [False, True, False, True, False, False]


def test_expected_wins_of_a_donor_are_those_of_its_other_segments(campaign):
    test_set = campaign.test_set
    judge = factory.make_user("judge")
    pairwise = factory.make_campaign(test_set, preset="pairwise", annotators=[judge])
    task = factory.make_task(pairwise, judge, n_outputs=2)
    for item, value in zip(task.items.all(), [1, 1, 0, -1, 1, 1], strict=True):
        factory.judge(item, value)
    Reference.objects.filter(name="edited").update(donor=None)
    first, second, *_ = test_set.segments.order_by("position")
    a = test_set.systems.get(name="System-A")
    Reference.objects.filter(name="edited", segment__in=[first, second]).update(donor=a)
    study = study_of(pairwise)
    i = place_of(study, "bleu", "edited")
    # Of five decided comparisons A won four; without two of these it won two of three. B keeps its
    # own.
    np.testing.assert_allclose(study.human_systems, [4 / 5, 1 / 5])
    np.testing.assert_allclose(study.people[i], [2 / 3, 1 / 5])
    assert study.left[i].tolist() == [[True, True, *[False] * 4], [False] * 6]


def test_metrics_are_compared_on_what_both_are_held_against(campaign):
    study = study_of(campaign, "adequacy")
    edited, ref = (place_of(study, "bleu", name) for name in ("edited", "ref"))
    found = differences(Selection.of(campaign), StudyChoice("adequacy"), board_of(campaign))
    slugs = [metric.slug for metric in found.metrics]
    at = [slugs.index(study.metrics[i].slug) for i in (edited, ref)]
    # Estimates are those of the table of all metrics,
    table = over_systems(campaign, dimension="adequacy")
    for place, name in zip(at, ("edited", "ref"), strict=True):
        figure = row_of(table, "bleu", name).figures["pearson"]
        assert found.estimates[place] == pytest.approx(figure.estimate, abs=1e-12)
    # the test is over systems that donated nothing judged: without B and D.
    kept = [0, 2, 4, 5]
    human = np.nanmean(human_table(campaign, "adequacy"), axis=1)[kept]
    scores = np.array([study.metric_systems[i][kept] for i in (edited, ref)])
    expected = williams(human, *scores[np.argsort(at)])
    assert found.williams[min(at), max(at)] == pytest.approx(expected.p_value, abs=1e-12)
    by_hand = compare_metrics(
        human,
        scores,
        statistic="pearson",
        rng=np.random.default_rng(SEED),
        resamples=found.resamples,
        grouping="none",
    )
    # Not the same swaps, since other metrics take part: as close as random draws are.
    assert found.p_values[at[0], at[1]] == pytest.approx(by_hand.p_values[0, 1], abs=0.08)
    for compared in ("spa", "item-acc_eq", "segment-pearson", "item-pearson"):
        again = differences(
            Selection.of(campaign), StudyChoice("adequacy"), board_of(campaign), compared
        )
        assert not np.isnan(again.p_values[~np.eye(len(slugs), dtype=bool)]).all()


def test_kinds_of_systems_are_left_out_of_the_same_figures(campaign):
    for system in campaign.test_set.systems.order_by("name")[:2]:
        SystemFacts.objects.create(system=system, kind="LLM")
    board = board_of(campaign)
    selection, choice = Selection.of(campaign), StudyChoice("adequacy")
    study = study_of(campaign, "adequacy")
    i = place_of(study, "bleu", "edited")
    found = kind_agreement(selection, choice, board, look_of(board)).of(study.metrics[i].slug)
    assert_pearson(found["LLM"], study.metric_systems[i][2:], study.people[i][2:])


def test_what_is_kept_changes_with_the_donors(campaign):
    before = board_of(campaign)
    assert set(before.donors) == {"edited"}
    Reference.objects.filter(name="edited").update(donor=None)
    after = board_of(campaign)
    assert (after.donors, after.state == before.state) == ({}, False)
    found = over_systems(campaign, dimension="adequacy")
    human = np.nanmean(human_table(campaign, "adequacy"), axis=1)
    every = np.ones((N_SYSTEMS, N_SEGMENTS), bool)
    assert_pearson(
        row_of(found, "bleu", "edited").figures["pearson"],
        scored(campaign, "bleu", every),
        human,
    )


def test_a_system_that_a_reference_was_made_from_is_no_human_for_that(campaign):
    """Equal in every segment: either one is the reference, or the reference is its output."""
    test_set = campaign.test_set
    system = test_set.systems.get(name="System-E")
    for reference in Reference.objects.filter(segment__test_set=test_set, name="edited"):
        Output.objects.filter(system=system, segment=reference.segment_id).update(
            text=reference.text
        )
    assert system.pk in board_of(campaign).humans
    facts = {"test_set": test_set, "name": "edited", "kind": ReferenceKind.MODEL}
    ReferenceFacts.objects.create(**facts, system=system)
    assert system.pk not in board_of(campaign).humans


def test_what_the_page_says(campaign):
    effect = donor_effect(Selection.of(campaign), StudyChoice("adequacy"), board_of(campaign))
    assert effect.donors == (("System-B", 2), ("System-D", 1)) and effect.gone == ()
    real = [row.metric.references for row in effect.rows if not row.metric.is_sentinel]
    assert real == [("edited",)] * 2
    row = effect.most
    out = over_systems(campaign, dimension="adequacy")
    into = over_systems(campaign, dimension="adequacy", donors="in")
    changes = {
        metric: abs(
            row_of(out, metric, "edited").figures["pearson"].estimate
            - row_of(into, metric, "edited").figures["pearson"].estimate
        )
        for metric in ("bleu", "ter")
    }
    assert row.metric.metric == max(changes, key=changes.get)
    assert row.change == pytest.approx(max(changes.values()))
    # Its ranks by all segments: how many systems sacreBLEU scores higher.
    every = scored(campaign, "bleu", np.ones((N_SYSTEMS, N_SEGMENTS), bool))
    bleu = next(each for each in effect.rows if each.metric.metric == "bleu")
    places = {name: (a, of) for name, a, of, *_ in bleu.places}
    assert places["System-B"] == (1 + int((every > every[1]).sum()), N_SYSTEMS)
    (said,) = donor_words(effect, "out")
    assert said.startswith(
        "Left out: 3 outputs that references were made from (System-B 2, System-D 1), for metrics"
    )
    assert "With them the Pearson r of" in said
    (said,) = donor_words(effect, "in")
    assert said.startswith("Counted, though references favor their donors: 3 outputs")
    assert "Without them the Pearson r of" in said
    table = donor_table(effect)
    assert {row[2] for row in table.rows} == {3}
    assert donor_words(replace(effect, rows=()), "out") == []


def test_page_address_and_files(campaign, client):
    client.force_login(campaign.test_set.owner)
    address = reverse("correlation", args=[campaign.pk])
    page = client.get(address).content.decode()
    assert 'name="donors"' in page
    assert "Left out: 3 outputs that references were made from" in page
    assert "with and without donors of references" in page
    counted = client.get(address + "?donors=in").content.decode()
    assert "Counted, though references favor their donors" in counted
    wrong = client.get(address + "?donors=some").content.decode()
    assert "Left out: 3 outputs" in wrong, "an unknown value is the default"
    answer = reverse("api-meta-evaluation", args=[campaign.pk])
    found = client.get(answer).json()
    assert found["donors"]["donors"] == [
        {"system": "System-B", "n_outputs": 2},
        {"system": "System-D", "n_outputs": 1},
    ]
    into = client.get(answer + "?donors=in").json()
    assert into["donors"] == found["donors"]
    assert into["systems"] != found["systems"]
    assert client.get(answer + "?donors=some").status_code == 400
    tables = {each.slug: each for each, _ in tables_of(Selection.of(campaign))}
    assert "Left out: 3 outputs" in tables["metric-agreement"].make().note
    assert "metric-donors" in tables, "exports and bundles have it"
    Reference.objects.filter(name="edited").update(donor=None)
    page = client.get(address).content.decode()
    assert 'name="donors"' not in page and "made from" not in page


def test_a_document_that_was_judged_as_a_whole_is_left_out_as_a_whole():
    """Four documents of one, two, three and no donated segments."""
    cells = np.zeros((2, 9), bool)
    cells[0, [0, 2]] = cells[1, [5, 8]] = True
    documents = tuple(np.array(places) for places in ([0], [1, 2], [3, 4, 5], [6, 7]))
    judged = Judged(np.array([0, 1, 3, 6]), documents)
    found = in_whole_documents(cells, judged)
    assert [np.flatnonzero(row).tolist() for row in found] == [[0, 1, 2], [3, 4, 5, 8]]
    assert found[:, judged.places].tolist() == [
        [True, True, False, False],
        [False] * 2 + [True, False],
    ]
    segments = Judged(judged.places, None)
    assert (in_whole_documents(cells, segments) == cells).all()


def test_the_number_of_statements_does_not_grow_with_metrics_and_donors(campaign):
    """The data for scoring a part of the test set are read at once."""
    selection, choice = Selection.of(campaign), StudyChoice("adequacy")
    test_set = campaign.test_set

    def statements():
        board = agreement.board_of(test_set)
        with CaptureQueriesContext(connection) as seen:
            assert full_board(selection, choice, board) is board, "no statistics are loaded for it"
            agreement.study_of(selection, choice, board)
        stored = [s for c in board.table.columns for s in c.scores.values() if s.pk]
        assert all("statistics_data" in score.get_deferred_fields() for score in stored)
        return len(seen)

    statements()
    before = statements()
    donor = test_set.systems.get(name="System-F")
    last = test_set.segments.order_by("-position")[1]
    Reference.objects.filter(segment=last, name="edited").update(donor=donor)
    jobs.work_on(jobs.create_job(test_set, [parse_metric("chrf")], ["edited"]).pk)
    statements()
    assert statements() == before


def test_scores_read_one_by_one_are_those_of_a_board_with_statistics(campaign):
    selection, choice = Selection.of(campaign), StudyChoice("adequacy")
    light = agreement.study_of(selection, choice, agreement.board_of(campaign.test_set))
    full = agreement.study_of(selection, choice, board_of(campaign))
    np.testing.assert_array_equal(light.metric_systems, full.metric_systems)
    stay = ~donated()
    for metric, sign in (("bleu", 1), ("ter", -1)):
        found = light.metric_systems[place_of(light, metric, "edited")]
        np.testing.assert_allclose(found, sign * scored(campaign, metric, stay), atol=1e-9)


def test_an_output_of_a_donor_that_nobody_judged_is_not_counted(campaign):
    """Of three donated outputs of judged segments nobody judged one."""
    selection, choice = Selection.of(campaign), StudyChoice("adequacy")
    board = board_of(campaign)
    every = agreement.study_of(selection, replace(choice, donors="in"), board)
    human = every.human.copy()
    human[3, 2] = np.nan
    every = replace(every, human=human)
    judged = judged_in(campaign, every.segment_ids)
    kept = without_donors(every, selection, board, board.table.columns, judged)
    assert kept.left[place_of(kept, "bleu", "edited")].sum() == 2
    assert donor_effect_of(every, kept).n == 2


def test_what_is_learned_here_counts_outputs_of_donors(campaign):
    """Its prediction does not belong to a metric whose donors are left out."""
    study = study_of(campaign, "adequacy")
    assert study.left is not None and len(study.left) > 1
    rng = np.random.default_rng(4)
    predicted = rng.normal(size=study.human.shape)
    rows = ridge_metric.rows_of(study, predicted, "item")
    every = replace(study, left=None, people=None)
    assert repr(rows) == repr(ridge_metric.rows_of(every, predicted, "item"))
    assert_pearson(rows["system"].figures["pearson"], predicted.mean(1), study.human_systems)


def test_notes_say_that_pairs_are_told_apart_by_all_outputs(campaign):
    board, selection = board_of(campaign), Selection.of(campaign)
    for donors, is_said in (("out", True), ("in", False)):
        page = MetricsPage(selection, board, Settings(dimension="adequacy", donors=donors))
        assert (str(OF_PAIRS) in page.system_notes()) == is_said


def test_the_years_count_all_outputs(campaign):
    """As in those years; the page as it opens does not."""
    chosen = {key: preset.choice(campaign).donors for key, preset in PRESETS.items()}
    assert chosen == {"page": "out", "wmt23": "in", "wmt24": "in"}
    choice = StudyChoice("adequacy")
    board = board_of(campaign)
    assert full_board(Selection.of(campaign), replace(choice, donors="in"), board) is board
    page = MetricsPage(Selection.of(campaign), board, Settings(dimension="adequacy", donors="in"))
    assert page.chosen.choice == StudyChoice("adequacy", donors="in")
    assert ("donors", "in") in page.chosen.query()


def test_post_edits_of_hter_are_no_donors(campaign):
    """HTER gets post-edits, which may have the name of a reference."""
    board = board_of(campaign)
    column = replace(board.table.columns[0], metric="hter", references=["edited"])
    board = replace(board, table=replace(board.table, columns=[column]))
    choice = StudyChoice("adequacy")
    assert full_board(Selection.of(campaign), choice, board) is board
    assert System.objects.filter(test_set=campaign.test_set).count() == N_SYSTEMS
