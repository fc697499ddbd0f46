"""The page on which a person rates trajectories; how they ended is hidden."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from omnipilot.bench import PageContent, PersonalPage
from omnipilot.bench.annotation.page_files import media_file, static_file
from omnipilot.bench.annotation.ratings import RatedTrajectory, RatingFile
from omnipilot.bench.annotation.recordings import CapturedScreen
from omnipilot.bench.experiments.studies.people import TENS, WatchedEpisode, check_tens
from omnipilot.envs import ConfigError


class TrajectoryRatingPage(PersonalPage):
    """Serves the page. Use it as a context manager, or call `close`.

    Args:
        trajectories: those to be rated, in order. file: of the ratings. rater: who rates. port: 0 for a free one.

    Attributes:
        url: of the page.
    """

    def __init__(self, trajectories: Sequence[RatedTrajectory], file: RatingFile, rater: str, port: int = 0) -> None:
        self.trajectories = list(trajectories)
        self.file = file
        self.rater = rater
        self._writing = threading.Lock()
        self._mine = {one.episode: one for one in file.read() if one.rater == rater}
        super().__init__(port)

    def content(self, path: str) -> PageContent | None:
        """The page, the trajectories, and their pictures."""
        if path == "":
            return static_file("rate.html")
        if path in ("rate.js", "annotation.css", "clips.js"):
            return static_file(path)
        if path == "trajectories":
            return PageContent.json(self.overview())
        number, at, place = [*path.removeprefix("media/").split("/"), "", "", ""][:3]
        if path.startswith("media/") and all(one.isdecimal() and len(one) < 7 for one in (number, at, place)):
            try:
                screen = _looks(self.trajectories[int(number)])[int(at)][1][int(place)]
            except IndexError:
                return None
            return media_file(screen.picture)
        return None

    def overview(self) -> dict[str, Any]:
        """What the page shows, as JSON values: nothing of what the judges or the agent said of the end."""
        return {
            "rater": self.rater,
            "tens": TENS,
            "trajectories": [self._shown(number, one) for number, one in enumerate(self.trajectories)],
        }

    def take(self, path: str, values: Any) -> object:
        """Write the rating of a trajectory.

        Raises:
            ConfigError: it is no rating of one of them.
        """
        known = [one.id for one in self.trajectories]
        if path != "ratings" or not isinstance(values, dict) or values.get("episode") not in known:
            raise ConfigError("this is no rating of one of the trajectories")
        completion, logic, seconds = values.get("completion"), values.get("logic"), values.get("seconds", 0)
        check_tens(completion, logic)
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds < 1e6:
            raise ConfigError("a rating says the seconds that it took")
        rating = WatchedEpisode(
            values["episode"], self.rater, int(values["completion"]), int(values["logic"]), float(seconds)
        )
        with self._writing:
            self.file.append([rating])
            self._mine[rating.episode] = rating
        return asdict(rating)

    def _shown(self, number: int, one: RatedTrajectory) -> dict[str, Any]:
        mine = self._mine.get(one.id)
        return {
            "id": one.id,
            "instruction": one.episode.instruction,
            "steps": [
                {
                    "words": words,
                    "pictures": [
                        {"env": screen.env, "src": f"media/{number}/{at}/{place}"}
                        for place, screen in enumerate(screens)
                        if screen.picture is not None
                    ],
                }
                for at, (words, screens) in enumerate(_looks(one))
            ],
            "rated": None if mine is None else asdict(mine),
        }


def _looks(one: RatedTrajectory) -> list[tuple[str, tuple[CapturedScreen, ...]]]:
    """What is shown in a row: the screen before each step, on the device that it was done on, and the end."""
    steps = [(step.words, step.screens[:1]) for step in one.episode.steps]
    return [*steps, ("The end", one.episode.end)]
