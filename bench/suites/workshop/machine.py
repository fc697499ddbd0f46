"""What `workshop` needs of this machine, as rows of `omnipilot doctor`."""

from __future__ import annotations

from omnipilot.bench.finding import Finding
from omnipilot.bench.suites.workshop.suite import Workshop


def rows() -> list[Finding]:
    """One row for the suite: whether everything is there that its tasks need, or all that is missing."""
    suite = Workshop()
    tasks = suite.tasks()
    missing = list(suite.lacking([one.id for one in tasks]))
    use = f"the {len(tasks)} tasks of the suite workshop"
    return [Finding("workshop", "all that it needs" if not missing else "not complete", use, "; ".join(missing))]
