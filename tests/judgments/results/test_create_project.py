"""manage.py create_project."""

import io

import pytest
from django.core.management import CommandError, call_command

from judgments.models import Project
from tests.base import CastTestCase


def run(*arguments):
    output = io.StringIO()
    call_command("create_project", *map(str, arguments), stdout=output)
    return output.getvalue()


class CreateProjectTest(CastTestCase):
    def test_campaigns_join_a_new_project_and_one_that_is_there(self):
        output = run("year", self.campaign.pk, "--owner", "owner", "--name", "A year")
        self.assertEqual(output, "A year: 1 campaign. See /projects/year/\n")
        output = run("year", self.pairwise.pk, "--owner", "owner")
        self.assertIn("2 campaigns", output)
        self.assertEqual(Project.objects.get().owner, self.owner)

    def test_what_ranks_systems(self):
        number = self.campaign.pk
        run("year", number, "--owner", "owner", "--by", f"{number}=fluency")
        self.assertEqual(Project.objects.get().joined.get().dimension, "fluency")
        for said, words in (
            (f"{number}=beauty", "asks adequacy, fluency"),
            (f"{self.pairwise.pk}=x", "No campaign"),
            ("fluency", "No campaign"),
        ):
            with pytest.raises(CommandError, match=words):
                run("year", "--owner", "owner", "--by", said)

    def test_what_is_wrong_is_said_and_nothing_is_made(self):
        for arguments, words in (
            (("year", 0, "--owner", "owner"), "no campaign 0"),
            (("year", "--owner", "nobody"), "no account"),
            (("new", "--owner", "owner"), "a reserved address"),
            (("not a slug", "--owner", "owner"), "slug"),
        ):
            with pytest.raises(CommandError, match=words):
                run(*arguments)
        self.assertFalse(Project.objects.exists())
