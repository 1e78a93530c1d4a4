"""The outcome of every sent answer, read from the database at the end."""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

from annotators import Annotator, Sent


@dataclass
class Kept:
    """Counts by `when(answer)`: the fault during which the answer was acknowledged."""

    acknowledged: Counter = field(default_factory=Counter)
    stored: Counter = field(default_factory=Counter)
    lost: Counter = field(default_factory=Counter)
    doubled: Counter = field(default_factory=Counter)
    half_done: Counter = field(default_factory=Counter)
    unanswered: int = 0
    refused: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)


def look(campaign, people: list[Annotator], when: Callable[[Sent], str]) -> Kept:
    """Check that every acknowledged answer is stored once with the sent values, and nothing
    else."""
    from judgments.judging.ticket import unseal
    from judgments.models import ItemOutput, Judgment, Rating

    kept = Kept()
    sent = {unseal(a.ticket).key: a for person in people for a in person.sent}
    judgments = list(Judgment.objects.filter(campaign=campaign))
    places: dict[int, dict[int, int]] = defaultdict(dict)
    for item, output, place in ItemOutput.objects.filter(item__task__campaign=campaign).values_list(
        "item", "output", "position"
    ):
        places[item][output] = place
    said: dict[int, dict[str, str]] = defaultdict(dict)
    rated: Counter = Counter()
    rows = Rating.objects.filter(judgment__campaign=campaign).select_related("judgment")
    for row in rows.iterator():
        place = places[row.judgment.item_id][row.output_id] + 1
        said[row.judgment_id][f"output{place}-{row.dimension}"] = f"{row.value:g}"
        rated[row.judgment_id] += 1
    stored = Counter(judgment.client_key for judgment in judgments)
    by_key = {judgment.client_key: judgment for judgment in judgments}
    for key, answer in sent.items():
        check_answer(kept, answer, when(answer), stored[key], said.get(pk_of(by_key.get(key))))
    for judgment in judgments:
        its = sent.get(judgment.client_key)
        moment = when(its) if its else "before the first fault"
        if its is None:
            kept.doubled[moment] += 1
            kept.words.append(f"judgment {judgment.pk} was never sent")
        elif rated[judgment.pk] != len(its.values):
            kept.half_done[moment] += 1
            kept.words.append(f"judgment {judgment.pk} has {rated[judgment.pk]} ratings")
    for problem in counters(campaign, judgments):
        kept.half_done["at the end"] += 1
        kept.words.append(problem)
    return kept


def pk_of(judgment) -> int:
    return judgment.pk if judgment else 0


def check_answer(kept: Kept, answer: Sent, moment: str, n_stored: int, said: dict | None) -> None:
    kept.stored[moment] += n_stored
    if answer.refused:
        kept.refused.append(answer.refused)
        if n_stored:
            kept.words.append(f"{answer.action} was refused and stored")
    if answer.acknowledged is None:
        kept.unanswered += not answer.refused
        return
    kept.acknowledged[moment] += 1
    if n_stored != 1 or said != answer.values:
        kept.lost[moment] += 1
        kept.words.append(f"{answer.action}: sent {answer.values}, stored {n_stored} times: {said}")


def counters(campaign, judgments: list) -> list[str]:
    """Return contradictions: marks of items, counts of tasks, revisions, seats."""
    from judgments.models import Item, Task

    revisions: dict[int, list[int]] = defaultdict(list)
    who: dict[int, set[int]] = defaultdict(set)
    for judgment in judgments:
        revisions[judgment.item_id].append(judgment.revision)
        who[judgment.item_id].add(judgment.annotator_id)
    problems = [
        f"item {item} has the revisions {sorted(found)}"
        for item, found in revisions.items()
        if sorted(found) != list(range(1, len(found) + 1))
    ]
    problems += [f"item {item} has two annotators" for item, found in who.items() if len(found) > 1]
    judged: Counter = Counter()
    for pk, task, is_judged in Item.objects.filter(task__campaign=campaign).values_list(
        "pk", "task", "is_judged"
    ):
        judged[task] += is_judged
        if is_judged != (pk in revisions):
            problems.append(f"item {pk} is{'' if is_judged else ' not'} marked as judged")
    for each in Task.objects.filter(campaign=campaign):
        if each.n_judged != judged[each.pk]:
            problems.append(f"task {each.pk} counts {each.n_judged} of {judged[each.pk]} judged")
    return problems


def chain_problem() -> str:
    """Return the errors of `manage.py verify_judgments`; empty if it does not exist."""
    from io import StringIO

    from django.core.management import CommandError, call_command, get_commands

    if "verify_judgments" not in get_commands():
        return ""
    said = StringIO()
    try:
        call_command("verify_judgments", stdout=said)
    except CommandError as problem:
        return f"verify_judgments: {problem} {said.getvalue()}"
    print("manage.py verify_judgments: every judgment is as it was stored.")
    return ""
