"""Data made in OmniACT's format: what is checked, how it is split, and that the suite plays it."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from command_line import omnipilot
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.omniact.data import load
from omnipilot.bench.suites.omniact.making.drawing_page import DrawingPage
from omnipilot.bench.suites.omniact.making.exporting import export_data, split_tasks
from omnipilot.bench.suites.omniact.making.finetuning import prepare
from omnipilot.bench.suites.omniact.making.mapping import doubles, map_names, problems
from omnipilot.bench.suites.omniact.making.playing import Playing, missing_below
from omnipilot.bench.suites.omniact.making.records import MadeScreen, MakingFolder, NamedBox, NamedTask
from omnipilot.bench.suites.omniact.suite import elements
from omnipilot.envs import Action, ActionRejected, Box, ConfigError, Element, Elements, Press
from omnipilot.envs.sim.env import SimEnv

SCREEN = MadeScreen(
    "s",
    "desktop",
    "mail",
    "screens/s.png",
    (200, 100),
    (NamedBox("open-inbox", (10, 20, 61, 40)), NamedBox("send", (100, 50, 140, 70))),
)
WORDS = ("Open the inbox", "Show the inbox now", "Go to received mail")


def task(*script: str, **more: Any) -> NamedTask:
    return replace(NamedTask("s.1", "s", WORDS, script), **more)


def test_names_become_centres() -> None:
    mapped = map_names(task("pyautogui.click(<open-inbox>)", 'pyautogui.write("a <b>")'.replace("<b>", "b")), SCREEN)
    assert mapped == ("pyautogui.click(35.5,30)", 'pyautogui.write("a b")')
    assert problems(task("pyautogui.click(<open-inbox>)"), SCREEN) == []
    assert problems(task("pyautogui.moveTo(<send>)", "pyautogui.dragTo(<open-inbox>)"), SCREEN) == []


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (task("pyautogui.click(<trash>)"), "names the box 'trash'"),
        (task("pyautogui.click(35,30)"), "takes the name of one box"),
        (task("pyautogui.screenshot()"), "the function screenshot is none of"),
        (task("os.system('x')"), "no call of pyautogui"),
        (task("pyautogui.press(<send>)"), "press takes no box"),
        (task("pyautogui.press(enter)"), "cannot be read"),
        (task(), "its script is empty"),
        (task("pyautogui.click(<send>)", wordings=WORDS[:2]), "3 different wordings"),
        (task("pyautogui.click(<send>)", wordings=(*WORDS[:2], WORDS[0].upper())), "3 different wordings"),
        (task("pyautogui.click(<send>)", wordings=(*WORDS[:2], "Send")), "has 1 words"),
        (task("pyautogui.click(<send>)", wordings=(*WORDS[:2], "Run pyautogui.click there")), "tells the script"),
    ],
)
def test_what_is_wrong_with_a_task_is_said(made: NamedTask, said: str) -> None:
    assert any(said in line for line in problems(made, SCREEN)), problems(made, SCREEN)


@pytest.mark.parametrize("corners", [(10, 20, 10, 40), (10, 20, 201, 40), (-1, 20, 30, 40), (10, 50, 30, 40)])
def test_a_box_that_is_none_is_a_problem_of_its_tasks(corners: Any) -> None:
    bad = replace(SCREEN, boxes=(NamedBox("send", corners),))
    assert "is not on the screen" in problems(task("pyautogui.click(<send>)"), bad)[0]


def test_what_repeats_an_earlier_task_of_its_screen_is_found() -> None:
    first = task("pyautogui.click(<send>)")
    same_script = task("pyautogui.click(<send>)", id="s.2", wordings=("a b", "c d", "e f"))
    same_words = task("pyautogui.click(<open-inbox>)", id="s.3")
    elsewhere = task("pyautogui.click(<send>)", id="t.1", screen="t")
    assert doubles([first, same_script, same_words, elsewhere]) == {"s.2": "it repeats s.1", "s.3": "it repeats s.1"}


@given(st.lists(st.integers(1, 30), min_size=1, max_size=40), st.integers(0, 3), st.sampled_from(("screen", "task")))
def test_splits_keep_screens_or_tasks_together_and_come_near_their_shares(sizes: list[int], seed: int, by: str) -> None:
    tasks = [NamedTask(f"{n}.{k}", str(n), (), ()) for n, size in enumerate(sizes) for k in range(size)]
    splits = split_tasks(tasks, seed, by)
    assert set(splits) == {one.id for one in tasks}
    if by == "screen":
        of: dict[str, set[str]] = defaultdict(set)
        for one in tasks:
            of[one.screen].add(splits[one.id])
        assert all(len(found) == 1 for found in of.values())
    largest = max(sizes) if by == "screen" else 1
    for split, share in (("train", 0.7), ("val", 0.1), ("test", 0.2)):
        assert sum(found == split for found in splits.values()) <= share * len(tasks) + largest + 1


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> MakingFolder:
    """A folder of screens and tasks by rule, made by the commands."""
    folder = tmp_path_factory.mktemp("made")
    for words in (["screens", str(folder), "--seeds", "2"], ["tasks", str(folder), "--most", "9"]):
        told = omnipilot("make", *words)
        assert told.returncode == 0, told.stderr
    return MakingFolder(folder)


def test_what_is_made_by_rule_passes_every_check_and_is_played_by_the_suite(made: MakingFolder, tmp_path: Path) -> None:
    checked = omnipilot("make", "check", str(made.path))
    assert "126 tasks checked, 126 of them played; 0 taken out" in checked.stdout
    assert omnipilot("make", "export", str(made.path), str(tmp_path / "no")).returncode == 2
    out = tmp_path / "out"
    told = omnipilot("make", "export", str(made.path), str(out), "--unreviewed")
    assert told.returncode == 0, told.stderr
    screens: dict[str, str] = {}
    entries = 0
    for split in ("train", "val", "test"):
        loaded = load(Source.open(str(out), ""), split)  # type: ignore[arg-type]
        assert not loaded.bad
        entries += len(loaded.items)
        for item in loaded.items:
            assert screens.setdefault(item.screen, split) == split
    assert entries == 3 * 126
    run = omnipilot(
        "run",
        "--suite",
        "omniact",
        "--data",
        str(out),
        "--planner",
        "oracle",
        "--sample",
        "12",
        "--out",
        str(tmp_path / "r"),
    )
    assert run.returncode == 0, run.stderr
    assert "12/12 done · 12 solved" in run.stderr


def test_a_task_that_cannot_be_played_is_found(made: MakingFolder) -> None:
    screens, playing = made.screens(), Playing()
    mail = next(one for one in screens.values() if one.app == "mail")
    good = next(one for one in made.tasks() if one.screen == mail.id and "<" in one.script[0])
    assert playing.problem(good, mail) == ""
    first = next(box for box in mail.boxes if f"<{box.name}>" in good.script[0])
    moved = replace(
        mail, boxes=tuple(replace(box, corners=(0, 0, 9, 9)) if box == first else box for box in mail.boxes)
    )
    assert "other boxes" in playing.problem(good, moved)
    other = Element("button", "Send", Box.from_pixels(100, 50, 140, 70, SCREEN.pixels))
    below = replace(SCREEN, boxes=tuple(replace(box, label="Send it") for box in SCREEN.boxes))
    assert "nothing called 'Send it'" in missing_below(task("pyautogui.click(<send>)"), below, [other])
    assert missing_below(task("pyautogui.click(<send>)"), below, [replace(other, name="Send it")]) == ""
    assert missing_below(task("pyautogui.scroll(-1)"), below, [other]) == ""


def test_a_rejected_action_is_a_problem(made: MakingFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    mail = next(one for one in made.screens().values() if one.app == "mail")
    act = SimEnv.act

    def refuse(env: SimEnv, action: Action) -> None:
        if isinstance(action, Press):
            raise ActionRejected("the keyboard is unplugged")
        act(env, action)

    monkeypatch.setattr(SimEnv, "act", refuse)
    made_task = task("pyautogui.scroll(-1)", 'pyautogui.press("enter")', screen=mail.id)
    assert Playing().problem(made_task, mail) == "action 2 was rejected: the keyboard is unplugged"


def test_a_review_decides_what_is_exported(made: MakingFolder, tmp_path: Path) -> None:
    folder = MakingFolder(tmp_path / "copy")
    folder.write_screens(made.screens().values())
    (folder.path / "screens").symlink_to(made.path / "screens")
    folder.write_tasks(made.tasks())
    ids = [one.id for one in folder.tasks()]
    folder.review(ids[:6], "accepted")
    folder.review(ids[6:7], "taken out", "two things answer to it")
    assert sum(export_data(folder, tmp_path / "out").values()) == 18
    assert [one.why for one in folder.tasks()][6] == "two things answer to it"
    with pytest.raises(ConfigError, match="say why"):
        folder.review(ids[:1], "taken out")
    with pytest.raises(ConfigError, match="there is no task 'x'"):
        folder.review(["x"], "accepted")


def test_boxes_are_drawn_on_a_page_of_this_machine(made: MakingFolder, tmp_path: Path) -> None:
    picture = made.path / next(iter(made.screens().values())).picture
    told = omnipilot("make", "screens", str(tmp_path), "--picture", str(picture), "--part", "web")
    assert "1 screens with 0 named boxes" in told.stdout
    folder = MakingFolder(tmp_path)
    (screen,) = folder.screens()

    def post(page: DrawingPage, boxes: Any, kind: str = "application/json") -> str:
        data = json.dumps({"screen": screen, "boxes": boxes}).encode()
        with urlopen(Request(f"{page.url}boxes", data, {"Content-Type": kind})) as answer:
            return str(answer.read().decode())

    with DrawingPage(folder) as page:
        with urlopen(page.url) as answer:
            assert b"Drag a box" in answer.read()
        with urlopen(f"{page.url}picture/{screen}") as answer:
            assert answer.read() == picture.read_bytes()
        assert post(page, [{"name": "open-cart", "corners": [5, 6, 50, 60]}]) == '"written"'
        with urlopen(f"{page.url}screens") as answer:
            assert json.load(answer)[0]["boxes"][0]["name"] == "open-cart"
        for wrong in ([{"name": "Open cart", "corners": [5, 6, 50, 60]}], [{"name": "x", "corners": [1, 2]}], "no"):
            with pytest.raises(HTTPError):
                post(page, wrong)
        with pytest.raises(HTTPError):
            post(page, [], "text/plain")
    assert folder.screens()[screen].boxes == (NamedBox("open-cart", (5, 6, 50, 60)),)


@pytest.mark.slow
@pytest.mark.needs("omnipilot[ocr]", "omnipilot[marks]")
def test_an_export_with_detact_has_lists_that_the_suite_and_the_samples_read(
    made: MakingFolder, tmp_path: Path
) -> None:
    folder = MakingFolder(tmp_path / "mail")
    (screen,) = [one for one in made.screens().values() if one.app == "mail" and one.reach["seed"] == 0]
    folder.write_picture(f"{screen.id}.png", (made.path / screen.picture).read_bytes())
    folder.write_screens([screen])
    folder.write_tasks(task for task in made.tasks() if task.screen == screen.id)
    out = tmp_path / "out"
    refused = omnipilot("make", "export", str(folder.path), str(out), "--pack", str(tmp_path))
    assert refused.returncode == 2 and "give --detact" in refused.stderr
    told = omnipilot("make", "export", str(folder.path), str(out), "--unreviewed", "--detact")
    assert told.returncode == 0, told.stderr
    tasks = load(Source.open(str(out), ""), "train").items
    found = elements(tasks[0])
    assert isinstance(found, Elements) and {one.role for one in found.items} == {"text", "image", "color"}
    (compose,) = [one for one in found.items if one.name == "Compose"]
    assert screen.named["compose"].corners[0] < compose.box.center.to_pixels(tasks[0].size)[0]
    assert ("image", "trash") in {(one.role, one.name) for one in found.items}
    recipe = prepare(str(out), tmp_path / "tuned", "some/model")
    assert recipe.unlisted == 0
    rows = (tmp_path / "tuned/samples/train.jsonl").read_text().splitlines()
    assert all('text "Compose" at ' in json.loads(row)["prompt"] for row in rows)
