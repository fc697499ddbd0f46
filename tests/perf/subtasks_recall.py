"""How good are the subtasks of a pool? Measured against duet's hand-written templates, and by playing them.

    omnipilot synth explore POOL && omnipilot synth subtasks POOL
    python tests/perf/subtasks_recall.py POOL             readings that duet has, and what takes and yields
    python tests/perf/subtasks_recall.py POOL --play 400  play that many subtasks, alone and joined in pairs

Discovery never reads the templates. A reading of duet is a template that changes nothing of the account but what is
noted by looking and playing; it is found if the pool has a subtask of the same application that yields the same type
by the same channel (speech counts as sound). One that yields nothing cannot be found. They are counted for the two
thirds of the applications that discovery was developed on and for the third that was held out (see explore_recall.py),
and once more without those that play a film or a song, which the specification counts among effects.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from explore_recall import DEVICES, effects_of, is_held_out

from omnipilot.bench.suites.duet.kit.play import demonstration, play
from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.duet.suite import quiet
from omnipilot.bench.suites.pool.explore.stage import read_bookkeeping
from omnipilot.bench.suites.pool.pool_folder import PoolFolder
from omnipilot.bench.suites.pool.records import SubtaskRecord
from omnipilot.bench.suites.pool.subtasks.making import app_of
from omnipilot.bench.suites.pool.subtasks.stage import report_on
from omnipilot.bench.suites.pool.templates import HAND_WRITTEN, template_of
from omnipilot.bench.synthesis.compose import compose, fits
from omnipilot.bench.synthesis.template import Template
from omnipilot.bench.tasks.graph import GraphEvaluator
from omnipilot.bench.tasks.judges import Case
from omnipilot.envs import ActionRejected, ConfigError, NotFound
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.content.generate import initial_world

CHANNELS = {"speech": "sound"}
PLAYED = ("+playbacks", "~playbacks.", "~player.")
"""What is noted by playing something."""
NOTED = (*PLAYED, "~voicemails.heard", "~threads.unread", "+visits", "~console.")
"""What is noted by looking, whatever exploration counts as bookkeeping."""


def readings(pool: PoolFolder) -> list[Template]:
    """The templates of duet that change nothing but bookkeeping."""
    noise = read_bookkeeping(pool)
    return [
        template
        for template in book("").templates.values()
        if all(
            entry in noise or entry.startswith((*DEVICES, *NOTED))
            for effect in effects_of(template).effects
            for entry in effect
        )
    ]


def _plays(template: Template) -> bool:
    return any(entry.startswith(PLAYED) for effect in effects_of(template).effects for entry in effect)


def is_found(template: Template, subtasks: Sequence[SubtaskRecord]) -> bool:
    """Whether some subtask of the same application yields the same type by the same channel."""
    channel = CHANNELS.get(template.hangs_on, template.hangs_on)
    return any(
        app_of(one) == template.app
        and any(fits(type, template.output) for type in one.output_resources if template.output)
        and CHANNELS.get(one.channel, one.channel) == channel
        and one.reveals
        for one in subtasks
    )


def outcome(templates: Sequence[Template], instance: int) -> str:
    """What comes of a task: "solved", or what went wrong."""
    try:
        task = compose(list(templates), quiet(initial_world(instance)), instance)
    except ConfigError as error:
        return f"not made: {str(error)[:100]}"
    world = SimWorld()
    world.reset(instance)
    world.prepare(lambda _: task.state)
    start = world.state()
    try:
        moves = demonstration(world, task.solutions())
    except (NotFound, ActionRejected) as error:
        return f"no demonstration: {str(error)[:100]}"
    idle = GraphEvaluator(task.graph)
    idle.step(Case(world, start), ended=True)
    if idle.success:
        return "solved by doing nothing"
    graph = GraphEvaluator(task.graph)
    for number, move in enumerate(moves, 1):
        play(world, move)
        graph.step(Case(world, start), ended=number == len(moves))
    return "solved" if graph.success else "not solved by its demonstration"


def main() -> None:
    """Print the measures of a pool."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pool", type=Path)
    parser.add_argument("--play", type=int, default=0, metavar="N", help="subtasks to play")
    parser.add_argument("--names", action="store_true", help="name what was not found or not solved")
    chosen = parser.parse_args()
    pool = PoolFolder(chosen.pool)
    subtasks = [one for one in pool.subtasks.require() if one.made_by != HAND_WRITTEN]
    print("\n".join(report_on(pool).lines()[:2]))
    wanted = readings(pool)
    missed = [template for template in wanted if not is_found(template, subtasks)]
    for name, group in (
        ("all", wanted),
        ("without films and songs", [one for one in wanted if not _plays(one)]),
        ("of the two thirds", [one for one in wanted if not is_held_out(one.app)]),
        ("of the third held out", [one for one in wanted if is_held_out(one.app)]),
    ):
        silent = sum(not one.output for one in group)
        found = sum(one not in missed for one in group)
        print(f"readings of duet, {name}: {found} found of {len(group)}; {silent} of these yield nothing")
    if chosen.names:
        print("not found:", *(f"{one.id} ({one.app}, {one.output}, {one.hangs_on})" for one in missed))
    if chosen.play:
        play_some(subtasks, chosen.play, chosen.names)


def play_some(subtasks: Sequence[SubtaskRecord], count: int, names: bool) -> None:
    """Play subtasks alone, and pairs in which the second takes what the first yields, and print what came of them."""
    dice = random.Random(5)
    templates = [template_of(one) for one in subtasks]
    for what in ("alone", "in pairs"):
        found: Counter[str] = Counter()
        began = time.process_time()
        for number in range(count):
            second = templates[number % len(templates)] if what == "alone" else dice.choice(templates)
            chosen = [second]
            if what == "in pairs":
                kinds = list(second.inputs.values())
                before = [one for one in templates if any(fits(one.output, kind) for kind in kinds)]
                if not before:
                    continue
                chosen.insert(0, dice.choice(before))
            result = outcome(chosen, number + 100)
            found[result.split(":")[0]] += 1
            if names and result != "solved":
                print(what, [one.id for one in chosen], number + 100, result)
        seconds = time.process_time() - began
        print(f"{what}: {dict(found.most_common())}, {seconds / max(1, sum(found.values())):.2f} s each")


if __name__ == "__main__":
    main()
