"""Tables as files of CSV, JSON and Parquet: the same rows in each, for users who may read them."""

import csv
import io
import json

import pandas
import pytest
from django.urls import reverse
from pyarrow import parquet

from judgments.models import Item
from judgments.people.tokens import tokens as api_tokens
from judgments.results import exports
from judgments.results.selection.selection import Selection
from judgments.web import sections
from metrics.scoring import jobs
from metrics.scoring.choices import MetricChoice
from tests import factory
from tests.base import CastTestCase

REFUSED = 403
KINDS = ("csv", "json", "parquet")


class TablesTest(CastTestCase):
    @classmethod
    def setUpTestData(cls):
        super().setUpTestData()
        for place, item in enumerate(Item.objects.filter(task__campaign=cls.campaign)):
            row = [1.0 + place % 3, 3.0, 5.0 - place % 2]
            factory.judge(item, {"adequacy": row, "fluency": row[::-1]})
        jobs.work_on(jobs.create_job(cls.test_set, [MetricChoice("bleu")], ["ref"]).pk)

    def file(self, name, kind, query="", campaign=None):
        number = (campaign or self.campaign).pk
        address = reverse("api-table-file", args=[number, name, kind]) + query
        response = self.as_user(self.researcher).get(address)
        self.assertEqual(response.status_code, 200, address)
        return b"".join(response)

    def frames(self, name, query="", campaign=None):
        """The same table in its three forms, without what they say of it."""
        text, data, columns = (self.file(name, kind, query, campaign) for kind in KINDS)
        as_csv = pandas.read_csv(io.BytesIO(text), keep_default_na=False, dtype=str)
        as_json = pandas.read_json(io.BytesIO(data), orient="table")
        as_parquet = parquet.read_table(io.BytesIO(columns)).to_pandas()
        last = ["address", "selection"]
        self.assertEqual([*as_csv.columns], [*as_parquet.columns])
        self.assertEqual([*as_csv.columns][-2:], last)
        return as_csv.drop(columns=last), as_json, as_parquet.drop(columns=last)

    def test_the_list(self):
        listed = self.get_as(self.researcher, "api-tables", self.campaign.pk).json()
        slugs = [table["slug"] for table in listed["tables"]]
        of_pages = {lazy.slug for lazy, _ in sections.tables_of(Selection.of(self.campaign))}
        self.assertEqual(len(slugs), len(set(slugs)))
        self.assertEqual(set(slugs), {"observations"} | of_pages)
        self.assertLessEqual({"segment-scores", "metric-scores", "metric-segment-scores"}, of_pages)
        for n, table in enumerate(listed["tables"]):
            kind = KINDS[n % len(KINDS)]  # by turns: what they say is compared below
            self.assertEqual(self.client.get(table[kind]).status_code, 200, table[kind])
            if table["url"]:
                self.assertEqual(self.client.get(table["url"]).status_code, 200)

    def test_the_forms_say_the_same(self):
        for name in ("observations", "metric-segment-scores", "segment-scores"):
            as_csv, as_json, as_parquet = self.frames(name)
            self.assertGreater(len(as_csv), 2, name)
            pandas.testing.assert_frame_equal(
                as_json.astype(object).where(as_json.notna(), None),
                as_parquet.astype(object).where(as_parquet.notna(), None),
                check_dtype=False,
            )
            for column in as_csv:
                known = [x if isinstance(x, str) else repr(x) for x in as_parquet[column].dropna()]
                self.assertEqual([x for x in as_csv[column] if x], [x for x in known if x], column)

    def test_observations_are_those_of_the_export(self):
        as_csv, _, as_parquet = self.frames("observations")
        selection = Selection.of(self.campaign)
        rows = list(exports.observation_rows(selection))
        self.assertEqual([*as_csv.columns], list(exports.observation_columns(selection)))
        self.assertEqual(as_csv.to_numpy().tolist(), [[str(x) for x in row] for row in rows])
        self.assertEqual(as_parquet["value"].tolist(), [row[4] for row in rows])

    def test_a_file_says_what_it_is_of(self):
        data = json.loads(self.file("observations", "json", "?system=System-A"))
        self.assertEqual(data["selection"]["filters"], [["system", "System-A"]])
        self.assertEqual({row["system"] for row in data["data"]}, {"System-A"})
        rows = list(csv.DictReader(io.StringIO(self.file("observations", "csv").decode())))
        self.assertEqual({row["selection"] for row in rows}, {Selection.of(self.campaign).sentence})

    def test_filters_of_metric_scores(self):
        every, _, _ = self.frames("metric-segment-scores")
        document = self.test_set.documents.first()
        query = f"?document={document.name}&system=System-B"
        found, _, _ = self.frames("metric-segment-scores", query)
        self.assertEqual({*found["system"]}, {"System-B"})
        keys = {segment.key for segment in document.segments.all()}
        self.assertEqual({*found["segment"]}, keys)
        self.assertLess(len(found), len(every))

    def test_marked_errors(self):
        campaign = factory.make_campaign(
            self.test_set,
            preset="esa",
            name="Errors",
            owner=self.owner,
            researchers=[self.researcher],
            annotators=[self.annotator_1],
        )
        for frame in self.frames("spans", campaign=campaign):
            self.assertEqual(len(frame), 0)
            self.assertEqual([*frame.columns][:3], ["annotator", "segment", "system"])
        response = self.get_as(self.researcher, "api-table-file", self.campaign.pk, "spans", "csv")
        self.assertEqual(response.status_code, 404, "a campaign of ratings has none")

    def test_a_campaign_without_judgments(self):
        """Every table has its header in each form."""
        listed = self.get_as(self.researcher, "api-tables", self.pairwise.pk).json()["tables"]
        for table in listed:
            for kind in KINDS:
                self.assertEqual(self.client.get(table[kind]).status_code, 200, table[kind])
        for frame in self.frames("observations", campaign=self.pairwise):
            self.assertEqual(len(frame), 0)
            self.assertIn("preference", frame.columns)

    def test_who_may_read(self):
        users = {self.owner: 200, self.researcher: 200, None: REFUSED}
        users |= {self.outsider: 404, self.annotator_1: REFUSED}
        for name, more in (("api-tables", ()), ("api-table-file", ("observations", "parquet"))):
            for user, status in users.items():
                response = self.get_as(user, name, self.campaign.pk, *more)
                self.assertEqual(response.status_code, status, f"{user} {name}")

    def test_what_is_refused(self):
        for name, kind in (("nothing", "csv"), ("observations", "exe")):
            response = self.get_as(self.researcher, "api-table-file", self.campaign.pk, name, kind)
            self.assertEqual(response.status_code, 404)
        for address in (
            reverse("api-tables", args=[self.campaign.pk]),
            reverse("api-table-file", args=[self.campaign.pk, "observations", "json"]),
        ):
            for query in ("?nonsense=1", "?system=nobody", "?since=yesterday"):
                response = self.client.get(address + query)
                self.assertEqual(response.status_code, 400, address + query)
                self.assertEqual(response["Content-Type"], "application/problem+json")


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_pandas_reads_them_with_a_token(live_server):
    """As docs/api.md says it."""
    owner = factory.make_user("owner", is_staff=True)
    annotator = factory.make_user("annotator")
    campaign = factory.make_campaign(
        factory.make_test_set(owner), owner=owner, annotators=[annotator]
    )
    for item in factory.make_task(campaign, annotator).items.all():
        factory.judge(item, {"adequacy": [1.0, 3.0, 5.0], "fluency": [2.0, 3.0, 4.0]})
    token = api_tokens.create(owner, "notebook", "read", days=1)[1]
    options = {"Authorization": f"Bearer {token}"}
    tables = f"{live_server.url}/api/campaigns/{campaign.pk}/tables/"
    found = pandas.read_csv(f"{tables}observations.csv", storage_options=options)
    assert set(found["value"]) == {1.0, 2.0, 3.0, 4.0, 5.0}
    columns = pandas.read_parquet(f"{tables}observations.parquet", storage_options=options)
    assert columns["value"].tolist() == found["value"].tolist()
