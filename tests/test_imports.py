"""What the start of the site imports, and what is imported only on demand."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.urls import URLPattern, URLResolver, get_resolver

from mteval_site.lazy_views import LazyView

from . import factory
from .browser.judging import make_campaign
from .shared import ROOT

# The analysis, and packages that only it needs.
LATER = (
    "scipy",
    "vl_convert",
    "sacrebleu",
    "judgments.results",
    "judgments.web.sections",
    "metrics.scorers",
    "metrics.stats",
    "metrics.scores.tables",
)


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            yield from patterns(entry)
        else:
            yield entry


def test_every_address_has_its_view():
    """Otherwise nobody would notice before the request that a lazily imported view is
    misspelled."""
    later = [p.callback for p in patterns(get_resolver()) if isinstance(p.callback, LazyView)]
    assert len(later) > 30
    for stand_in in later:
        assert callable(stand_in.view), stand_in


def test_a_view_that_comes_later_answers_as_the_view_does(rf):
    """Django reads these attributes before it calls a view."""
    by_name = {p.name: p.callback for p in patterns(get_resolver())}
    assert by_name["api-campaigns"].csrf_exempt
    assert not getattr(by_name["agreement"], "csrf_exempt", False)
    assert not hasattr(by_name["agreement"], "view_class")
    request = rf.get("/")
    request.user = AnonymousUser()
    assert by_name["agreement"](request, 1).status_code == 302, "sent to sign in"


# Run as a separate site: the pages that an annotator opens, then one page of results.
SITTING = """
import sys
import mteval_site.wsgi
from django.test import Client
from django.contrib.auth import get_user_model

def say():
    print(*(name for name in {later!r} if name in sys.modules))

client = Client(headers={{"host": "localhost"}})
client.force_login(get_user_model().objects.get(username={user!r}))
for address in {addresses!r}:
    status = client.get(address, follow=True).status_code
    assert status == 200, (address, status)
say()
client.get("/campaigns/{campaign}/agreement/")
say()
"""


@pytest.mark.django_db(transaction=True)
def test_judging_needs_no_analysis():
    annotator = factory.make_user("annotator")
    campaign = make_campaign(annotator)
    factory.make_task(campaign, annotator)
    work = f"/judge/{campaign.pk}/"
    addresses = ["/", work, f"{work}1/", f"{work}items/", f"{work}1/note/", f"{work}instructions/"]
    script = SITTING.format(
        later=LATER, user=annotator.username, addresses=addresses, campaign=campaign.pk
    )
    database = connection.settings_dict
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "mteval_site.settings",
        "DATABASE_URL": f"postgresql:///{database['NAME']}?user={database['USER']}"
        f"&host={database['HOST']}",
        "DEBUG": "true",  # static files without their collection
    }
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    judging, results = done.stdout.split("\n")[:2]
    assert judging == ""
    assert {"scipy", "judgments.results", "judgments.web.sections"} <= set(results.split())


def test_the_module_of_statistics_is_not_imported():
    """`scipy.stats` takes a second and 46 MB, which the first page would wait for."""
    ours = [
        path
        for app in ("judgments", "metrics", "mteval_site")
        for path in (ROOT / app).rglob("*.py")
    ]
    pattern = re.compile(r"^\s*(from|import) scipy\.stats|from scipy import .*\bstats\b", re.M)
    assert [path for path in ours if pattern.search(path.read_text())] == []


def test_a_process_that_answers_gets_ready_for_pages_of_results():
    """Run as a separate site, because imports here are permanent."""
    script = (
        "import sys, mteval_site.wsgi; from django.urls import get_resolver;"
        "from mteval_site import warm_up; warm_up.warm_up();"
        "views = list(warm_up.lazy_views(get_resolver()));"
        "print(len(views), all('view' in vars(view) for view in views),"
        " 'judgments.results.scores.page' in sys.modules, 'scipy.stats' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    n, *others = done.stdout.split()
    assert int(n) > 100 and others == ["True", "True", "False"]
