"""What the auditor says of judges of which it is known whether they are sound: of how many flaws it finds, and accuses.

    python tests/perf/audit_judges.py held-out --out held_out.json
    python tests/perf/audit_judges.py planted --part 1/8 --out planted.json
    python tests/perf/audit_judges.py table tests/bench/audit/held_out_first.json

`held-out` are those of tests/fixtures/held_out_flaws.py and held_out_sound.py, `planted` those that the auditor was
made with. Flaws get 3,000 sequences (`--sequences`), sound judges 500; no wall time ends a search. Every verdict is
written as it comes, so a run may be stopped: what was judged is not judged again, but for flaws that were missed with
fewer sequences than now.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "fixtures"))

from held_out_flaws import FLAWS, HeldOutJudge
from held_out_sound import SOUND
from planted_flaws import flaws

from omnipilot.bench.audit.auditor import AuditBudget, audit_task
from omnipilot.bench.suites.duet.suite import Duet
from omnipilot.bench.suites.duet_memory.suite import DuetMemory
from omnipilot.bench.tables import Table
from omnipilot.bench.tasks.task import Suite, Task

SEQUENCES = {True: 3000, False: 500}


@dataclass(frozen=True)
class KnownJudge:
    """A task to audit, with what is known of its judges."""

    name: str
    suite: Suite
    task: str
    flawed: bool
    change: Callable[[Task], Task] | None = None
    beyond: bool = False

    def audit(self, sequences: int) -> dict[str, Any]:
        """What the auditor says."""
        began = time.monotonic()
        budget = AuditBudget(sequences, 1e9, doors=False)
        found = audit_task(self.suite, self.task, budget=budget, change=self.change)
        return {
            "judge": self.name,
            "flawed": self.flawed,
            "found": bool(found.findings),
            "by": sorted({one.kind for one in found.findings}),
            **({"beyond": True} if self.beyond else {}),
            "reason": found.findings[0].reason[:200] if found.findings else "",
            "sequences": found.search.get("sequences", 0),
            "allowed": sequences,
            "seconds": round(time.monotonic() - began, 1),
        }


def _with_graph(judge: HeldOutJudge, task: Task) -> Task:
    return replace(task, graph=judge.graph)


def held_out(suite: Duet) -> Iterator[KnownJudge]:
    """The judges that were held out."""
    for judges, flawed in ((FLAWS, True), (SOUND, False)):
        for one in judges:
            name, change = f"{one.task}: {one.name}", partial(_with_graph, one)
            yield KnownJudge(name, suite, one.task, flawed, change, one.beyond)


def planted(suite: Duet) -> Iterator[KnownJudge]:
    """The judges that the auditor was made with, and the tasks as they are."""
    for flaw in flaws():
        yield KnownJudge(flaw.name, suite, flaw.task, True, flaw.change)
    memory = DuetMemory()
    for of, name in ((suite, "duet"), (memory, "duet-memory")):
        for info in of.tasks():
            yield KnownJudge(f"{name}: {info.id}", of, info.id, False)


def audit_judges(judges: list[KnownJudge], out: Path, sequences: Mapping[bool, int]) -> None:
    """Audit each, and write what was said.

    Args:
        sequences: how many for flaws (True) and for sound judges (False).
    """
    said = {one["judge"]: one for one in json.loads(out.read_text())} if out.exists() else {}
    for judge in judges:
        before, allowed = said.get(judge.name), sequences[judge.flawed]
        if before and (before["found"] or before["allowed"] >= allowed):
            continue
        try:
            said[judge.name] = judge.audit(allowed)
        except Exception as error:  # What ends an audit is a verdict that was not given, whatever it was.
            given = {"judge": judge.name, "flawed": judge.flawed, "found": False, "by": [], "sequences": 0}
            said[judge.name] = {**given, "allowed": allowed, "reason": f"ended by {type(error).__name__}: {error}"}
        print(said[judge.name], flush=True)
        out.write_text(json.dumps(list(said.values()), indent=1, ensure_ascii=False) + "\n")


def tables(files: list[Path]) -> Iterator[Table]:
    """The rates, and what was missed or accused, of some files together."""
    said = {one["judge"]: one for file in files for one in json.loads(file.read_text())}.values()
    rows, wrong = [], []
    for flawed, words in ((True, "judges with flaws"), (False, "sound judges")):
        some = [one for one in said if one["flawed"] == flawed]
        hits = [one for one in some if one["found"]]
        share = f"{100 * len(hits) / len(some):.1f} %" if some else "–"
        ways = Counter(kind for one in hits for kind in one["by"])
        by = ", ".join(f"{kind} {count}" for kind, count in ways.most_common())
        rows.append((words, str(len(some)), f"{len(hits)} {'found' if flawed else 'accused'}", share, by))
        wrong += [
            (one["judge"], one["reason"] or "missed", str(one["sequences"])) for one in some if one["found"] != flawed
        ]
    yield Table(("", "judged", "found or accused", "share", "by"), tuple(rows), words=("by",))
    yield Table(("judge", "what was said", "sequences"), tuple(wrong), words=("what was said",))


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("held-out", "planted", "table"))
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--part", default="1/1", help="which part in how many: 1/8")
    parser.add_argument("--only", choices=("flaws", "sound"))
    parser.add_argument("--sequences", type=int, default=SEQUENCES[True], help="for each flaw")
    parser.add_argument("--out", type=Path, default=Path("audit_judges.json"))
    chosen = parser.parse_args()
    if chosen.what == "table":
        print("\n\n".join(table.text() for table in tables(chosen.files)))
        return
    part, parts = map(int, chosen.part.split("/"))
    suite = Duet(memo=5000, pieces=64)
    judges = list(held_out(suite) if chosen.what == "held-out" else planted(suite))
    judges = [one for one in judges if chosen.only is None or one.flawed == (chosen.only == "flaws")]
    audit_judges(judges[part - 1 :: parts], chosen.out, {**SEQUENCES, True: chosen.sequences})


if __name__ == "__main__":
    main()
