"""Proofs that the tasks of `workshop` measure what they claim to; each lists defects, and [] means proved.

`python -m omnipilot.bench.suites.workshop.proofs` takes the tasks to prove, and how many instances of each.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial

from omnipilot.bench.suites.workshop.demonstration import demonstrate
from omnipilot.bench.suites.workshop.suite import Workshop, all_templates
from omnipilot.bench.suites.workshop.template import DemonstratedStep, TaskDraft
from omnipilot.bench.suites.workshop.twins import guesses_fail, needs_its_media, nothing_gives_it_away, twin
from omnipilot.bench.suites.workshop.world import WorkshopWorld
from omnipilot.bench.synthesis.prove import flaws_of, parser_for, prove
from omnipilot.bench.tasks.graph import GraphEvaluator
from omnipilot.bench.tasks.judges import Case
from omnipilot.envs import ActionRejected, Answer, Modality, NotFound, Point, Wait, resolve
from omnipilot.envs.types import Described
from omnipilot.grounders import ElementsGrounder, Grounding
from omnipilot.memory import Move, WaitUntil

LOOK = 0.2
"""Seconds between two looks whether what is awaited is so."""
SHORT = 4.0
"""Seconds that is waited for what may never be so, because a step was left out."""
IDLE = 15.0
"""Seconds of doing nothing: longer than anything that sounds or moves by itself at the start."""


class TaskRehearsal:
    """A task set up in a world; the judges run after each move.

    Attributes:
        failed: moves that could not be carried out, with the reason.
    """

    def __init__(self, world: WorkshopWorld, draft: TaskDraft, devices: Sequence[str], instance: int) -> None:
        self.world = world
        self.failed: list[str] = []
        world.set_up(draft, devices, instance)
        self._start = world.state()
        self._answers: tuple[str, ...] = ()
        self._graph = GraphEvaluator(draft.graph)
        self.judge()

    def judge(self, ended: bool = False) -> None:
        """Run the judges."""
        self._graph.step(Case(self.world, self._start, self._answers), ended)

    def play(self, steps: Sequence[DemonstratedStep], patience: float = float("inf")) -> TaskRehearsal:
        """Carry out steps; an impossible move, or a wait in vain, is noted and skipped.

        Args:
            patience: seconds of each wait for something, at most.
        """
        for move in demonstrate(self.world, steps, self._start, patience):
            if isinstance(move, WaitUntil):
                self._wait(move)
            else:
                self._perform(move)
                self.judge()
        self.judge(ended=True)
        return self

    @property
    def missing(self) -> list[str]:
        """Names of the judges that do not hold."""
        return [name for name, state in self._graph.states().items() if state.value != "completed"]

    def _perform(self, move: Move) -> None:
        intent = move.intent
        if isinstance(intent, Answer):
            self._answers = (*self._answers, intent.text)
        elif isinstance(intent, Wait):
            self.world.wait(intent.seconds)
        else:
            try:
                self.world.envs[move.env].act(resolve(intent, lambda place: self._find(move.env, place)))
            except (ActionRejected, NotFound) as error:
                self.failed.append(f"{move}: {error}")

    def _find(self, env: str, place: Described) -> Point:
        seen = self.world.envs[env].observe({Modality.ELEMENTS}, self.world.now)
        found = ElementsGrounder().ground(seen, place)
        if not isinstance(found, Grounding):
            raise NotFound(found.detail)
        return found.point

    def _wait(self, awaited: WaitUntil) -> None:
        until = time.monotonic() + awaited.patience
        while not awaited.holds():
            if time.monotonic() > until:
                self.failed.append(f"waited {awaited.patience:g} s in vain: {awaited.what}")
                return
            self.world.wait(LOOK)


class ProvedTask:
    """One task at one instance, set up anew for each rehearsal.

    Attributes:
        draft: the instance. twin: the same with other media, None for a task of the screen alone.
    """

    def __init__(self, suite: Workshop, world: WorkshopWorld, task_id: str, instance: int) -> None:
        self.draft = suite.draft(task_id, instance)
        self._world = world
        self._instance = instance
        info = next(info for info in suite.tasks() if info.id == task_id)
        self._devices = info.envs
        self.twin = None if info.tags["hangs_on"] == "screen" else twin(suite, task_id, instance)

    def rehearsal(self, draft: TaskDraft | None = None) -> TaskRehearsal:
        """A rehearsal from the start, of the instance or of its twin."""
        return TaskRehearsal(self._world, draft or self.draft, self._devices, self._instance)


def demonstration_passes(task: ProvedTask) -> list[str]:
    """No judge holds at the start, every move can be carried out, and all judges hold at the end."""
    rehearsal = task.rehearsal()
    early = {judge.name for judge in task.draft.judges} - set(rehearsal.missing)
    if early:
        return [f"holds at the start: {', '.join(sorted(early))}"]
    rehearsal.play(task.draft.steps)
    return [f"cannot be done: {told}" for told in rehearsal.failed] + [
        f"not reached: {name}" for name in rehearsal.missing
    ]


def doing_nothing_fails(task: ProvedTask) -> list[str]:
    """Waiting reaches no judge that is asked at each step."""
    rehearsal = task.rehearsal()
    rehearsal.play([DemonstratedStep("wait", (Move("", Wait(IDLE)),))])
    guards = {judge.name for judge in task.draft.judges if judge.when == "end"}
    reached = {judge.name for judge in task.draft.judges} - set(rehearsal.missing) - guards
    lost = [] if rehearsal.missing else ["doing nothing passes"]
    return lost + [f"reached by waiting: {name}" for name in sorted(reached)]


def every_step_is_needed(task: ProvedTask) -> list[str]:
    """If any one step is left out, the task is not solved; and each judge fails for some step that is left out."""
    wrong, failing = [], set()
    steps = task.draft.steps
    for at, left_out in enumerate(steps):
        if not left_out.needed:
            continue
        missing = task.rehearsal().play([*steps[:at], *steps[at + 1 :]], SHORT).missing
        failing |= set(missing)
        if not missing:
            wrong.append(f"unneeded: {left_out.what}")
    guards = {judge.name for judge in task.draft.judges if judge.when == "end"}
    idle = {judge.name for judge in task.draft.judges} - failing - guards
    return wrong + [f"no step is needed for it: {name}" for name in sorted(idle)]


def instances_differ(suite: Workshop, task_id: str) -> list[str]:
    """Instances ask for different things, and one instance is the same each time."""
    drafts = [_content(suite.draft(task_id, instance)) for instance in (0, 0, 1, 2)]
    return ["one instance is made in two ways"] * (drafts[0] != drafts[1]) + ["all instances are equal"] * (
        all(draft == drafts[0] for draft in drafts)
    )


def _content(draft: TaskDraft) -> tuple[object, ...]:
    media = [make() for made in (draft.media, draft.page_media) for make in made.values()]
    return draft.instruction, draft.files, draft.pages, media


Proof = Callable[[ProvedTask], list[str]]
PROOFS: Mapping[str, Proof] = {
    "the demonstration passes": demonstration_passes,
    "doing nothing fails": doing_nothing_fails,
    "every step is needed": every_step_is_needed,
    "its media are needed": needs_its_media,
    "nothing gives it away": nothing_gives_it_away,
}


def flaws(
    world: WorkshopWorld, task_id: str, instances: Sequence[int], proofs: Sequence[str] = tuple(PROOFS)
) -> Iterator[str]:
    """The defects of a task: one line per reason, with instance and proof."""
    suite = Workshop()
    yield from (f"{task_id}: {reason}" for reason in instances_differ(suite, task_id))
    if all_templates()[task_id].hangs_on != "screen":
        yield from (f"{task_id}: {reason}" for reason in guesses_fail(suite, task_id))
    for instance in instances:
        task = ProvedTask(suite, world, task_id, instance)
        yield from flaws_of({name: PROOFS[name] for name in proofs}, f"{task_id} [{instance}]", task)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prove, and print what fails.

    Returns:
        0 where all holds, else 1.
    """
    parser = parser_for("omnipilot.bench.suites.workshop.proofs", __doc__, instances=1, jobs=1)
    parser.add_argument("--quick", action="store_true", help="only play the demonstrations")
    options = parser.parse_args(arguments)
    chosen = options.tasks or [info.id for info in Workshop().tasks()]
    proofs = list(PROOFS)[: 1 if options.quick else None]
    find = partial(_flaws, instances=options.instances, proofs=proofs)
    return prove(find, chosen, options.jobs, f"{len(proofs)} proofs, {options.instances} instances")


def _flaws(task: str, instances: int, proofs: Sequence[str]) -> list[str]:
    """The defects of a task, found in a world of its own."""
    with closing(WorkshopWorld()) as world:
        return list(flaws(world, task, range(instances), proofs))


if __name__ == "__main__":
    sys.exit(main())
