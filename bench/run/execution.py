"""How runs are played: in how many workers and where, what is kept, what may be spent. None of it changes a result."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from omnipilot.bench.run.cluster.address import is_ray
from omnipilot.bench.run.progress import Standing
from omnipilot.bench.run.spending import Spending
from omnipilot.bench.run.void_streak import VoidStreak
from omnipilot.bench.settings import ALL_MEDIA, MESSAGES, SILENCE, RunSettings, check_jobs, check_media_kept
from omnipilot.envs import ConfigError
from omnipilot.memory.models.broker.broker import Broker

OnProgress: TypeAlias = Callable[[Standing], None]


def tell_nobody(standing: Standing) -> None:
    """What is told how a run stands where nobody asks."""


@dataclass(frozen=True, slots=True)
class RunExecution:
    """How the episodes of a run are played, or of several runs, one after the other.

    What is spent, void episodes in a row, and what is learnt of model servers count over all runs that share one.

    Attributes:
        jobs: worker processes, which die with this one, however it dies; 0 plays in this process, which a debugger
            can follow; a crash of an agent or a device then takes the run with it.
        rerun_void: run episodes again that ended void.
        messages: whether what models are sent and answer is kept: "all" or "none".
        media: which captures are kept: "all", "changes", "failures" or "none", see
            `omnipilot.memory.store.episode_store`. Another start of a run may keep others.
        silence: seconds without an event after which a worker is replaced and its episode void; 0 for any number.
        cluster: address of a Ray cluster in which the workers play; "" for this machine.
        on_progress: told how things stand a few times a second.
        spending: what was spent before, and what may be spent.
        voids: counts void episodes in a row, and says how many end the run.
        broker: shares out the endpoints of models among all workers.

    Raises:
        ConfigError: one of them cannot be, or a cluster is given without workers.
    """

    jobs: int = 0
    rerun_void: bool = False
    messages: str = MESSAGES
    media: str = ALL_MEDIA
    silence: float = SILENCE
    cluster: str = ""
    on_progress: OnProgress = tell_nobody
    spending: Spending = field(default_factory=Spending)
    voids: VoidStreak = field(default_factory=VoidStreak)
    broker: Broker = field(default_factory=Broker)

    def __post_init__(self) -> None:
        check_jobs(self.jobs)
        check_media_kept(self.media)
        if self.cluster and not self.jobs:
            raise ConfigError(f"--cluster {self.cluster} plays in workers; say how many there may be: --jobs 8")

    @classmethod
    def of(
        cls,
        settings: RunSettings,
        folders: Iterable[Path],
        on_progress: OnProgress = tell_nobody,
        rerun_void: bool = False,
    ) -> RunExecution:
        """What settings say of it.

        Args:
            folders: of the runs; what earlier starts of them have cost is spent.

        Raises:
            ConfigError: as for the record, or the cluster is none in which workers can play.
            JournalError: a journal is damaged before its last line.
        """
        return cls(
            settings.workers,
            rerun_void,
            settings.messages or MESSAGES,
            settings.media or ALL_MEDIA,
            settings.longest_silence,
            ray_address(settings),
            on_progress,
            Spending.of_runs(settings.budget, folders),
            VoidStreak(settings.most_voids),
            Broker(settings.endpoint_limits),
        )


def ray_address(settings: RunSettings) -> str:
    """Address of the Ray cluster in which runs are played; "" if there is none.

    Raises:
        ConfigError: the cluster is another one.
    """
    if settings.cluster is None or is_ray(settings.cluster):
        return settings.cluster or ""
    raise ConfigError(
        f"--cluster {settings.cluster} is for `omnipilot run`; workers play in a Ray cluster: auto, HOST:PORT or "
        "ray://HOST:PORT; elsewhere, start each shard with --shard, and merge them"
    )
