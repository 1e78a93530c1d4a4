"""The figures of a release beside those of the campaign itself."""

import zipfile
from collections import defaultdict

from judgments.bundles.figures import compare, figures
from judgments.bundles.rebuild import RebuiltCampaign
from judgments.models import Campaign


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
