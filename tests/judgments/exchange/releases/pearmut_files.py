"""Files of Pearmut that are made up, and what is read of them."""

import json
from collections import Counter

from judgments.exchange.releases import registry
from judgments.exchange.releases.records import Problems
from judgments.files.uploads import opened

ANSWERS = {"source-language": "en", "target-language": "de"}


def read(*paths):
    with opened(paths) as files:
        problems = Problems()
        found, _ = registry.recognize(files)
        release = registry.read(files, ANSWERS, problems)
    assert [each.slug for each, _ in found] == ["pearmut"]
    return release, problems


def content(release):
    return [
        Counter(
            (
                screen.annotator, screen.segment, screen.kind, tuple(screen.outputs),
                tuple(sorted(screen.ratings)), tuple(sorted(screen.spans or ())),
                screen.started, screen.submitted, screen.active_ms,
            )
            for screen in part.screens()
        )
        for part in release.judgments
    ]  # fmt: skip


def texts(release):
    return {
        segment.key: (segment.document, segment.source, dict(segment.outputs))
        for part in release.texts
        for segment in part.segments()
    }


def item(key, source, **outputs):
    return {"item_id": key, "src": source, "tgt": outputs}


def said(score=None, *spans, **sliders):
    errors = [
        {"start_i": start, "end_i": end, "category": None, "severity": severity}
        for start, end, severity in spans
    ]
    answer = {"score": score, "error_spans": errors, "textfield": None}
    return answer | ({"sliders": sliders} if sliders else {})


def entry(user, items, annotation, item_i=0, times=(100.0, 110.5, 300.0), **more):
    """As Pearmut logs it."""
    actions = [{"time": time, "action": "score"} for time in times]
    found = {"annotation": annotation, "actions": actions, "item": items}
    return found | {"user_id": user, "item_i": item_i} | more


def lines(path, *entries):
    path.write_text("".join(json.dumps(each) + "\n" for each in entries), "utf-8")
    return path


HOUSE = item("s1", "a house", A="ein Haus", B="eine Maus")

GARDEN = item("s2", "a garden", A="ein Garten", B="der Garten")


def campaign(**more):
    checked = item("c1", "a dog", A="ein Hund", B="Auto") | {"validation": {"B": {"score": [0, 9]}}}
    lesson = item("t1", "a cat", A="eine Katze", B="ein Kater") | {
        "skippable": True,
        "validation": {
            "A": {
                "warning": "This one is perfect.",
                "score": [95, 100],
                "error_spans": [{"start_i": [4, 6], "end_i": [8, 9], "severity": "minor"}],
            }
        },
    }
    found = {
        "info": {"assignment": "task-based", "protocol": "ESA", "instructions": "Look<br>well."},
        "campaign_id": "wmt25_#_en-cs_CZ",
        "data": [[[lesson], [HOUSE, GARDEN]], [[HOUSE], [checked]]],
    }
    return found | more
