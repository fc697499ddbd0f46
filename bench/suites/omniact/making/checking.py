"""The check of all tasks of a folder, and what it comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from omnipilot.bench.suites.omniact.making.mapping import doubles, problems
from omnipilot.bench.suites.omniact.making.playing import Playing
from omnipilot.bench.suites.omniact.making.records import MakingFolder, NamedTask


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check came to: the number of tasks that were checked and played, and why tasks were taken out, by id."""

    tasks: int
    played: int
    wrong: dict[str, str]
    functions: Counter[str]

    def lines(self) -> Iterator[str]:
        """It in lines for a terminal."""
        yield f"{self.tasks} tasks checked, {self.played} of them played; {len(self.wrong)} taken out"
        for id, why in self.wrong.items():
            yield f"  {id}: {why}"
        total = sum(self.functions.values())
        shares = (f"{name} {100 * count / total:.1f} %" for name, count in self.functions.most_common())
        yield f"lines: {', '.join(shares)}" if total else "no line is left"


def check_tasks(folder: MakingFolder, play: bool = True) -> Checked:
    """Check every task that is not taken out, and take out those with a problem, with the reason.

    Args:
        play: on the embedded desktop, where the screen is one of its.

    Raises:
        ConfigError: the folder has no screens or no tasks.
    """
    screens, tasks = folder.screens(), folder.tasks()
    checked = [task for task in tasks if task.state != "taken out"]
    wrong = doubles(checked)
    played, playing = 0, Playing() if play else None
    for task in checked:
        screen = screens.get(task.screen)
        found = [f"there is no screen {task.screen!r}"] if screen is None else problems(task, screen)
        if screen is not None and not found and playing is not None and screen.reach:
            played += 1
            found = list(filter(None, [playing.problem(task, screen)]))
        if found:
            wrong.setdefault(task.id, found[0])
    folder.write_tasks(
        replace(task, state="taken out", why=wrong[task.id]) if task.id in wrong else task for task in tasks
    )
    return Checked(len(checked), played, wrong, _functions([task for task in checked if task.id not in wrong]))


def _functions(tasks: list[NamedTask]) -> Counter[str]:
    return Counter(line.removeprefix("pyautogui.").partition("(")[0] for task in tasks for line in task.script)
