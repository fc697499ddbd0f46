"""Kinds of judges of the embedded world that a path into its state cannot say: films, sheets, mails, a terminal."""

from __future__ import annotations

from typing import Literal

from omnipilot.bench.judges import DeviceEvidence, judge, says_one
from omnipilot.bench.suites.duet.kit.desktop import reports, says_count, words_of_mails
from omnipilot.envs import ConfigError
from omnipilot.envs.sim.apps.desktop.formulas import format_value, values
from omnipilot.envs.sim.apps.desktop.video_player import position


@judge()
def check_film_position(
    evidence: DeviceEvidence,
    film: str,
    least: float,
    most: float | None = None,
    when: Literal["now", "paused", "timer"] = "now",
) -> tuple[bool, str]:
    """A film of the embedded world's Video Player is between two seconds: now, where it was paused, or when the timer
    of the phone was started while it was playing."""
    state = evidence.case.state
    clip = next((one for one in state.account.clips if one.name == film), None)
    seen = state.account.find("playbacks", clip.id) if clip else None
    if clip is None or seen is None:
        return False, f"{film!r} was not played"
    time = state.account.timer.since if when == "timer" else state.time
    if time is None or (when == "timer" and seen.since is None) or (when == "paused" and seen.since is not None):
        return False, f"{film!r} is not {when}"
    at = position(clip, seen, time)
    return least <= at and (most is None or at <= most), f"{film!r} at {at:.1f} s"


@judge()
def check_new_sheet(evidence: DeviceEvidence, cells: dict[str, str], made: list[str]) -> tuple[bool, str]:
    """A sheet of the embedded world is new and shows exactly these texts, by cell.

    Args:
        made: one entry for each sheet that is to be made; if more are, but for empty ones, it does not hold.
    """
    known = {one.id for one in evidence.case.start.account.sheets}
    new = [one for one in evidence.case.state.account.sheets if one.id not in known]
    found = [{key: format_value(value) for key, value in values(one.cells).items()} for one in new]
    return dict(cells) in found and len(list(filter(None, found))) <= len(made), f"new sheets: {found}"


@judge()
def check_cell_number(evidence: DeviceEvidence, sheet: str, cell: str, number: float) -> tuple[bool, str]:
    """A cell of a sheet of the embedded world has this value, to half a cent."""
    found = [values(one.cells).get(cell) for one in evidence.case.state.account.sheets if one.name == sheet]
    hit = any(isinstance(value, float) and abs(value - number) < 0.005 for value in found)
    return hit, f"{cell} of {sheet!r}: {found}"


@judge()
def check_rows_sorted(evidence: DeviceEvidence, sheet: str, head: str) -> tuple[bool, str]:
    """A sheet of the embedded world has the rows that it had, those with the highest number below a head first."""
    then, now = (_rows(state, sheet) for state in (evidence.case.start, evidence.case.state))
    if not then or head not in then[0]:
        raise ConfigError(f"check_rows_sorted: there is no column {head!r} in a sheet {sheet!r}")
    column = then[0].index(head)
    same = sorted(now[1:]) == sorted(then[1:]) and now[:1] == then[:1]
    numbers = [int(row[column]) for row in now[1:]] if same else []
    return same and numbers == sorted(numbers, reverse=True), f"rows kept: {same}; {head}: {numbers}"


def _rows(state: object, sheet: str) -> list[list[str]]:
    found = [one for one in state.account.sheets if one.name == sheet]  # type: ignore[attr-defined]
    if not found:
        return []
    cells = found[0].cells
    columns = sorted({key[0] for key in cells})
    return [[cells.get(f"{column}{row}", "") for column in columns] for row in range(1, 1 + max(map(_row, cells)))]


def _row(cell: str) -> int:
    return int(cell[1:])


@judge()
def check_terminal_count(evidence: DeviceEvidence, file: str, word: str, count: str) -> tuple[bool, str]:
    """The embedded world's terminal told how many lines of a file have a word, or all of these lines."""
    document = evidence.case.start.account.document(file)
    if document is None:
        raise ConfigError(f"check_terminal_count: there was no file {file!r} at the start")
    said = reports(evidence.case, document.name, word)
    return says_count(said, document.text, word, count), f"the terminal says: {said[-3:]}"


@judge()
def check_mail_sent(
    evidence: DeviceEvidence, to: str, subject: str, text: str, others: list[str] | None = None
) -> tuple[bool, str]:
    """A mail of the embedded world was sent to an address with a subject, and says a text in few more words.

    Args:
        others: what the text could be instead; a mail that says some of it as well says nothing.
    """
    bodies = words_of_mails(evidence.case, to, subject)
    return says_one([text], bodies, others or ()), f"mails to {to}: {bodies}"
