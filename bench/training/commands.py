"""`omnipilot train`: training of small models, and data for it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from omnipilot.envs.types import documentation_page

train = typer.Typer(help="Train small models on the embedded world.", no_args_is_help=True)

Where = Annotated[
    Optional[list[str]],  # noqa: UP045 (typer reads annotations at run time)
    typer.Option(metavar="KEY=VALUE", help="Only tasks with this tag, e.g. level=AV-critical. Repeatable."),
]
Instances = Annotated[int, typer.Option(help="Instances of each development task, from number 100 on.")]

Minutes = Annotated[
    float, typer.Option(help="Minutes of the whole: samples (two fifths at most), training, measuring.")
]
Steps = Annotated[int, typer.Option(help="Steps instead of minutes: the same seed gives the same weights.")]
Seed = Annotated[int, typer.Option(help="Seed of the first weights and of the order of the samples.")]
Workers = Annotated[int, typer.Option(help="Processes that train together, a thread each.")]
Device = Annotated[str, typer.Option(help="Where to train: cpu, cuda.")]


Reward = Annotated[
    str, typer.Option(help="With --rl: dense, the sub-goals that are reached, or sparse, success alone.")
]
Price = Annotated[float, typer.Option(help="With --rl: what each move costs, beside 1 for a solved task.")]
Group = Annotated[int, typer.Option(help="With --rl: rollouts of a group, from one moment of a task.")]
Groups = Annotated[int, typer.Option(help="With --rl: groups of a step, in each process.")]
Rein = Annotated[
    float, typer.Option(help="With --rl: weight of the divergence from the weights of the start; 0 for none.")
]
Advantage = Annotated[
    str, typer.Option(help="With --rl: what a group's mean leaves (mean), or that over its standard deviation (std).")
]
Rate = Annotated[float, typer.Option(help="With --rl: learning rate.")]
Lead = Annotated[str, typer.Option(help="With --rl: who plays to where a group begins: demonstration, or policy.")]


@train.callback()
def _train() -> None: ...


@train.command("planner")
def train_planner(
    context: typer.Context,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder for samples, checkpoint, log and model; resumed if it is there.")
    ] = Path("runs/mini"),
    minutes: Minutes = 30.0,
    steps: Steps = 0,
    seed: Seed = 0,
    instances: Instances = 300,
    workers: Workers = 2,
    shape: Annotated[str, typer.Option(help="Size of the model: small, or large for a GPU.")] = "small",
    device: Device = "cpu",
    where: Where = None,
    samples: Annotated[
        Optional[Path],  # noqa: UP045 (typer reads annotations at run time)
        typer.Option(metavar="DIR", help="Folder of demonstrations that trainings share. Default: samples in --out."),
    ] = None,
    suite: Annotated[
        Optional[list[str]],  # noqa: UP045 (typer reads annotations at run time)
        typer.Option(
            metavar="NAME", help="What to train on: duet (default), duet-memory, pool. Repeatable: equal shares."
        ),
    ] = None,
    start: Annotated[
        Optional[str],  # noqa: UP045 (typer reads annotations at run time)
        typer.Option(
            "--from", metavar="DIR", help="Weights to begin with: a folder, mini, mini-pool. Default: from nothing."
        ),
    ] = None,
    data: Annotated[
        Optional[Path],  # noqa: UP045 (typer reads annotations at run time)
        typer.Option(metavar="POOL", help="Folder of the pool, for --suite pool."),
    ] = None,
    intents: Annotated[bool, typer.Option("--intents", help="Tell tasks of the pool with their purpose.")] = False,
    with_test_effects: Annotated[
        bool,
        typer.Option(
            "--with-test-effects", help="Keep subtasks that do what duet's test does; the model's record says so."
        ),
    ] = False,
    rl: Annotated[
        bool,
        typer.Option(
            "--rl",
            help=f"Learn from rollouts instead of demonstrations; with --from. See {documentation_page('train')}.",
        ),
    ] = False,
    reward: Reward = "dense",
    price: Price = 0.0,
    group: Group = 8,
    groups: Groups = 16,
    rein: Rein = 0.02,
    advantage: Advantage = "mean",
    rate: Rate = 1e-4,
    lead: Lead = "demonstration",
    readers: Annotated[
        str, typer.Option(help="What tells of sounds, and of what moves, as in a run.")
    ] = "gold:transcript",
) -> None:
    """Train the planner `mini` on demonstrations of development tasks, from nothing or from earlier weights."""
    from omnipilot.bench.training.run_commands import check_given

    check_given({name for name in context.params if _is_given(context, name)}, rl)
    if rl:
        from omnipilot.bench.training.run_commands import ReinforceOptions, TrainingOptions, reinforce_command

        how = TrainingOptions(minutes, steps, seed, instances, workers, device)
        told = ReinforceOptions(
            start or "",
            reward,
            price,
            group,
            groups,
            rein,
            advantage,
            rate,
            lead,
            readers,
            tuple(suite or ["duet"]),
            data,
            tuple(where or ()),
        )
        reinforce_command(out, how, told)
        return
    from omnipilot.bench.training.run_commands import PlannerOptions, TrainingOptions, planner_command

    which = PlannerOptions(
        shape, where or (), samples, tuple(suite or ["duet"]), start or "", data, intents, with_test_effects, readers
    )
    planner_command(out, TrainingOptions(minutes, steps, seed, instances, workers, device), which)


def _is_given(context: typer.Context, name: str) -> bool:
    return getattr(context.get_parameter_source(name), "name", "") == "COMMANDLINE"


@train.command("pool")
def write_training_pool(
    out: Annotated[Path, typer.Option(metavar="DIR", help="New folder, for graphs of what may be trained on.")],
    source: Annotated[
        Optional[Path],  # noqa: UP045 (typer reads annotations at run time)
        typer.Argument(metavar="[POOL]", help="Folder of a pool with subtasks. Default: the world is explored anew."),
    ] = None,
    graphs: Annotated[int, typer.Option(min=1, help="Task graphs that are composed.")] = 1000,
    seed: Annotated[int, typer.Option(help="Of all choices.")] = 0,
) -> None:
    """Make a pool of tasks without subtasks that do what a template of duet's test split does."""
    from omnipilot.bench.training.run_commands import pool_command

    pool_command(source, out, graphs, seed)


@train.command("study")
def study(
    data: Annotated[Path, typer.Option(metavar="POOL", help="Folder of the pool, composed with --pairs.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder of the study; gone on with if it is there.")] = Path(
        "runs/train-study"
    ),
    arm: Annotated[
        Optional[list[str]],  # noqa: UP045 (typer reads annotations at run time)
        typer.Option(help="Arms: hand, chain, graph, both-intents. Repeatable. Default: all."),
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="Trainings of each arm, from seed 0 on.")] = 3,
    demonstrations: Annotated[int, typer.Option(min=1, help="Demonstrations that each arm is trained on.")] = 1000,
    steps: Annotated[int, typer.Option(min=1, help="Steps of each training.")] = 6000,
    instances: Annotated[int, typer.Option(help="Instances of each held-out task that are played.")] = 3,
    minutes: Annotated[float, typer.Option(help="Minutes of this call; the next one goes on.")] = 40.0,
    play_test_split: Annotated[
        bool, typer.Option("--play-test-split", help="Also play duet's test split: once, at the very end.")
    ] = False,
    workers: Annotated[int, typer.Option(min=1, help="Processes that demonstrate, train and play.")] = 2,
    device: Device = "cpu",
) -> None:
    """Train one model on hand-written tasks, chains, graphs, both with intents; play held-out hand-written tasks."""
    from omnipilot.bench.training.run_commands import study_command
    from omnipilot.bench.training.study.arms import ARMS
    from omnipilot.bench.training.study.order import StudyOrder

    order = StudyOrder(
        data,
        out,
        tuple(arm or ARMS),
        tuple(range(seeds)),
        demonstrations,
        steps,
        instances,
        play_test_split,
        workers=workers,
        device=device,
    )
    study_command(order, minutes)


@train.command("grounder")
def train_grounder(
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder for screens, checkpoint, log and model; resumed if it is there.")
    ] = Path("runs/mini-grounder"),
    minutes: Minutes = 30.0,
    steps: Steps = 0,
    seed: Seed = 0,
    instances: Annotated[int, typer.Option(help="Seeds of screens of the suite pointing, from number 100 on.")] = 40,
    workers: Workers = 2,
    device: Device = "cpu",
) -> None:
    """Train a small grounder from nothing, on screens of the suite pointing."""
    from omnipilot.bench.training.run_commands import TrainingOptions, grounder_command

    grounder_command(out, TrainingOptions(minutes, steps, seed, instances, workers, device))


@train.command("ears")
def train_ears(
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder for speech, checkpoint, log and model; resumed if it is there.")
    ] = Path("runs/mini-ears"),
    minutes: Minutes = 30.0,
    steps: Steps = 0,
    seed: Seed = 0,
    instances: Annotated[int, typer.Option(help="Voices, each at one rate and pitch, from number 100 on.")] = 300,
    workers: Workers = 1,
    shape: Annotated[str, typer.Option(help="Size of the model: small, or tiny for tests.")] = "small",
    device: Device = "cpu",
    speech: Annotated[
        Optional[Path],  # noqa: UP045 (typer reads annotations at run time)
        typer.Option(metavar="DIR", help="Folder of speech that trainings share. Default: speech in --out."),
    ] = None,
) -> None:
    """Train small ears from nothing, on speech that the program espeak-ng makes."""
    from omnipilot.bench.training.run_commands import TrainingOptions, ears_command

    ears_command(out, TrainingOptions(minutes, steps, seed, instances, workers, device), speech, shape)


@train.command("measure-ears")
def measure_ears(
    models: Annotated[
        Optional[list[str]],  # noqa: UP045 (typer reads annotations at run time)
        typer.Argument(metavar="MODEL", help="Folders of models, from `train ears`. Default: the shipped one."),
    ] = None,
    texts: Annotated[int, typer.Option(help="Texts of each kind that are spoken at each noise.")] = 60,
    voices: Annotated[
        int, typer.Option(help="Voices, none of them trained on; the two of the world are among them.")
    ] = 24,
    whisper: Annotated[
        str, typer.Option(metavar="FOLDER", help="Measure Whisper too, in CTranslate2's form (extra speech).")
    ] = "",
    out: Annotated[
        Optional[Path],  # noqa: UP045 (typer reads annotations at run time)
        typer.Option(metavar="FILE", help="Write the figures as JSON."),
    ] = None,
) -> None:
    """Count how much of speech by unheard voices, of unheard texts, models read right, by voice and noise."""
    from omnipilot.bench.training.run_commands import measure_ears_command

    measure_ears_command(models or [], texts, voices, whisper, out)


@train.command("examples")
def write_examples(
    out: Annotated[Path, typer.Argument(metavar="FILE", help="File to write: a conversation a line, as JSON.")],
    instances: Instances = 10,
) -> None:
    """Write demonstrations of duet's development tasks as conversations, for any trainer of chat models."""
    from omnipilot.bench.training.run_commands import examples_command

    examples_command(out, instances)


@train.command("measure")
def measure(
    models: Annotated[
        Optional[list[Path]],  # noqa: UP045 (typer reads annotations at run time)
        typer.Argument(metavar="MODEL", help="Folders of models, from `train planner`. Default: the shipped one."),
    ] = None,
    instances: Annotated[int, typer.Option(help="Unseen instances of each development task.")] = 3,
    by: Annotated[str, typer.Option(metavar="TAG", help="Group tasks by this tag, such as branch or level.")] = "",
    data: Annotated[
        Optional[Path],  # noqa: UP045 (typer reads annotations at run time)
        typer.Option(metavar="POOL", help="Measure on tasks of this pool that nothing is trained on, instead of duet."),
    ] = None,
    tasks: Annotated[int, typer.Option(min=1, help="How many tasks of the pool.")] = 50,
) -> None:
    """Count the steps of unseen demonstrations that models of the planner `mini` name exactly."""
    from omnipilot.bench.training.run_commands import measure_command

    measure_command(models or [], instances, by, data, tasks)


@train.command("eyes")
def train_eyes(
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder for screens, checkpoint, log and model; resumed if it is there.")
    ] = Path("runs/mini-eyes"),
    minutes: Minutes = 30.0,
    steps: Steps = 0,
    seed: Seed = 0,
    instances: Annotated[int, typer.Option(help="Instances whose screens are looked at, from number 100 on.")] = 24,
    workers: Workers = 2,
    device: Device = "cpu",
) -> None:
    """Train small eyes from nothing, on screens along demonstrations of duet's development tasks."""
    from omnipilot.bench.training.run_commands import TrainingOptions, eyes_command

    eyes_command(out, TrainingOptions(minutes, steps, seed, instances, workers, device))


@train.command("measure-eyes")
def measure_eyes(
    model: Annotated[
        Optional[Path],  # noqa: UP045 (typer reads annotations at run time)
        typer.Argument(metavar="MODEL", help="Folder of eyes, from `train eyes`. Default: the shipped ones."),
    ] = None,
    instances: Annotated[int, typer.Option(help="Unseen instances of each development task.")] = 1,
    look: Annotated[str, typer.Option(help="Theme and density of the screens, such as dark or light/large.")] = "light",
    tasks: Annotated[
        str, typer.Option(metavar="LIST", help="Comma-separated ids of development tasks. Default: all.")
    ] = "",
    out: Annotated[
        Optional[Path],  # noqa: UP045 (typer reads annotations at run time)
        typer.Option(metavar="FILE", help="Write all that was counted there, as JSON."),
    ] = None,
) -> None:
    """Count what eyes see along unseen demonstrations, and how often `mini` replies as by the tree."""
    from omnipilot.bench.training.run_commands import measure_eyes_command

    measure_eyes_command(model, instances, look, tasks, out)
