"""Measures gates on the demonstrations of `duet`: needed clips that are kept, needless ones that are withheld.

    python tests/perf/gate_media.py                       # the default split, two instances
    python tests/perf/gate_media.py --split all --instances 3

Each demonstration is played with one observation of every device a turn, as an agent would make. On tasks that are
proved AV-critical, a clip is needed if it differs between a task and its twin before the moves of the two differ; all
else that the two show is equal (`omnipilot.bench.suites.duet.proofs.twins`). On AV-present tasks, every clip in which
something is heard or moves is needless: with the task's own media, with noise in their place, and with the sound and
film of another task.

Intervals are Wilson's over clips.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TypeAlias

from omnipilot.bench.episode.substitute import CRITICAL, OtherMedia
from omnipilot.bench.stats.intervals import wilson
from omnipilot.bench.suites.duet import Duet
from omnipilot.bench.suites.duet.proofs.other_media import Dubbed, noise
from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.bench.tasks.task import Task
from omnipilot.envs import AudioClip, Modality, Observation, VideoClip, World
from omnipilot.envs.recorded import Noise
from omnipilot.envs.recorded.substitute_world import stood_in
from omnipilot.memory import Move
from omnipilot.memory.gate import EnergyGate, EventsGate, Gate, GateDecision
from omnipilot.memory.gate.base import Clip, Instructed, clips_of, modality_of
from omnipilot.planners import Brief

Turns: TypeAlias = Iterator[tuple[list[Clip], list[bool]]]
"""The clips of each turn, each with whether it is needed."""
PRESENT = "AV-present"
TOKENS_A_SECOND = {Modality.AUDIO: 32.0, Modality.VIDEO: 263.0}
"""Tokens of a second of sound and of film, as Gemini counts them
(https://ai.google.dev/gemini-api/docs/tokens)."""
MEDIA = ("own", "noise", "pink noise", "other")
"""The task's own sound and film; white noise and random pictures (`--stand-in noise`); pink noise on every device; the
sound and film of another task (`--stand-in other`)."""


class Uninstructed(EventsGate):
    """The gate `events` by what is heard and seen alone: it is not told the instruction."""

    def begin(self, brief: Instructed) -> None:
        super().begin(Brief("", {}))


GATES: Mapping[str, Callable[[], Gate]] = {
    "energy": EnergyGate,
    "events": EventsGate,
    "events, unasked=false": lambda: EventsGate(unasked=False),
    "events, no instruction": Uninstructed,
}


@dataclass
class Count:
    """Clips of one row of the table."""

    clips: int = 0
    right: int = 0
    tokens: float = 0.0
    saved: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def take(self, clip: Clip, sent: bool, wanted: bool, where: str) -> None:
        tokens = clip.seconds * TOKENS_A_SECOND[modality_of(clip)]
        self.clips += 1
        self.right += sent == wanted
        self.tokens += tokens
        self.saved += 0.0 if sent else tokens
        if sent != wanted:
            self.wrong.append(where)


def observed(world: World, trial: Rehearsal, moves: Sequence[Move]) -> Iterator[dict[str, Observation]]:
    """What each turn shows, before each of the moves and after the last."""
    since = world.now
    for at in range(len(moves) + 1):
        if at:
            trial.play([moves[at - 1]], ended=False)
        yield {name: env.observe((Modality.AUDIO, Modality.VIDEO), since) for name, env in world.envs.items()}
        since = world.now


def needed_clips(suite: Duet, name: str, instance: int) -> tuple[str, Turns]:
    """The instruction, and the clips of each turn until the decision, each with whether its twin has another."""
    tasks = [suite.instantiate(name, instance, twin) for twin in (0, 1)]
    trials = [Rehearsal(task) for task in tasks]
    ways = [_moves(task, trial) for task, trial in zip(tasks, trials, strict=True)]
    decision = next(at for at, pair in enumerate(zip_longest(*ways)) if pair[0] != pair[1])

    def turns() -> Turns:
        both = [observed(trial.world, trial, ways[0][:decision]) for trial in trials]
        for first, second in zip(*both, strict=True):
            clips = clips_of(first.values())
            twins = {(clip.env, modality_of(clip)): clip for clip in clips_of(second.values())}
            yield clips, [twins.get((clip.env, modality_of(clip))) != clip for clip in clips]

    return trials[0].instruction, turns()


def needless_clips(suite: Duet, name: str, instance: int, media: str) -> tuple[str, Turns]:
    """The instruction, and the clips of each turn of the demonstration; none of those that show anything is needed."""
    task = suite.instantiate(name, instance)
    trial = Rehearsal(task, Dubbed(noise) if media == "pink noise" else None)
    seen: World = trial.world
    both = (Modality.AUDIO, Modality.VIDEO)
    if media == "noise":
        seen = stood_in(trial.world, Noise(instance), both)
    elif media == "other":
        seen = stood_in(trial.world, OtherMedia(suite, name, instance, instance), both)

    def turns() -> Turns:
        for shown in observed(seen, trial, _moves(task, trial)):
            clips = [clip for clip in clips_of(shown.values()) if shows_something(clip)]
            yield clips, [False] * len(clips)

    return trial.instruction, turns()


def _moves(task: Task, trial: Rehearsal) -> list[Move]:
    assert task.solution is not None
    return list(task.solution(trial.world))


def shows_something(clip: Clip) -> bool:
    """Whether there is any sound in a clip, or any change of the picture."""
    if isinstance(clip, AudioClip):
        return any(clip.pcm)
    assert isinstance(clip, VideoClip)
    return len({frame.digest for frame in clip.frames}) > 1


def judged(
    gates: Mapping[str, Gate], instruction: str, turns: Turns
) -> Iterator[tuple[str, Clip, bool, GateDecision, str]]:
    """Each clip and gate: the gate's name, the clip, whether it is needed, the decision, and that in words."""
    for gate in gates.values():
        gate.begin(Brief(instruction, {}))
    for turn, (clips, needed) in enumerate(turns):
        for name, gate in gates.items():
            decisions, _ = gate.decide(turn, clips)
            for clip, wanted, told in zip(clips, needed, decisions, strict=True):
                why = f"turn {turn + 1}, {told.env} {told.modality}, {'sent' if told.sent else 'withheld'}: {told.why}"
                yield name, clip, wanted, told, f"{why} ({'; '.join(told.found[:4])})"


def measured(
    suite: Duet, names: Collection[str] = (), instances: int = 1, gates: Sequence[str] = tuple(GATES)
) -> Mapping[tuple[str, str], Count]:
    """The counts by gate and kind of clips: "needed", and "needless, own", "needless, noise", "needless, other"."""
    found: dict[tuple[str, str], Count] = {}
    for info in suite.tasks():
        level = info.tags["level"]
        if (names and info.id not in names) or level not in (CRITICAL, PRESENT):
            continue
        for instance in range(instances):
            for media in ("own",) if level == CRITICAL else MEDIA:
                if level == CRITICAL:
                    instruction, turns = needed_clips(suite, info.id, instance)
                else:
                    instruction, turns = needless_clips(suite, info.id, instance, media)
                kind = "needed" if level == CRITICAL else f"needless, {media}"
                made = {name: GATES[name]() for name in gates}
                for name, clip, wanted, told, why in judged(made, instruction, turns):
                    if level != CRITICAL or wanted:
                        count = found.setdefault((name, kind), Count())
                        count.take(clip, told.sent, wanted, f"{info.id}#{instance}, {why}")
    return found


def lines(found: Mapping[tuple[str, str], Count]) -> list[str]:
    """The table in Markdown."""
    out = ["| gate | clips | right | share | 95 % interval | tokens withheld |", "|---|---|---|---|---|---|"]
    for gate in dict.fromkeys(gate for gate, _ in found):
        parts = [count for (name, kind), count in found.items() if name == gate and kind != "needed"]
        if len(parts) > 1:
            sums = [sum(getattr(one, name) for one in parts) for name in ("clips", "right", "tokens", "saved")]
            found = {**found, (gate, "needless, all"): Count(*sums)}
    for (gate, kind), count in found.items():
        low, high = wilson(count.right, count.clips)
        share = f"{100 * count.right / count.clips:.1f} %"
        span = f"{100 * low:.1f} to {100 * high:.1f} %"
        verb = "kept" if kind == "needed" else "withheld"
        saved = f"{100 * count.saved / count.tokens:.0f} % of {count.tokens:,.0f}" if count.tokens else "none"
        out.append(f"| `{gate}` | {count.clips} {kind} | {count.right} {verb} | {share} | {span} | {saved} |")
    return out


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--split", default="", help="split of the suite; its default one if left out")
    parser.add_argument("--tasks", default="", help="task ids, with commas between them")
    parser.add_argument("--instances", type=int, default=2)
    parser.add_argument("--wrong", action="store_true", help="print each wrong decision too")
    parser.add_argument("--gates", nargs="+", choices=list(GATES), default=list(GATES))
    given = parser.parse_args()
    suite = Duet(**({"split": given.split} if given.split else {}))
    names = [name for name in given.tasks.split(",") if name]
    found = measured(suite, names, given.instances, given.gates)
    print("\n".join(lines(found)))
    if given.wrong:
        for (gate, kind), count in found.items():
            for one in count.wrong:
                print(f"{gate}, {kind}: {one}")


if __name__ == "__main__":
    main()
