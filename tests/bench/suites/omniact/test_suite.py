"""The suite `omniact` on its miniature: what is read, what is told of bad records, and who reaches what."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench import Case, RunSpec
from omnipilot.bench.run import run
from omnipilot.bench.scoring.data.source import Source
from omnipilot.bench.suites.omniact import OmniAct
from omnipilot.bench.suites.omniact import sample as mini_omniact
from omnipilot.bench.suites.omniact.data import load
from omnipilot.bench.suites.omniact.score import OmniActScore
from omnipilot.bench.suites.omniact.suite import SUITES
from omnipilot.bench.suites.os_atlas.score import OmniActInStyle
from omnipilot.envs import Absent, Click, ConfigError, Modality, Point, Thinking, TypeText


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The miniature."""
    folder = tmp_path_factory.mktemp("omniact")
    mini_omniact.write(folder)
    return folder


def test_equal_seeds_give_equal_bytes(data: Path, tmp_path: Path) -> None:
    mini_omniact.write(tmp_path / "again")
    files = sorted(path.relative_to(data) for path in data.rglob("*") if path.is_file())
    assert len(files) > 80
    assert all((data / file).read_bytes() == (tmp_path / "again" / file).read_bytes() for file in files)
    assert sum((data / file).stat().st_size for file in files) < 3_000_000


def test_the_data_has_what_omniact_has(data: Path) -> None:
    listed = json.loads((data / "test.json").read_text())
    assert {tuple(entry) for entry in listed.values()} == {("task", "image", "ocr", "color", "icon", "box")}
    web = next(entry for entry in listed.values() if "/web/" in entry["image"])
    assert not (data / web["image"]).exists()  # the lists say screen_1, the files are called screen1
    assert not (data / web["box"]).exists()
    items = load(Source.open(str(data), ""), "test").items
    assert {item.part for item in items} == {"web", "desktop"}
    for item in items:
        centres = [((left + right) / 2, (top + bottom) / 2) for left, top, right, bottom in item.boxes]
        for line in item.script.split("\n"):
            inside = line[line.index("(") + 1 : -1].split(",")
            if len(inside) == 2 and inside[0][0].isdigit():
                assert (float(inside[0]), float(inside[1])) in centres
    names = {line.split("(")[0] for item in items for line in item.script.split("\n")}
    assert {name.removeprefix("pyautogui.") for name in names} == {
        *("click", "doubleClick", "rightClick", "moveTo", "write", "press", "hotkey", "scroll")
    }
    assert {len(item.script.split("\n")) for item in items} == {1, 2, 3, 4}


def test_bad_records_are_named_and_the_others_stay(data: Path, tmp_path: Path) -> None:
    shutil.copytree(data, tmp_path / "data")
    folder = tmp_path / "data"
    listed = json.loads((folder / "test.json").read_text())
    total = len(listed)
    listed["0"]["image"] = "data/data/web/lakeside/screen_9.png"
    del listed["1"]["box"]
    listed["2"] = "no object"
    (folder / listed["3"]["task"]).write_text("Task: nothing to do\nOutput Script:\n")
    listed["14"]["image"] = listed["14"]["task"]
    mail = folder / "data/metadata/desktop/boxes/files/screen_1.json"
    boxes = json.loads(mail.read_text())
    first = next(iter(boxes))
    boxes[first]["top_left"] = [1]
    mail.write_text(json.dumps(boxes))
    (folder / "test.json").write_text(json.dumps(listed))
    loaded = load(Source.open(str(folder), ""), "test")
    told = [str(bad) for bad in loaded.bad]
    assert told[0].startswith("test.json, record 0, field image: there is no file data/data/web/lakeside/screen_9.png")
    assert told[1].startswith("test.json, record 1, field box: it is missing")
    assert told[2].startswith("test.json, record 2: a record is an object")
    assert "record 3, field task" in told[3] and "no script" in told[3]
    assert "record 14, field image: it is not a readable picture" in told[4]
    files = [one for one in told if f"boxes/files/screen_1.json, record {first}, field top_left: expected 2" in one]
    assert len(files) == 7  # every task of that screen
    assert len(loaded.items) == total - len(told)
    assert OmniAct(str(folder)).bad == loaded.bad
    scored = OmniActScore().score(str(folder), mini_omniact.sample_predictions(data), "release")
    assert scored.bad == loaded.bad and scored.figure("Action score").of == len(loaded.items)


def test_where_the_data_is_missing_the_cure_is_told(tmp_path: Path) -> None:
    for given in ("", str(tmp_path / "nowhere"), str(tmp_path)):
        with pytest.raises(ConfigError, match="Writer/omniact"):
            OmniAct(given)
    with pytest.raises(ConfigError, match="no split 'tests'"):
        OmniAct(str(tmp_path), split="tests")  # type: ignore[arg-type]


def test_archives_are_unpacked_once(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    hub = tmp_path / "hub"
    hub.mkdir()
    for name in ("data", "ocr", "detact_icon"):
        shutil.make_archive(str(hub / name), "zip", data, name)
    for path in data.glob("*.json"):
        shutil.copy(path, hub)
    assert OmniAct(str(hub)).version == OmniAct(str(data)).version
    (folder,) = (tmp_path / "cache" / "omnipilot" / "omniact").iterdir()
    (folder / "test.json").write_text("{}")
    assert OmniAct(str(hub)).tasks() == []  # what was unpacked before is what is read
    with (hub / "ocr.zip").open("r+b") as file:
        file.truncate(100)
    with pytest.raises(ConfigError, match="ocr.zip is damaged"):
        OmniAct(str(hub))


def test_an_agent_sees_the_screen_and_never_the_boxes(data: Path) -> None:
    for offered in ("none", "detact"):
        suite = OmniAct(str(data), elements=offered)  # type: ignore[arg-type]
        task = suite.instantiate("0", 0)
        world = suite.world(Thinking())
        assert task.setup(world) == "Click the button Text Editor"
        (env,) = world.envs.values()
        assert (env.platform, str(env.size)) == ("browser", "1280x800")
        seen = env.observe(set(Modality), 0.0)
        assert not isinstance(seen.screenshot, Absent) and seen.screenshot.size == env.size
        if offered == "none":
            assert isinstance(seen.elements, Absent) and seen.elements.reason == "unsupported"
        else:
            assert not isinstance(seen.elements, Absent)
            assert {element.source for element in seen.elements} == {"ocr", "detector"}
            assert all(element.box.area == 0 for element in seen.elements)
    assert OmniAct(str(data)).version != OmniAct(str(data), elements="detact").version


def test_the_judge_gives_what_the_penalties_leave(data: Path) -> None:
    suite = OmniAct(str(data))
    item = next(item for item in load(Source.open(str(data), ""), "test").items if item.id == "11")
    assert item.script.split("(")[0] == "pyautogui.click" and 'write("report 2024")' in item.script
    task, world = suite.instantiate("11", 0), suite.world(Thinking())
    (judge,) = task.graph.nodes
    assert judge.when == "end"

    def progress(*actions: object, problem: str = "") -> float:
        task.setup(world)
        assert judge(Case(world)).progress == 0
        world.take(actions, problem)  # type: ignore[arg-type]
        return judge(Case(world)).progress

    assert task.solution is not None
    solution = [move.intent for move in task.solution(world)]
    assert progress(*solution) == 1
    assert progress(*solution, problem="a place was not found") == 0
    assert progress(*solution[:-1]) == 0
    assert progress(TypeText("report 2024", Point.from_pixels(653, 88, item.size), submit=True)) == 1
    slip = progress(solution[0], TypeText("report 2025"), solution[2])
    assert slip == pytest.approx(1 - (1 - (10 / 11 * 9 / 10) ** 0.5) / 3)
    beside = progress(Click(Point(0.0, 0.0)), *solution[1:])
    assert 2 / 3 < beside < 1
    assert progress() == 0


def spec(data: Path, planner: str) -> RunSpec:
    """A run of the whole miniature."""
    return RunSpec(AgentSpec(planner=PartSpec(planner)), PartSpec(SUITES[1], {"data": str(data)}))


@pytest.mark.slow
def test_oracle_reaches_all_and_noop_nothing(data: Path, tmp_path: Path) -> None:
    for planner, share in (("oracle", 1.0), ("noop", 0.0)):
        out = tmp_path / planner
        found = run(spec(data, planner), out)
        assert [episode.success for episode in found.episodes] == [bool(share)] * 43
        assert not any(episode.void for episode in found.episodes)
        for variant in ("release", "fixed"):
            scored = OmniActScore().score(str(data), out, variant)
            assert scored.figure("Sequence score").value == scored.figure("Action score").value == pytest.approx(share)
            assert (scored.missing, scored.extra) == ((), ())
        style = OmniActInStyle().score(str(data), out, "release")
        assert [style.figure(name).value for name in ("Type", "SR", "SR, whole texts")] == [share] * 3
        assert style.figure("Grounding").value == (1.0 if share else None)
        assert style.figure("SR, whole texts").of == 64
