"""Report of a run of faults.py: a table by kind, and everything that is wrong."""

import statistics
from collections import defaultdict
from dataclasses import dataclass, field

import fault_check
from annotators import Sent
from fault_kinds import ALL, KILL, UNIT, Arena

MOST_FOR_ONE, MOST_FOR_ALL = 5.0, 15.0  # seconds, medians
BEFORE = "before the first fault"


@dataclass
class Fault:
    kind: str
    begun: float
    outage: float = 0.0
    failed: int = 0  # requests, which were sent again
    person: str = ""  # why a person was needed
    notes: list[str] = field(default_factory=list)


def report(faults: list[Fault], arena: Arena, left_out: list[str], campaign) -> bool:
    """Print the table; return whether everything is as it should be."""
    begun = [(fault.begun, fault.kind) for fault in faults]

    def when(answer: Sent) -> str:
        at = answer.acknowledged or answer.at
        return next((kind for start, kind in reversed(begun) if start <= at), BEFORE)

    kept = fault_check.look(campaign, arena.people, when)
    for problem in [*arena.imports.half_done(), *arena.scoring.wrong]:
        kept.half_done[problem.split()[0].lower() + "s"] += 1
        kept.words.append(problem)
    if chain := fault_check.chain_problem():
        kept.lost["hash chain"] += 1
        kept.words.append(chain)
    print_table(faults, kept)
    for line in left_out:
        print(f"Left out: {line}")
    print(f"Where ./run itself was killed ({', '.join(UNIT)}), the script started it again, as")
    print("Restart=always of the systemd unit does.")
    trouble = [line for person in arena.people for line in person.trouble]
    for line in [*kept.words[:40], *trouble[:20]]:
        print(f"  ! {line}")
    problems = [f"needed a person: {f.kind}: {f.person}" for f in faults if f.person]
    problems += too_long(faults)
    if kept.unanswered or kept.refused:
        problems.append(f"{kept.unanswered} answers unanswered, {len(kept.refused)} refused")
        problems += sorted(set(kept.refused))[:5]
    for name in ("lost", "doubled", "half_done"):
        if n := sum(getattr(kept, name).values()):
            problems.append(f"{n} {name.replace('_', '-')}")
    print("\n".join(f"NOT WELL: {line}" for line in problems) or "All is well.")
    return not problems


def too_long(faults: list[Fault]) -> list[str]:
    """Return the kinds whose median outage is longer than allowed."""
    outages = defaultdict(list)
    for fault in faults:
        outages[fault.kind].append(fault.outage)
    found = []
    for kind, seconds in outages.items():
        most = MOST_FOR_ONE if kind.startswith(KILL) and kind != ALL else MOST_FOR_ALL
        if (middle := statistics.median(seconds)) > most:
            found.append(f"{kind}: median outage {middle:.1f} s, at most {most:.0f} s")
    return found


def print_table(faults: list[Fault], kept: fault_check.Kept) -> None:
    columns = [
        "n",
        "itself",
        "median",
        "longest",
        "failed",
        "acked",
        "stored",
        "lost",
        "doubled",
        "half",
    ]
    print(f"\n{'kind':<36}" + "".join(f"{name:>9}" for name in columns))
    by_kind = defaultdict(list)
    for fault in faults:
        by_kind[fault.kind].append(fault)
    counted = (kept.acknowledged, kept.stored, kept.lost, kept.doubled, kept.half_done)
    rest = {name for counter in counted for name in counter if counter[name]} - set(by_kind)
    for kind in [*sorted(by_kind), *sorted(rest)]:
        found = by_kind.get(kind, [])
        outages = [fault.outage for fault in found]
        alone = sum(not fault.person for fault in found)
        times = [f"{statistics.median(outages):.1f}", f"{max(outages):.1f}"] if found else ["", ""]
        n_failed = sum(fault.failed for fault in found)
        cells = [len(found), alone, *times, n_failed, *(counter[kind] for counter in counted)]
        print(f"{kind:<36}" + "".join(f"{cell:>9}" for cell in cells))
    outages = [fault.outage for fault in faults]
    cells = [len(faults), sum(not f.person for f in faults)]
    cells += [f"{statistics.median(outages):.1f}", f"{max(outages):.1f}"]
    cells.append(sum(fault.failed for fault in faults))
    cells += [sum(counter.values()) for counter in counted]
    print(f"{'all':<36}" + "".join(f"{cell:>9}" for cell in cells), flush=True)
