"""What tells the small planner of sounds and of what moves while it is taught, by the name that `--readers` has."""

from __future__ import annotations

from omnipilot.agents import parse_part
from omnipilot.agents.assembly import READERS
from omnipilot.agents.wrappers.readers import ComposedReader, Reader
from omnipilot.bench.episode.truth import EpisodeTruth
from omnipilot.envs import Modality
from omnipilot.memory import TakesTruth

GOLD = "gold:transcript"
"""The truth's transcript, which planners are taught with unless something else is named."""


def make_reader(readers: str) -> Reader:
    """A reader, such as "mini-ears+perception:motion".

    Raises:
        ConfigError: there is no such reader. MissingExtra: what it needs is not installed.
    """
    made: Reader = READERS.make(parse_part(readers, READERS))
    return made


def watches(readers: str) -> bool:
    """Whether a reader watches films, and so tells what moves.

    Raises:
        ConfigError, MissingExtra: see `make_reader`.
    """
    return Modality.VIDEO in shown_to(make_reader(readers))


def shown_to(reader: Reader) -> frozenset[Modality]:
    """The modalities that a reader reads."""
    return frozenset(Modality) if reader.reads is None else reader.reads


def give_truth(reader: Reader, truth: EpisodeTruth) -> None:
    """Give the truth to a reader that takes its answers from it, and to such parts of one that is composed."""
    if isinstance(reader, TakesTruth):
        reader.take_truth(truth)
    for one in reader.of if isinstance(reader, ComposedReader) else ():
        give_truth(one, truth)
