"""What the tests of comparisons share."""

import csv
import io

from django.urls import reverse

from .test_results import ResultsTestCase


class ComparisonTestCase(ResultsTestCase):
    def page(self, name, campaign=None, user=None, **query):
        pk = (campaign or self.campaign).pk
        return self.get_as(user or self.researcher, name, pk, query_params=query)

    def table(self, response, slug):
        for section in response.context["sections"]:
            for table in section.tables:
                if table.slug == slug:
                    return table.make()
        raise AssertionError(f"no table {slug}")

    def file(self, name, *args, campaign=None, **query):
        address = reverse(name, args=[(campaign or self.campaign).pk, *args])
        response = self.as_user(self.researcher).get(address, query)
        self.assertEqual(response.status_code, 200)
        return list(csv.DictReader(io.StringIO(response.content.decode())))
