"""The settings of a run. Each is declared here once.

Flags of `run`, `sweep`, `grid` and `ablate`, TOML files, presets and the axes of sweeps are all made from this record,
and a `RunSpec` is made of it. `omnipilot run --help` is built from it too, so it imports nothing heavy; the values of
files are checked against its types in `omnipilot.bench.run.read_settings`.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, field, fields
from typing import Any, TypeAlias

from omnipilot.agents import PartSpec
from omnipilot.bench.run.cluster.address import SLURM, is_ray
from omnipilot.bench.shards.shard import Shard
from omnipilot.envs import ConfigError
from omnipilot.memory.models.broker.limits import LimitTable, parse_limits

Part: TypeAlias = str | dict[str, Any] | PartSpec
"""A part of an agent: as it is written, by its name or as a table with its name and its options; or its record, which
`omnipilot.bench.run.config` makes of that where settings come in."""
Names: TypeAlias = str | list[str]
"""Several names: a list, or one text with commas."""
MOST_JOBS, MOST_COUNT = 1_024, 1_000_000
"""Most worker processes, and most instances or trials of a task: more are a slip of the hand."""
MAX_VOIDS = 5
"""Void episodes in a row for one cause after which a run is given up, unless `max_voids` says otherwise."""
SILENCE = 1_800.0
"""Seconds without an event after which an episode is given up, unless `silence` says otherwise: six times what a model
call may take with all its attempts, and three times the longest wait of an agent."""
COMMANDS = ("run", "sweep", "ablate", "grid")
MESSAGES, NO_MESSAGES = "all", "none"
"""Whether a run keeps what its models are sent and what they answer."""
ALL_MEDIA = "all"
MEDIA_KEPT = (ALL_MEDIA, "changes", "failures", "none")
"""Which captures a run keeps: all; all but what tells nothing new; those of episodes that were not solved; none."""
CROSSED = ("planner", "grounder")
"""The settings that `grid` crosses: its rows and its columns."""
FIRST, TASKS, AGENT, GIVEN, LIMITS, RUN = (
    "Needed first",
    "Which tasks",
    "The agent",
    "What the agent is given",
    "Limits and cost",
    "The run",
)
SECTIONS = (FIRST, TASKS, AGENT, GIVEN, LIMITS, RUN)
"""The sections of the help, in order; the first holds what a newcomer needs, in short."""


@dataclass(frozen=True, slots=True)
class Setting:
    """How a setting is offered.

    Attributes:
        help: of its flag. metavar: stands for its value in the help.
        axis: whether a sweep may vary it.
        switch: the value that its flag stands for, which then takes none; None for a flag that takes a value.
        repeatable: whether its flag may be given several times, each adding to the list.
        commands: those that have its flag.
        section: of the help, in which its flag stands; one of `SECTIONS`.
    """

    help: str
    metavar: str = ""
    axis: bool = False
    switch: Any = None
    repeatable: bool = False
    commands: tuple[str, ...] = COMMANDS
    section: str = RUN


def setting(help_text: str, **how: Any) -> Any:
    """A field of `RunSettings` that is None until it is given; `how` are the attributes of its `Setting`."""
    return field(default=None, metadata={"setting": Setting(help_text, **how)})


@dataclass(frozen=True, slots=True)
class LimitSettings:
    """Limits of an episode, the table `limits` of a file: None for one that is not given, 0 for no limit.

    Raises:
        ConfigError: one is below 0, or not finite.
    """

    turns: int | None = setting(
        "Maximum decisions per episode; 0 for no limit. Default: the task's own limit, or 30.", section=LIMITS
    )
    actions: int | None = setting(
        "Maximum actions per episode; 0 for no limit. Default: the task's own limit, or 60.", section=LIMITS
    )
    tokens: int | None = setting("Maximum model tokens per episode.", section=LIMITS)
    seconds: float | None = setting("Maximum wall-clock seconds per episode.", metavar="SECONDS", section=LIMITS)
    cost: float | None = setting("Maximum model cost per episode, in USD.", metavar="USD", section=LIMITS)
    working: float | None = setting(
        "Maximum seconds per episode that models and devices work; pauses before retries do not count.",
        metavar="SECONDS",
        section=LIMITS,
    )
    idle: int | None = setting(
        "Maximum steps in a row without a new sub-goal; the next one ends the episode, unjudged. Default: no limit.",
        metavar="STEPS",
        section=LIMITS,
    )

    def __post_init__(self) -> None:
        for spec in fields(self):
            value = getattr(self, spec.name)
            if value is not None and not 0 <= value < math.inf:
                raise ConfigError(f"limit {spec.name} must be 0 (no limit) or more, not {value}")


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """The settings of a run, as they were given: None for each that was not.

    Raises:
        ConfigError: a value that no run can have.
    """

    suite: Part | None = setting("Benchmark suite; see `omnipilot list suites`.", section=FIRST)
    data: str | None = setting(
        "Folder of the suite's data, or hf://OWNER/NAME; short for -o suite.data=DIR.", metavar="DIR", section=TASKS
    )
    reviews: str | None = setting(
        "File of what people found about the suite's tasks: those taken out are not run; short for "
        "-o suite.reviews=FILE.",
        metavar="FILE",
        section=TASKS,
    )
    world: Part | None = setting(
        "World file: the devices to work on (their kinds: `omnipilot list envs`), on its own [[tasks]] or on --task.",
        metavar="FILE",
        section=TASKS,
    )
    url: str | None = setting(
        "With --suite page: the web page on which each episode of --task begins.",
        metavar="URL",
        section=FIRST,
    )
    task: str | None = setting(
        "An instruction of your own, on the page of --url or in the world of --world; without --check, nobody judges "
        "whether it was carried out.",
        metavar="TEXT",
        section=FIRST,
    )
    check: Names | None = setting(
        "What must hold when --task ends, such as 'url contains /thanks': of url, text, element, storage, js, file or "
        "shell. Repeatable: all must hold.",
        metavar="CHECK",
        repeatable=True,
        section=FIRST,
    )
    preset: str | None = setting(
        "Start from a published baseline; see `omnipilot list presets`. All other settings override it.", section=AGENT
    )
    agent: Part | None = setting(
        "Agent system; see `omnipilot list agents`. Default: single.", axis=True, section=AGENT
    )
    planner: Part | None = setting(
        "What decides: a NAME of `omnipilot list planners`, one of your own as MODULE:CLASS, or an LLM as "
        "PROVIDER/MODEL. Default: the first of that list.",
        axis=True,
        section=FIRST,
    )
    planner_url: str | None = setting(
        "Base URL of the server of the planner's model, e.g. http://HOST:8000/v1. Several with commas are "
        "replicas; an episode asks one of them.",
        metavar="URL[,URL]",
        section=AGENT,
    )
    tool_agent: Part | None = setting(
        "Model of the tool agent in team systems. Default: the planner's model.", axis=True, section=AGENT
    )
    grounder: Part | None = setting(
        "Grounder, NAME or NAME:VALUE; see `omnipilot list grounders`. Default: elements.", axis=True, section=AGENT
    )
    memory: Part | None = setting("Memory; see `omnipilot list memories`. Default: window.", axis=True, section=AGENT)
    critic: Part | None = setting(
        "Check actions before they are executed: rules, PROVIDER/MODEL, or none. Default: none.",
        axis=True,
        section=AGENT,
    )
    progress: Part | None = setting(
        "Track the remaining sub-goals: clauses, PROVIDER/MODEL, or none. Default: none.", axis=True, section=AGENT
    )
    loops: Part | None = setting(
        "Notice repeated actions on an unchanged screen.", axis=True, switch="repeats", section=AGENT
    )
    stop: Part | None = setting(
        "End an episode that is not worth another turn: patience:TURNS, confidence (the planner states it), "
        "PROVIDER/MODEL (a model is asked), learned:FILE, watch (records only), gold, or none. Default: none.",
        axis=True,
        section=AGENT,
    )
    skills: Part | None = setting(
        "Let the agent zoom in, read text or recall when it is unsure.", axis=True, switch="routing", section=AGENT
    )
    readers: Part | None = setting(
        "Tell the planner in words what is heard and written: perception, whisper:FOLDER, PROVIDER/MODEL of a "
        "transcriber, gold (from the truth), or none. Default: none.",
        axis=True,
        section=AGENT,
    )
    perception: Part | None = setting(
        "Read the elements of a screen from its screenshot, in place of its tree: detact, or none. Default: none.",
        axis=True,
        section=AGENT,
    )
    checks: Part | None = setting(
        "Check that each move did what it should, and tell the planner if not: notice, repair (do it once more "
        "first), or none. Default: none.",
        axis=True,
        section=AGENT,
    )
    gate: Part | None = setting(
        "Withhold sound and video that does not matter from the planner: off, energy, events, or PROVIDER/MODEL. "
        "Default: off.",
        axis=True,
        section=AGENT,
    )
    verbs: Part | None = setting(
        "Which verbs the planner is offered: translate (every verb on every device), without:NAMES (takes some away, "
        "such as tabs), several joined by +, or none for the devices' own. Default: none.",
        axis=True,
        section=AGENT,
    )
    policy: str | None = setting(
        "What the agent may do, asked before each move: a file of TOML, ask, own-device, read-only, or none. Default: "
        "ask on real devices, none elsewhere.",
        metavar="FILE",
        section=AGENT,
    )
    approver: Part | None = setting(
        "Who is asked where a policy says ask: terminal, page, command:LINE, or none, which refuses. Default: terminal "
        "where there is one and --jobs is 0, otherwise none.",
        section=AGENT,
    )
    secrets: str | None = setting(
        "Secrets that the agent types by name, as {secret:NAME}: a file of TOML, or env:PREFIX_ for environment "
        "variables.",
        metavar="FILE",
        section=AGENT,
    )
    honest: str | None = setting(
        "Refuse every part that knows the truth (parts), or also the tree of elements and all else that is no pixel "
        "and no sound (pixels); tables then say so.",
        metavar="HOW",
        section=GIVEN,
    )
    modalities: Names | None = setting(
        "Modalities granted to the agent: a comma-separated list of screenshot, elements, video, audio and context; "
        "all; or none. Default: all.",
        axis=True,
        section=GIVEN,
    )
    planner_modalities: Names | None = setting(
        "Subset of --modalities visible to the planner. Default: all of them.", axis=True, section=GIVEN
    )
    grounder_modalities: Names | None = setting(
        "Subset of --modalities visible to the grounder. Default: all of them.", axis=True, section=GIVEN
    )
    critic_modalities: Names | None = setting(
        "Subset of --modalities visible to the critic. Default: all of them.", axis=True, section=GIVEN
    )
    stand_in: str | None = setting(
        "Replace audio and video by silence, by noise, or by another task's (other), of equal length.",
        axis=True,
        commands=("run", "sweep", "grid"),
        section=GIVEN,
    )
    instruction: str | None = setting(
        "Give the instruction as text, as speech, or as both; speech:DB mixes it over the sound, DB decibels louder. "
        "Default: text.",
        axis=True,
        commands=("run", "sweep", "grid"),
        section=GIVEN,
    )
    speech: Part | None = setting(
        "What speaks a spoken instruction: recordings, command:LINE with {file} and {text}, or endpoint:URL. "
        "Default: recordings.",
        section=GIVEN,
    )
    user: Part | None = setting(
        "Who answers what the agent asks its user, in tasks that say what their user knows: rules, PROVIDER/MODEL, "
        "terminal (you, in any task), or none. Default: rules.",
        axis=True,
        section=GIVEN,
    )
    thinking: str | None = setting(
        "What simulated worlds do while models think: frozen, fixed:SECONDS or measured. Default: frozen.",
        axis=True,
        section=GIVEN,
    )
    go_on: bool | None = setting(
        "Let an episode go on after its task is solved, until the agent ends it or a limit is reached, as on a real "
        "device.",
        axis=True,
        section=GIVEN,
    )
    intent: bool | None = setting("Tell the agent why the user wants the task done.", axis=True, section=GIVEN)
    experience: Names | None = setting(
        "Comma-separated run directories: give the agent what was done in them for similar tasks.",
        metavar="RUN[,RUN]",
        section=GIVEN,
    )
    demonstrations: bool | None = setting(
        "With --experience: also take runs of parts that know the solution, such as oracle.", switch=True, section=GIVEN
    )
    experience_embeddings: str | None = setting(
        "With --experience: find similar tasks by their meaning, too, with this model in this process.",
        metavar="sentence-transformers/FOLDER",
        section=GIVEN,
    )
    examples: int | None = setting(
        "Give the planner so many solved tasks of the suite's training split, those nearest to its task; 0 for none. "
        "Default: 0.",
        axis=True,
        section=GIVEN,
    )
    examples_ranking: str | None = setting(
        "With --examples: what makes them near: letters (no model), an embedding model of a server as PROVIDER/MODEL, "
        "or sentence-transformers/FOLDER in this process. Default: letters.",
        metavar="RANKING",
        axis=True,
        section=GIVEN,
    )
    same_screen: bool | None = setting(
        "With --examples: also those of the task's own screen.", switch=True, axis=True, section=GIVEN
    )
    vary: str | None = setting(
        "Give the suite's tasks another appearance or other words: names that `omnipilot list suites` shows for it, "
        "several joined by + (dark+reworded), or none. Default: none.",
        metavar="NAMES",
        axis=True,
        section=TASKS,
    )
    tasks: Names | None = setting(
        "Comma-separated task ids. Default: all tasks of the suite, or of its default split.", section=FIRST
    )
    where: Names | None = setting(
        "Only tasks with this tag, e.g. level=AV-critical. Repeatable.",
        metavar="KEY=VALUE",
        repeatable=True,
        section=TASKS,
    )
    sample: int | None = setting(
        "Only so many of these tasks, drawn by a hash of their ids; a smaller sample is part of a larger one.",
        metavar="N",
        section=TASKS,
    )
    sample_from: str | None = setting(
        "With --sample: draw tasks the more often, the more tasks like them failed in this run. Tasks are alike "
        "that have the same value of the tag that best tells the run's failures, or of other tags: RUN:TAG+TAG.",
        metavar="RUN[:TAG+TAG]",
        section=TASKS,
    )
    sample_seed: int | None = setting(
        "With --sample-from: another number draws other tasks. Default: 0.", metavar="N", section=TASKS
    )
    instances: int | None = setting("Instances of each task: content seeds 0, 1, … Default: 1.", section=TASKS)
    trials: int | None = setting("Repetitions of each instance. Default: 1.", section=TASKS)
    limits: LimitSettings | None = None
    waive_cost: bool | None = setting("Count model calls of unknown price as free.", switch=True, section=LIMITS)
    retries: int | None = setting(
        "Consecutive invalid actions tolerated; 0 ends the episode at the first. Default: 3.", section=LIMITS
    )
    cassette: str | None = setting(
        "Record LLM calls in this folder; calls that are already in it are not made again.", metavar="DIR"
    )
    replay: bool | None = setting("With --cassette: fail on a call that is not recorded.", switch=True)
    messages: str | None = setting(
        "Keep what models are sent and what they answer, for `omnipilot show` and the report: all or none. "
        "Default: all.",
        metavar="WHICH",
    )
    media: str | None = setting(
        "Keep pictures, sounds and films: all; changes (no silence); failures (of episodes that were not solved); or "
        "none. Their hashes are kept in any case, and `omnipilot rerender` brings those of simulated worlds back. "
        "Default: all.",
        metavar="WHICH",
    )
    budget: float | None = setting(
        "Maximum model cost of the whole run, or of all runs of a sweep, in USD; what earlier starts have cost counts. "
        "A run that stops there goes on with a larger one.",
        metavar="USD",
        section=LIMITS,
    )
    max_voids: int | None = setting(
        "Stop after so many void episodes in a row for one cause, such as a model that does not answer; 0 never stops. "
        f"Default: {MAX_VOIDS}.",
        section=LIMITS,
    )
    jobs: int | None = setting(
        "Worker processes; 0 runs episodes in this process, for debugging. Default: 1.", section=FIRST
    )
    silence: float | None = setting(
        "Give an episode up, void, after so many seconds in which nothing came of it, and replace its worker; 0 waits "
        f"for any time. Needs worker processes. Default: {SILENCE:g}.",
        metavar="SECONDS",
        section=LIMITS,
    )
    cluster: str | None = setting(
        "Where workers play: auto, HOST:PORT or ray://HOST:PORT is a Ray cluster; with `run`, slurm plays nothing "
        "here, but writes the scripts with which a Slurm cluster plays the run in shards. Default: this machine.",
        metavar="slurm|auto|HOST:PORT",
    )
    shard: str | None = setting(
        "Play only this part of the episodes, such as 3/8, the third of eight; each shard has an --out of its own, and "
        "`omnipilot merge` makes one run of them.",
        metavar="N/OF",
        commands=("run", "sweep", "grid"),
    )
    endpoint_limit: Names | None = setting(
        "Limit what all workers together ask of a model server: requests (rpm) and tokens (tpm) a minute, and requests "
        "in flight, several joined by +; of a URL, of a provider such as openai, or of every server. Repeatable.",
        metavar="[URL=]rpm:N+tpm:N+in-flight:N",
        repeatable=True,
    )
    out: str | None = setting(
        "Output directory; what is finished in it is not run again. Default: a folder in runs/.",
        metavar="DIR",
        section=FIRST,
    )
    calibrate: bool | None = setting(
        "First check that the grounder points where it should.", switch=True, commands=("run",)
    )

    def __post_init__(self) -> None:
        if self.jobs is not None:
            check_jobs(self.jobs)
        if self.messages not in (None, MESSAGES, NO_MESSAGES):
            raise ConfigError(f"messages must be {MESSAGES} or {NO_MESSAGES}, not {self.messages!r}")
        if self.media is not None:
            check_media_kept(self.media)
        if self.max_voids is not None and self.max_voids < 0:
            raise ConfigError(f"max_voids must be 0 (never stop) or more, not {self.max_voids}")
        if self.sample is not None and self.sample < 1:
            raise ConfigError(f"sample must be a number of tasks, at least 1, not {self.sample}")
        if self.sample_from is not None and self.sample is None:
            raise ConfigError("sample_from needs sample, the number of tasks to draw")
        if self.sample_seed is not None and self.sample_from is None:
            raise ConfigError("sample_seed needs sample_from; without a run, a sample is always the same")
        if self.budget is not None and not self.budget > 0:
            raise ConfigError(f"budget must be more than 0 dollars, not {self.budget:g}; leave it out for none")

        if self.silence is not None and not 0 <= self.silence < math.inf:
            raise ConfigError(f"silence must be 0 (wait for any time) or more seconds, not {self.silence:g}")
        if self.cluster is not None and self.cluster != SLURM and not is_ray(self.cluster):
            raise ConfigError(
                f"--cluster {self.cluster}: scripts are written for {SLURM}, and auto, HOST:PORT or ray://HOST:PORT is "
                "a Ray cluster; elsewhere, start each shard with --shard, and merge them"
            )
        if self.shard is not None:
            Shard.parse(self.shard)
        _ = self.endpoint_limits

    @property
    def endpoint_limits(self) -> LimitTable:
        """The limits of endpoints."""
        return parse_limits(split_names(self.endpoint_limit or []))

    @property
    def part(self) -> Shard | None:
        """Which of its episodes are played; None for all."""
        return None if self.shard is None else Shard.parse(self.shard)

    @property
    def longest_silence(self) -> float:
        """Seconds without an event after which an episode is given up, `SILENCE` unless given; 0 for any number."""
        return SILENCE if self.silence is None else self.silence

    @property
    def workers(self) -> int:
        """Number of worker processes, 1 unless given."""
        return 1 if self.jobs is None else self.jobs

    @property
    def most_voids(self) -> int:
        """Void episodes in a row that end a run, `MAX_VOIDS` unless given; 0 for any number."""
        return MAX_VOIDS if self.max_voids is None else self.max_voids

    @property
    def given(self) -> dict[str, Any]:
        """The settings that were given, by name."""
        return given_fields(self)


def split_names(value: Names) -> tuple[str, ...]:
    """Names from a list, or from one text with commas."""
    items = value.split(",") if isinstance(value, str) else value
    return tuple(name.strip() for name in items if name.strip())


def check_media_kept(media: str) -> None:
    """Refuse a word that does not say which captures are kept.

    Raises:
        ConfigError: it does not; the message says which do.
    """
    if media not in MEDIA_KEPT:
        raise ConfigError(f"media must be {', '.join(MEDIA_KEPT[:-1])} or {MEDIA_KEPT[-1]}, not {media!r}")


def given_fields(settings: RunSettings | LimitSettings) -> dict[str, Any]:
    """The fields that are not None, by name."""
    values = {spec.name: getattr(settings, spec.name) for spec in fields(settings)}
    return {name: value for name, value in values.items() if value is not None}


def declared_settings(record: type[RunSettings] | type[LimitSettings]) -> dict[str, Setting]:
    """How each setting of a record is offered, by name, in order; tables such as `limits` left out."""
    return {spec.name: spec.metadata["setting"] for spec in fields(record) if "setting" in spec.metadata}


def axes() -> tuple[str, ...]:
    """The names of the settings that a sweep may vary, in order."""
    return tuple(name for name, how in declared_settings(RunSettings).items() if how.axis)


def varied_by(command: str) -> tuple[str, ...]:
    """The settings of which a command takes several values; none for a command that makes one run."""
    return {"sweep": axes(), "grid": CROSSED}.get(command, ())


def check_jobs(jobs: int) -> None:
    """Refuse a number of worker processes that cannot be.

    Raises:
        ConfigError: it is below 0, or beyond reason, or there are none on this system.
    """
    if jobs and sys.platform == "win32":
        raise ConfigError("worker processes need Linux or macOS; on Windows, play in this process: --jobs 0")
    if jobs > MOST_JOBS:
        raise ConfigError(f"jobs is the number of worker processes, at most {MOST_JOBS}, not {jobs}")
    if jobs < 0:
        raise ConfigError(f"jobs must be 0 (run in this process) or more, not {jobs}")
