"""Writing and reading the record of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.journal.events import EpisodeEnded as EpisodeEnded
    from omnipilot.bench.journal.events import EpisodeStarted as EpisodeStarted
    from omnipilot.bench.journal.events import Event as Event
    from omnipilot.bench.journal.events import JournalError as JournalError
    from omnipilot.bench.journal.events import RunStarted as RunStarted
    from omnipilot.bench.journal.events import StepTaken as StepTaken
    from omnipilot.bench.journal.events import TurnTaken as TurnTaken
    from omnipilot.bench.journal.journal import MEDIA as MEDIA
    from omnipilot.bench.journal.journal import Journal as Journal
    from omnipilot.bench.journal.journal import read as read
    from omnipilot.bench.journal.load_runs import find_runs as find_runs
    from omnipilot.bench.journal.load_runs import load_run as load_run
    from omnipilot.bench.journal.lock import RunLock as RunLock
    from omnipilot.bench.journal.recorder import EpisodeRecorder as EpisodeRecorder
    from omnipilot.bench.journal.recorder import elements_from_text as elements_from_text
    from omnipilot.bench.journal.results import Episode as Episode
    from omnipilot.bench.journal.results import Slot as Slot
    from omnipilot.bench.journal.results import Survey as Survey
    from omnipilot.bench.journal.results import slots as slots
    from omnipilot.bench.journal.results import survey_of as survey_of
    from omnipilot.bench.journal.run import Run as Run

__all__, __getattr__, __dir__ = lazy_exports(__name__)
