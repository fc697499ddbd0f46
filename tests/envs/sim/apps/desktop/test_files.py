"""Files' goals, played through its screen; and what it refuses."""

from __future__ import annotations

import pytest
from sim_desktop_goals import Goal, prove, reach
from sim_hands import Hands, hands

from omnipilot.envs import Click, Drag, TypeText
from omnipilot.envs.sim.state.files import File, file_of, files, folders, path_of
from omnipilot.envs.sim.state.world_state import WorldState


def found(state: WorldState, path: str) -> File:
    file = file_of(state.account, path)
    assert file is not None, path
    return file


def row(state: WorldState, path: str) -> str:
    return f"files/list/{found(state, path).id}"


def gone(start: WorldState, now: WorldState) -> set[str]:
    return {path_of(file) for file in files(start.account)} - {path_of(file) for file in files(now.account)}


def new(start: WorldState, now: WorldState) -> set[str]:
    return {path_of(file) for file in files(now.account)} - {path_of(file) for file in files(start.account)}


def rename(desktop: Hands, start: WorldState) -> None:
    desktop.tap("files/tree/Reports", row(start, "Reports/Sales March"), "files/rename")
    desktop.do(TypeText("Sales in March", submit=True))


def move(desktop: Hands, start: WorldState) -> None:
    desktop.tap("files/tree/Work", row(start, "Work/Rota week 12"), "files/cut", "files/tree/Travel", "files/paste")


def move_wrong(desktop: Hands, start: WorldState) -> None:
    desktop.tap("files/tree/Work", row(start, "Work/Rota week 12"), "files/copy", "files/tree/Travel", "files/paste")


def drag(desktop: Hands, start: WorldState) -> None:
    desktop.tap("files/tree/Travel")
    desktop.do(Drag(desktop.at("files/tree/Reports"), start=desktop.at(row(start, "Travel/Oslo hotel"))))


def delete(desktop: Hands, start: WorldState) -> None:
    desktop.tap("files/tree/Reports", "files/tree/Reports/2024", row(start, "Reports/2024/Visitors"))
    desktop.tap("files/delete-selected", "files/delete/yes")


def delete_wrong(desktop: Hands, start: WorldState) -> None:
    desktop.tap("files/tree/Reports", row(start, "Reports/Visitors"), "files/delete-selected", "files/delete/yes")


def not_really(desktop: Hands, start: WorldState) -> None:
    desktop.tap("files/tree/Reports/2024", row(start, "Reports/2024/Visitors"))
    desktop.tap("files/delete-selected", "files/delete/no")


def folder(desktop: Hands, _: WorldState) -> None:
    desktop.tap("files/tree/Travel", "files/new-folder")
    desktop.do(TypeText("Norway"))
    desktop.tap("files/name/ok")


def by_menu(desktop: Hands, start: WorldState) -> None:
    desktop.type("files/search", "door list")
    wanted = row(start, "Work/Door list")
    desktop.do(Click(desktop.at(wanted), button="right"))
    desktop.tap(f"{wanted}/copy", "files/tree/Documents", "files/paste")


def to_phone(desktop: Hands, start: WorldState) -> None:
    desktop.tap("files/tree/Travel", row(start, "Travel/Oslo tickets"), "files/copy", "files/tree/Notes", "files/paste")


def picture(desktop: Hands, start: WorldState) -> None:
    photo = next(photo for photo in start.account.photos if photo.album == "Camera")
    desktop.tap("files/tree/Pictures/Camera", f"files/list/{photo.id}", "files/cut", "files/tree/Pictures/Garden")
    desktop.tap("files/paste")


def garden(start: WorldState, now: WorldState) -> bool:
    photo = next(photo for photo in start.account.photos if photo.album == "Camera")
    return bool(now.account.find("photos", photo.id).album == "Garden")


GOALS = (
    Goal(
        "rename one report",
        rename,
        lambda start, now: (gone(start, now), new(start, now)) == ({"Reports/Sales March"}, {"Reports/Sales in March"}),
    ),
    Goal(
        "move the rota",
        move,
        lambda start, now: (gone(start, now), new(start, now)) == ({"Work/Rota week 12"}, {"Travel/Rota week 12"}),
        move_wrong,
    ),
    Goal(
        "drag the hotel",
        drag,
        lambda start, now: new(start, now) == {"Reports/Oslo hotel"} and len(gone(start, now)) == 1,
    ),
    Goal(
        "delete the old count", delete, lambda start, now: gone(start, now) == {"Reports/2024/Visitors"}, delete_wrong
    ),
    Goal("delete only when sure", delete, lambda start, now: gone(start, now) == {"Reports/2024/Visitors"}, not_really),
    Goal("make a folder", folder, lambda _, now: "Travel/Norway" in folders(now.account)),
    Goal(
        "search and copy",
        by_menu,
        lambda start, now: new(start, now) == {"Documents/Door list"} and not gone(start, now),
    ),
    Goal(
        "tickets on the phone", to_phone, lambda _, now: any(note.name == "Oslo tickets" for note in now.account.notes)
    ),
    Goal("a picture to another album", picture, garden),
)


@pytest.mark.parametrize("goal", GOALS, ids=str)
def test_goal(goal: Goal) -> None:
    prove(goal, "files")


@pytest.mark.parametrize(
    ("path", "app", "view"),
    [
        ("Work/Door list", "editor", "edit"),
        ("Sheets/Grades 7a", "sheets", "sheet"),
        ("Videos/Counter, Monday", "player", "clip"),
    ],
)
def test_a_double_click_opens_a_file_in_its_app(path: str, app: str, view: str) -> None:
    world, _, desktop = hands()
    desktop.open("files")
    desktop.type("files/search", path.split("/")[1])
    desktop.tap(row(world.state(), path), count=2)
    front = world.state().desktop.front
    assert front is not None
    assert (front.app, front.view.name, front.view.arg) == (app, view, found(world.state(), path).id)


def test_a_picture_is_shown_and_left() -> None:
    world, _, desktop = hands()
    photo = next(photo for photo in world.state().account.photos if photo.album == "Camera")
    desktop.open("files")
    desktop.tap("files/tree/Pictures/Camera", f"files/list/{photo.id}", "files/open")
    assert desktop.find("files/picture").role == "image"
    desktop.tap("files/picture/back")
    assert "files/picture" not in desktop.ids()


def test_what_is_refused_is_explained() -> None:
    world, _, desktop = hands()
    desktop.open("files")
    desktop.tap("files/tree/Work", row(world.state(), "Work/Door list"), "files/rename")
    desktop.do(TypeText("Door list old", submit=True))
    assert "Work/door list old is already there" in [e.name for e in desktop.env.ui_tree() if e.role == "alert"]
    assert file_of(world.state().account, "Work/Door list") is not None


def test_heads_sort() -> None:
    world, _, desktop = hands()
    desktop.open("files")
    desktop.tap("files/tree/Sheets")

    def names() -> list[str]:
        return [element.name for element in desktop.env.ui_tree() if element.role == "row"]

    first = names()
    assert first == sorted(first)
    desktop.tap("files/list/sort/name")
    assert names()[0] == max(sheet.name for sheet in world.state().account.sheets)
    desktop.tap("files/list/sort/changed")
    oldest = min(world.state().account.sheets, key=lambda sheet: sheet.saved)
    assert names()[0] == oldest.name
    reach(
        desktop, f"files/list/{max(world.state().account.sheets, key=lambda s: s.saved).id}", f"files/list/{oldest.id}"
    )
