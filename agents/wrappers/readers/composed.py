"""Several readers as one: `whisper+perception`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from omnipilot.agents.wrappers.readers.agent import Reader
from omnipilot.envs import Modality, Observation
from omnipilot.memory.warm_up import warm_up


class ComposedReader(Reader):
    """Tells what each of several readers does, one after another, written `mini-ears+perception:motion`.

    Two that hear, or two that read, tell the same twice: say with their option `what` which does which.

    Args:
        of: the readers.
    """

    combines: ClassVar[str] = "many"
    main_option: ClassVar[str] = "of"

    def __init__(self, *, of: tuple[Reader, ...]) -> None:
        self.of = of

    @property
    def needs(self) -> frozenset[Modality]:
        """The modalities that all of them need: without these, none can work."""
        return frozenset.intersection(*(frozenset(one.needs) for one in self.of))

    @property
    def reads(self) -> frozenset[Modality]:
        """The modalities that any of them looks at; all, if one does not say."""
        return frozenset().union(*(frozenset(Modality) if one.reads is None else one.reads for one in self.of))

    def identity(self) -> dict[str, str]:
        """What each states of itself, as one: a wrapper keeps one statement of its part."""
        told = [f"{n}.{key}={value}" for n, one in enumerate(self.of, 1) for key, value in one.identity().items()]
        return {"of": " ".join(told)} if told else {}

    def warm_up(self) -> None:
        """Load the models of all."""
        warm_up(*self.of)

    def begin(self) -> None:
        """Start a new episode with each."""
        for one in self.of:
            one.begin()

    def fork(self) -> ComposedReader:
        """Another of forks of each, so that neither notices what the other is told."""
        return ComposedReader(of=tuple(one.fork() for one in self.of))

    def read(self, seen: Observation, since: float) -> Iterator[tuple[str, str]]:
        """What each tells."""
        for one in self.of:
            yield from one.read(seen, since)
