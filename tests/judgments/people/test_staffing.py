"""What a campaign settles with its people: read, written, refused."""

import pytest

from judgments.people.staffing.settings import plain, read, set_staffing, staffing_of
from tests import factory

WHOLE = {
    "consent": {"version": 2, "texts": {"en": "We store.", "de": "Wir speichern."}},
    "questions": [
        {"name": "native", "label": {"en": "Native?", "de": "Erstsprache?"}, "kind": "yes-no"},
        {"name": "field", "label": "Field", "kind": "choice", "choices": ["Law", "Art"]},
        {"name": "years", "label": "Years", "kind": "number", "required": True},
    ],
    "codes": {"pass": "C1", "fail": "C2"},
    "redirect": "https://app.prolific.com/submissions/complete?cc={code}",
    "batches": 2,
    "typed_names": False,
    "pay": {"per": "item", "amount": "0.25", "currency": "EUR", "promised": "12.00"},
}


def test_what_is_read_is_written_again():
    assert plain(read(WHOLE)) == WHOLE
    assert plain(read({})) == {}


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"other": 1}, "must be an object with"),
        ({"codes": {"pass": "C1", "fail": "C1"}}, "must differ"),
        ({"codes": {"pass": "a b"}}, "letters, digits"),
        ({"redirect": "http://x.org/{code}"}, "https"),
        ({"redirect": "javascript:alert({code})"}, "https"),
        ({"redirect": "https://{code}.example.org/"}, "after the name of the site"),
        ({"redirect": "https://x.org@evil.org/{code}"}, "after the name of the site"),
        ({"redirect": "https://x.org/"}, "once"),
        ({"batches": 0}, "whole number"),
        ({"batches": True}, "whole number"),
        ({"typed_names": "yes"}, "true or false"),
        ({"questions": [{"name": "A b", "label": "x"}]}, "Question 1: “name”"),
        ({"questions": [{"name": "a", "label": "x", "kind": "date"}]}, "“kind”"),
        (
            {"questions": [{"name": "a", "label": {"de": "x"}}]},
            "“label” must be a text, or texts by language that include “en”",
        ),
        ({"questions": [{"name": "a", "label": "x", "kind": "choice"}]}, "“choices”"),
        ({"questions": [{"name": "a", "label": "x"}] * 2}, "Question 2: two questions"),
        ({"consent": {"texts": {"en": "\0"}}}, "cannot be stored"),
        ({"consent": {"texts": {"en": "\ud800"}}}, "cannot be stored"),
        ({"consent": {"texts": {"en": "x" * 20_001}}}, "at most 20,000"),
        ({"pay": {"per": "day", "amount": "1", "currency": "EUR"}}, "per hour, batch, item"),
        ({"pay": {"amount": "NaN", "currency": "EUR"}}, "An amount is a number"),
        ({"pay": {"amount": "-1", "currency": "EUR"}}, "An amount is a number"),
        ({"pay": {"amount": "1e999999", "currency": "EUR"}}, "An amount is a number"),
        ({"pay": {"amount": 1.1, "currency": "EUR"}}, "An amount is a number"),
        ({"pay": {"amount": "1", "currency": ""}}, "currency"),
    ],
)
def test_what_is_none_is_refused_in_words(part, words):
    with pytest.raises(ValueError, match=words):
        read(WHOLE | part)


@pytest.mark.django_db
def test_parts_are_set_alone_and_other_words_are_another_version():
    campaign = factory.make_campaign(factory.make_test_set(factory.make_user("owner")))
    set_staffing(campaign, {"consent": {"texts": {"en": "One"}}})
    set_staffing(campaign, {"codes": {"pass": "C1"}})
    set_staffing(campaign, {"consent": {"texts": {"en": "One"}}})
    campaign.refresh_from_db()
    found = staffing_of(campaign)
    assert (found.consent_version, found.pass_code) == (1, "C1")
    set_staffing(campaign, {"consent": {"texts": {"en": "Two"}}})
    campaign.refresh_from_db()
    assert staffing_of(campaign).consent_version == 2
    # Taken away and written again: who accepted the first words did not accept these.
    set_staffing(campaign, {"consent": {"texts": {}}})
    set_staffing(campaign, {"consent": {"texts": {"en": "One"}}})
    assert staffing_of(campaign).consent_version == 4
    with pytest.raises(ValueError, match="whole number"):
        set_staffing(campaign, {"batches": -1})
    campaign.refresh_from_db()
    assert staffing_of(campaign).batches is None
