"""A site on which releases are made, and its figures compared with those of a release."""

import zipfile
from collections import defaultdict

from judgments.exchange import demo
from judgments.models import Campaign, Reference, ReferenceFacts, SystemFacts, TestSet
from judgments.publishing.bundles.figures import compare, figures
from judgments.publishing.bundles.rebuild import RebuiltCampaign
from metrics.scores.comparisons import compute_comparisons
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice


def assert_as_on_the_site(campaign, file):
    """Every figure of a release is that of the campaign, and none is missing."""
    own = RebuiltCampaign(Campaign.objects.get(pk=campaign.pk), defaultdict(dict))
    with zipfile.ZipFile(file) as packed:
        listed = {name for name in packed.namelist() if name.startswith("results/")}
        for name, make in figures(own):
            found = compare(name, packed.read(name).decode(), make())
            assert not found.different, f"{name}: {found.different[:5]}"
            assert found.n_close == 0, name
            listed.remove(name)
    assert listed == set()


def load_demo():
    demo.load()
    (test_set,) = TestSet.objects.all()
    jobs.work_on(jobs.create_job(test_set, [MetricChoice("chrf"), MetricChoice("ter")], ["ref"]).pk)
    compute_comparisons(test_set)
    first, second, *_ = test_set.systems.order_by("pk")
    SystemFacts.objects.create(system=second, kind="LLM", parameters=10**10, words_per_second=40.5)
    SystemFacts.objects.create(system=first, is_human=True, post_edited_from=second)
    known = {"test_set": test_set, "name": "ref", "kind": "post-edited"}
    ReferenceFacts.objects.create(**known)
    some = Reference.objects.filter(segment__test_set=test_set, segment__position__lt=2)
    some.update(donor=test_set.systems.order_by("pk").last())
