"""The next item is shown while the answer is written; "saved" is said when it is."""

import pytest
from playwright.sync_api import Page, expect

from .judging import at_item, fetched_ahead, press, settled, stored

pytestmark = [pytest.mark.proof, pytest.mark.django_db(transaction=True)]

# Answers are written when the test says so.
SLOW = """() => {
  const { put } = window.mtevalQueue;
  const mayWrite = new Promise((resolve) => { window.write = resolve; });
  window.mtevalQueue.put = async (answer) => { await mayWrite; return put(answer); };
}"""
# As a full disk does.
FULL = """() => {
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (value) {
    if (this.name === "answers") throw new DOMException("full", "QuotaExceededError");
    return put.call(this, value);
  };
  window.hasSpace = () => { IDBObjectStore.prototype.put = put; };
}"""


def test_the_next_item_does_not_wait_for_the_disk(judging: Page):
    at_item(judging, 1)
    fetched_ahead(judging, 2)
    judging.evaluate(SLOW)
    press(judging, ["5", "4"] * 3)
    judging.keyboard.press("Enter")
    judging.wait_for_url("**/2/")
    judging.wait_for_timeout(300)
    expect(judging.locator("#status")).not_to_contain_text("Saved.")
    assert stored() == []
    judging.evaluate("write()")
    expect(judging.locator("#status")).to_contain_text("Saved.")
    settled(judging)
    assert len(stored()) == 6


def test_who_leaves_before_it_is_written_is_asked(judging: Page):
    """Between the key and the disk; afterwards the answer is safe, and nobody is asked."""
    at_item(judging, 1)
    fetched_ahead(judging, 2)
    press(judging, ["5", "4"] * 3)
    asked = """() => {
      const event = new Event("beforeunload", { cancelable: true });
      dispatchEvent(event);
      return event.defaultPrevented;
    }"""
    assert not judging.evaluate(asked)
    assert judging.evaluate(
        f"() => {{ document.getElementById('answer').requestSubmit(); return ({asked})(); }}"
    )
    at_item(judging, 2)
    assert not judging.evaluate(asked)
    assert len(stored()) == 6


def test_what_cannot_be_written_comes_back(judging: Page):
    at_item(judging, 1)
    fetched_ahead(judging, 2)
    judging.evaluate(FULL)
    press(judging, ["5", "4"] * 3)
    judging.keyboard.press("Enter")
    expect(judging.locator("#trouble")).to_contain_text("Not stored yet.")
    judging.wait_for_url("**/1/")
    expect(judging.locator("#go")).to_have_text("Try again")
    expect(judging.locator("#stage input:checked")).to_have_count(6)
    assert stored() == []
    judging.evaluate("hasSpace()")
    judging.locator("#go").click()
    at_item(judging, 2)
    assert len(stored()) == 6
