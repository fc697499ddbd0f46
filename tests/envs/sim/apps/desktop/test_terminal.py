"""Terminal's goals, played at its prompt; and what its commands refuse."""

from __future__ import annotations

import pytest
from sim_desktop_goals import Goal, Play, prove
from sim_hands import Hands, hands

from omnipilot.envs import Press
from omnipilot.envs.sim.apps.desktop.terminal_language import run
from omnipilot.envs.sim.content.generate import initial_world
from omnipilot.envs.sim.state.account import Account
from omnipilot.envs.sim.state.files import file_of, files, folders, path_of
from omnipilot.envs.sim.state.world_state import WorldState


def says(*lines: str) -> Play:
    def play(desktop: Hands, _: WorldState) -> None:
        for line in lines:
            desktop.type("terminal/prompt", line, submit=True)

    return play


def text(state: WorldState, path: str) -> str:
    document = state.account.document(path)
    return document.text if document else ""


def errors(state: WorldState, day: str) -> int:
    return text(state, f"Server/log-{day}").count("error")


GOALS = (
    Goal(
        "file the old door list away",
        says("mkdir Work/Old", 'mv "Work/Door list old" Work/Old'),
        lambda start, now: text(now, "Work/Old/Door list old") == text(start, "Work/Door list old"),
        says("mkdir Work/Old", 'mv "Work/Door list" Work/Old'),
    ),
    Goal(
        "count Monday's errors into a file",
        says("cd Server", "grep -c error log-monday > errors"),
        lambda start, now: text(now, "Server/errors") == str(errors(start, "monday")),
        says("cd Server", "grep -c pump log-monday > errors"),
    ),
    Goal(
        "collect the errors of all days",
        says("cd Server", "cat log-* | grep error > all-errors"),
        lambda start, now: (
            text(now, "Server/all-errors").count("error")
            == sum(errors(start, d) for d in ("monday", "tuesday", "wednesday", "thursday", "friday"))
        ),
    ),
    Goal(
        "remove the draft of the report",
        says("cd Reports", 'rm "Sales March draft"'),
        lambda start, now: (
            {path_of(f) for f in files(start.account)} - {path_of(f) for f in files(now.account)}
            == {"Reports/Sales March draft"}
        ),
        says("rm -r Reports"),
    ),
    Goal(
        "copy the rota and add a line",
        says("cd Work", 'cp "Rota week 12" "Rota week 13"', 'echo "Sunday: closed" >> "Rota week 13"'),
        lambda start, now: text(now, "Work/Rota week 13") == text(start, "Work/Rota week 12") + "\nSunday: closed",
        says("cd Work", 'echo "Sunday: closed" > "Rota week 13"'),
    ),
    Goal(
        "rename the folder Travel to Trips",
        says("mv Travel Trips"),
        lambda start, now: (
            "Travel" not in folders(now.account)
            and text(now, "Trips/Oslo hotel") == text(start, "Travel/Oslo hotel") != ""
        ),
        says("mkdir Trips", "mv Travel Trips"),
    ),
    Goal(
        "write a note that the phone shows",
        says("echo Milk and tea > Notes/Today"),
        lambda start, now: any(note.name == "Today" and note.text == "Milk and tea" for note in now.account.notes),
        says("echo Milk and tea > Documents/Today"),
    ),
)


@pytest.mark.parametrize("goal", GOALS, ids=str)
def test_goal(goal: Goal) -> None:
    prove(goal, "terminal")


def test_the_arrow_keys_bring_commands_back() -> None:
    world, _, desktop = hands()
    desktop.open("Terminal")
    says("pwd", "cd Work")(desktop, world.state())
    desktop.do(Press(("up",)), Press(("up",)))
    assert desktop.find("terminal/prompt").value == "pwd"
    desktop.do(Press(("down",)), Press(("enter",)))
    assert world.state().account.console.past == ("pwd", "cd Work", "cd Work")


def after(*lines: str) -> Account:
    account = initial_world(3).account
    for line in lines:
        account = run(account, line, 1.0)
    return account


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("rm Work", "rm: Work is a folder; rm -r removes it with everything in it"),
        ("cat nothing", "cat: there is no file nothing"),
        ("cat Videos/*", "no text"),
        ("mv Work Work/Old", "mv: a folder cannot go into itself"),
        ("mkdir Work", "mkdir: Work is already there"),
        ("mkdir Nowhere/New", "mkdir: there is no folder Nowhere"),
        ("cp Work Travel", "cp: Work is a folder; only files are copied"),
        ("echo x > y", "files lie in folders, not at the top"),
        ("echo x > Nowhere/y", "there is no folder Nowhere"),
        ("echo x >", "after > comes the name of one file, at the end of the line"),
        ("cat 'x", "a quotation mark has no partner"),
        ("python -c 1", "python: there is no such command; help tells which there are"),
        ("ls -z", "ls: there is no option -z"),
        ("cd /Work/..//Nowhere", "cd: there is no folder /Work/..//Nowhere"),
        ("cp 'Work/Door list' 'Work/Door list old'", "cp: Work/Door list old is already there"),
    ],
)
def test_what_is_refused_changes_nothing(line: str, says: str) -> None:
    before, account = after(), after(line)
    assert says in account.console.lines[-1]
    assert files(account) == files(before)
    assert folders(account) == folders(before)


def test_sheets_read_as_text_and_pictures_move_between_albums_only() -> None:
    account = after("head 'Sheets/Grades 7a' | wc -l", "mv Pictures/Camera/* Work")
    assert account.console.lines[2] == "10"
    assert "pictures stay in an album" in account.console.lines[-1]
    photo = next(photo for photo in account.photos if photo.album == "Camera")
    account = run(account, f"mv Pictures/Camera/{photo.name} Pictures/Garden", 1.0)
    moved = file_of(account, photo.id)
    assert moved is not None
    assert path_of(moved) == f"Pictures/Garden/{photo.name}"
