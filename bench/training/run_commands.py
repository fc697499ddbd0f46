"""What the commands of `omnipilot train` do."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from omnipilot.agents.assembly.registry import describe_unknown
from omnipilot.bench.training.time_budget import TimeBudget
from omnipilot.envs import ConfigError
from omnipilot.envs.types import require

if TYPE_CHECKING:
    from omnipilot.bench.training.pool_tasks.allowed import PoolRecord
    from omnipilot.bench.training.study.order import StudyOrder
    from omnipilot.bench.training.trainer import Schedule, TrainingProgress


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """How long a model is trained, on how much, and where.

    Attributes:
        minutes: of the whole. steps: instead of minutes; 0 for none.
        seed: of the first weights and of the order of the samples.
        instances: of each task, or seeds of screens. workers: processes that train together. device: "cpu" or "cuda".
    """

    minutes: float
    steps: int
    seed: int
    instances: int
    workers: int
    device: str

    @property
    def processes(self) -> int:
        """How many processes train: one where steps are counted, and on a GPU."""
        return 1 if self.steps or self.device != "cpu" else self.workers

    def budget(self) -> TimeBudget | None:
        """The time there is, from now on; None where steps are counted."""
        return None if self.steps else TimeBudget.start(self.minutes)

    def schedule(self, tokens: int, **more: Any) -> Schedule:
        """The course of the training.

        Args:
            tokens: of a step on a GPU; on a CPU there are fewer. more: further fields of `Schedule`.
        """
        from omnipilot.bench.training.trainer import Schedule

        # Between two measurements on what is held out there is a minute, and less in a short training.
        every = min(60.0, 12 * self.minutes)
        tokens = 2000 if self.device == "cpu" else tokens
        return Schedule(minutes=self.minutes, steps=self.steps, seed=self.seed, tokens=tokens, every=every, **more)


@dataclass(frozen=True, slots=True)
class PlannerOptions:
    """Which planner is trained, and on what.

    Attributes:
        shape: "small", or "large" for a GPU. where: conditions on development tasks, each written KEY=VALUE.
        samples: folder of demonstrations that trainings share; None for one of its own. suites: to train on.
        start: folder of the weights to begin with, or "mini"; "" to begin from nothing.
        pool: folder of the pool, where that is trained on. intents: whether its tasks are told with their purpose.
        with_test_effects: keep subtasks like templates of duet's test split, which the model's configuration then says.
        readers: what tells of sounds and of what moves.
    """

    shape: str = "small"
    where: Sequence[str] = ()
    samples: Path | None = None
    suites: tuple[str, ...] = ("duet",)
    start: str = ""
    pool: Path | None = None
    intents: bool = False
    with_test_effects: bool = False
    readers: str = "gold:transcript"


OF_DEMONSTRATIONS = ("shape", "samples", "intents", "with_test_effects")
OF_REINFORCEMENT = ("reward", "price", "group", "groups", "rein", "advantage", "rate", "lead")
"""Options of `train planner` that only one of its two ways knows."""


def check_given(given: Collection[str], rl: bool) -> None:
    """Refuse options that would do nothing.

    Args:
        given: the options on the command line, as parameters. rl: whether `--rl` is among them.

    Raises:
        ConfigError: one does nothing.
    """
    idle = [name for name in (OF_DEMONSTRATIONS if rl else OF_REINFORCEMENT) if name in given]
    if idle:
        option = f"--{idle[0].replace('_', '-')}"
        raise ConfigError(
            f"{option} is of learning from demonstrations; leave it out with --rl"
            if rl
            else f"{option} is of learning from rollouts; add --rl, or leave it out"
        )
    if "shape" in given and "start" in given:
        raise ConfigError("the weights to begin with have a shape; leave out --shape with --from")


def planner_command(out: Path, how: TrainingOptions, which: PlannerOptions) -> None:
    """Train a planner, saying how far it has come; say where the model is, and how to run it."""
    from omnipilot.bench.training.data import POOL, select_tasks

    budget = how.budget()
    tasks = select_tasks(which.where, [name for name in which.suites if name != POOL])
    begin = _start_folder(which.start)
    pool = _pool_of(which)
    _require("torch", "safetensors")
    from omnipilot.bench.training.run import PlannerOrder, train_planner
    from omnipilot.bench.training.trainer import FURTHER_RATE, RATE

    order = PlannerOrder(
        out,
        how.schedule(32_000, rate=FURTHER_RATE if begin is not None else RATE),
        how.instances,
        how.processes,
        how.device,
        which.shape,
        which.samples,
        tasks=tasks,
        suites=tuple(dict.fromkeys(which.suites)),
        start=begin,
        readers=which.readers,
        budget=budget,
        pool=pool,
    )
    done = train_planner(order, _tell)
    _tell_end(done, "unseen steps named exactly")
    data = f" --data {which.pool}" if order.suites[0] == POOL else ""
    typer.echo(
        f"run it with: omnipilot run --suite {order.suites[0]}{data} --planner mini -o planner.folder={order.model}"
    )


def _pool_of(which: PlannerOptions) -> PoolRecord | None:
    """What the suite `pool` is trained on, said; None where it is not trained on.

    Raises:
        ConfigError: its folder is missing, or named for nothing.
    """
    from omnipilot.bench.training.data import POOL

    if POOL not in which.suites:
        if which.pool is not None or which.intents or which.with_test_effects:
            raise ConfigError("--data, --intents and --with-test-effects are of the suite pool; add --suite pool")
        return None
    if which.pool is None:
        raise ConfigError("name the folder of the pool: --data POOL; omnipilot synth makes one")
    from omnipilot.bench.training.pool_tasks import allowed_tasks

    allowed = allowed_tasks(which.pool, which.with_test_effects)
    for line in allowed.describe():
        _tell(line)
    return allowed.record(which.intents)


def pool_command(source: Path | None, out: Path, graphs: int, seed: int = 0) -> None:
    """Make a pool of a pool's subtasks without those that may not be trained on.

    Args:
        source: folder of the pool; None to explore the world, into a folder beside `out`.
    """
    from omnipilot.bench.suites.pool.commands.all import all_stages
    from omnipilot.bench.training.pool_tasks.allowed import check_empty, write_training_pool

    check_empty(out)
    if source is None:
        source = out.with_name(f"{out.name}-explored")
        all_stages(out=source, until="verify", seed=seed)
    for reason, count in write_training_pool(source, out).items():
        typer.echo(f"{count} subtasks left out: {reason}")
    all_stages(out=out, graphs=graphs, since="compose", seed=seed)
    typer.echo(f"train on it with: omnipilot train planner --suite pool --data {out} --from mini --out runs/mini-pool")


def study_command(order: StudyOrder, minutes: float) -> None:
    """Go on with the study, and print what its finished arms have shown so far.

    Args:
        minutes: of this call.
    """
    _require("torch", "safetensors")
    from omnipilot.bench.report.terminal_tables import render_table
    from omnipilot.bench.training.study.parts import run_study
    from omnipilot.bench.training.study.results import study_table

    done = run_study(order, minutes, _tell)
    if any((order.folder / "arms").glob("*.json")):
        typer.echo(f"\n{render_table(study_table(order.folder))}")
        if done and order.test:
            typer.echo(f"\nduet's test split:\n{render_table(study_table(order.folder, 'test'))}")


@dataclass(frozen=True, slots=True)
class ReinforceOptions:
    """How a planner is reinforced; each as the option of the command with its name."""

    start: str
    reward: str
    price: float
    group: int
    groups: int
    rein: float
    advantage: str
    rate: float
    lead: str
    readers: str
    suites: tuple[str, ...]
    pool: Path | None
    where: tuple[str, ...]

    def check(self) -> None:
        """Refuse what is none of the choices.

        Raises:
            ConfigError: it is none.
        """
        choices = {"reward": ("dense", "sparse"), "advantage": ("mean", "std"), "lead": ("demonstration", "policy")}
        for name, known in choices.items():
            if getattr(self, name) not in known:
                raise ConfigError(describe_unknown(f"--{name}", getattr(self, name), known))
        if self.suites not in (("duet",), ("pool",)):
            raise ConfigError("--rl practises in one suite: duet, or pool with --data")
        if (self.pool is None) is (self.suites == ("pool",)):
            raise ConfigError("a pool is practised in with --suite pool --data POOL; omnipilot synth makes one")
        if self.pool is not None and self.where:
            raise ConfigError("--where chooses tasks of duet; leave it out with --suite pool")
        if self.group < 2 or self.groups < 1:
            raise ConfigError("a step has at least --groups 1 of --group 2 rollouts")
        if self.price < 0 or self.rein < 0 or not 0 < self.rate < 1:
            raise ConfigError("--price and --rein are at least 0, and --rate is above 0 and below 1")


def reinforce_command(out: Path, how: TrainingOptions, which: ReinforceOptions) -> None:
    """Reinforce a planner, saying how far it has come; say where the model is, and how to run it."""
    from omnipilot.bench.training.data import select_tasks

    which.check()
    if how.device != "cpu":
        raise ConfigError("rollouts are played on processors; leave out --device with --rl")
    tasks = select_tasks(which.where)
    start = _start_folder(which.start)
    if start is None:
        raise ConfigError("--rl goes on from weights that were trained; name them: --from mini, or a folder")
    _require("torch", "safetensors")
    from omnipilot.bench.training.reinforce.reinforcement import ReinforcementPlan
    from omnipilot.bench.training.reinforce.rollout import Reward
    from omnipilot.bench.training.reinforce.run import ReinforceOrder, reinforce_planner

    reward: Any = which.reward
    scale: Any = which.advantage
    lead: Any = which.lead
    plan = ReinforcementPlan(
        steps=how.steps,
        minutes=0.0 if how.steps else how.minutes,
        seed=how.seed,
        groups=which.groups,
        size=which.group,
        reward=Reward(reward, which.price),
        scale=scale,
        rein=which.rein,
        rate=which.rate,
        lead=lead,
        alone=0.0,
        every=min(480.0, 24 * how.minutes),
    )
    order = ReinforceOrder(
        out, start, plan, how.processes, how.instances, tasks, which.pool, which.readers, False if how.steps else None
    )
    curve = reinforce_planner(order, _tell)
    last = curve[-1]
    for split, share in last.solved.items():
        typer.echo(
            f"{100 * share:.1f} % of {split} solved, {100 * last.reached[split]:.1f} % of their sub-goals reached, "
            f"after {last.step} steps, {last.seconds / 60:.1f} min"
        )
    data = "" if which.pool is None else f" --data {which.pool}"
    typer.echo(
        f"run it with: omnipilot run --suite {which.suites[0]}{data} --planner mini:{order.model} --readers "
        f"{which.readers}; the same command goes on where this one stopped"
    )


def _start_folder(start: str) -> Path | None:
    """The folder of the weights that are named to begin with; None for none.

    Raises:
        ConfigError: there is no model in it.
    """
    from omnipilot.planners.mini.model_folder import MINI, check_model

    if not start:
        return None
    begin = MINI.folder(start)
    try:
        check_model(begin)
    except ConfigError as error:
        raise ConfigError(f"--from {start}: {error}, or {' or '.join(MINI.names())}") from None
    return begin


def ears_command(out: Path, how: TrainingOptions, speech: Path | None, shape: str) -> None:
    """Train small ears, saying how far they have come; say where the model is, and how to measure it."""
    budget = how.budget()
    _require("torch", "safetensors")
    from omnipilot.bench.training.ears.run import EarsOrder, train_ears

    schedule = how.schedule(32_000)
    order = EarsOrder(out, schedule, how.instances, how.processes, how.device, shape, speech, budget=budget)
    done = train_ears(order, _tell)
    _tell_end(done, "unheard utterances right")
    typer.echo(f"measure it with: omnipilot train measure-ears {order.model}")


def measure_ears_command(models: Sequence[str], texts: int, voices: int, whisper: str, out: Path | None) -> None:
    """Print how much of unheard speech models read right, see `ears.measure`; write it to a file if one is named."""
    from omnipilot.bench.report.terminal_tables import render_table
    from omnipilot.bench.training.ears.measure import MeasureOrder, figures_of, kinds_table, measure_ears, voices_table

    order = MeasureOrder(tuple(models or ("mini-ears",)), texts, voices, whisper)
    found = measure_ears(order, _tell)
    typer.echo(f"\n{render_table(kinds_table(found))}\n\n{render_table(voices_table(found))}")
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(figures_of(order, found)) + "\n", encoding="utf-8")


def grounder_command(out: Path, how: TrainingOptions) -> None:
    """Train a grounder, saying how far it has come; say where the model is, and how to measure it."""
    budget = how.budget()
    _require("torch", "safetensors", "transformers")
    from omnipilot.bench.training.grounder.run import GrounderOrder, train_grounder

    order = GrounderOrder(out, how.schedule(16_000), how.instances, how.processes, how.device, budget=budget)
    done = train_grounder(order, _tell)
    _tell_end(done, "unseen targets pointed at")
    typer.echo(f"measure it with: omnipilot ground --grounder local -o grounder.model={order.model}")


def eyes_command(out: Path, how: TrainingOptions) -> None:
    """Train eyes, saying how far it has come; say where the model is, and how to measure it."""
    budget = how.budget()
    _require("torch", "safetensors")
    from omnipilot.bench.training.eyes.run import EVERY, RATE, TOKENS, EyesOrder, train_eyes

    schedule = replace(how.schedule(TOKENS, rate=RATE), tokens=TOKENS, bf16=False, every=EVERY)
    order = EyesOrder(out, schedule, how.instances, how.processes, how.device, budget=budget)
    done = train_eyes(order, _tell)
    _tell_end(done, "unseen elements and lines right")
    typer.echo(f"measure it with: omnipilot train measure-eyes {order.model}")


def measure_eyes_command(model: Path | None, instances: int, look: str, tasks: str, out: Path | None) -> None:
    """Print what eyes see of unseen screens, see `eyes_table`.

    Args:
        look: a theme, or a theme and a density with a slash between. tasks: ids with commas between; "" for all
            that are demonstrated. out: file for all counts; None for none.
    """
    from omnipilot.bench.report.terminal_tables import render_table
    from omnipilot.bench.training.eyes.measure import (
        eyes_table,
        look_of,
        measure_eyes,
        tasks_named,
        unseen_instances,
        write_counts,
    )
    from omnipilot.grounders.mini.eyes.source import MiniEyes
    from omnipilot.planners.mini.network import SHIPPED, MiniNetwork

    if instances < 1:
        raise ConfigError(f"{instances} instances; measure on at least one")
    eyes, shown = MiniEyes(str(model) if model is not None else ""), look_of(look)
    eyes.warm_up()
    numbers, ids = unseen_instances(instances), tasks_named(tasks)
    counts = measure_eyes(eyes, MiniNetwork(SHIPPED), numbers, ids, shown, _tell)
    if out is not None:
        write_counts(out, counts, {**eyes.identity(), "look": look, "tasks": ids, "instances": list(numbers)})
    typer.echo(f"\n{render_table(eyes_table(counts))}")


def _require(*modules: str) -> None:
    for module in modules:
        require(module, "train")


def _tell(line: str) -> None:
    typer.echo(line, err=True)


def _tell_end(done: TrainingProgress, right: str) -> None:
    typer.echo(f"{100 * done.accuracy:.1f} % of {right} after {done.step} steps, {done.seconds / 60:.1f} min")


def examples_command(out: Path, instances: int) -> None:
    """Write samples of the first instances that may be trained on, a conversation a line."""
    from omnipilot.bench.training.data import as_messages, read_samples, write_samples
    from omnipilot.bench.training.demonstrations import training_instances

    numbers = training_instances(instances)
    with tempfile.TemporaryDirectory() as folder:
        write_samples(Path(folder), numbers, lambda instance, count: typer.echo(f"{instance}: {count}", err=True))
        samples = read_samples([Path(folder) / f"{number:05d}.jsonl" for number in numbers])
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("w", encoding="utf-8") as file:
        for sample in samples:
            file.write(json.dumps(as_messages(sample), ensure_ascii=False) + "\n")
    typer.echo(f"{len(samples)} steps in {out}")


def measure_command(folders: Sequence[Path], instances: int, by: str, pool: Path | None = None, tasks: int = 0) -> None:
    """Print how many steps models name exactly, see `steps_table`.

    Args:
        pool: a pool of whose held-out tasks steps are measured, instead of those of duet. tasks: how many of them.
    """
    from omnipilot.bench.report.terminal_tables import render_table
    from omnipilot.bench.training.measure import named_steps, steps_table, unseen_pool_samples, unseen_samples
    from omnipilot.planners.mini.network import SHIPPED, MiniNetwork

    if instances < 1:
        raise ConfigError(f"{instances} instances; measure on at least one")
    networks = {str(folder): MiniNetwork(folder) for folder in folders} or {"mini": MiniNetwork(SHIPPED)}
    infos = None
    if pool is None:
        steps_table({}, by)
        samples = unseen_samples(instances)
    else:
        samples, infos = unseen_pool_samples(pool, tasks)
    models = {}
    for name, network in networks.items():
        _tell(f"{name}: {len(samples)} steps")
        models[name] = named_steps(network, samples)
    typer.echo(f"\n{render_table(steps_table(models, by, infos))}")
