"""The page for labels in a real Chromium: keys, the mouse, what a pass may see; labels against proved levels."""

from __future__ import annotations

import json
import re
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from chat_server import Answer, ChatServer
from command_line import omnipilot

from omnipilot.agents import AgentSpec, PartSpec
from omnipilot.bench.annotation.annotate_page import AnnotationPage
from omnipilot.bench.annotation.answers import AnswerFile, StepAnswer, StepCorrection
from omnipilot.bench.annotation.levels import rater_levels
from omnipilot.bench.annotation.model_rater import question
from omnipilot.bench.annotation.recordings import RecordingFolder, read_recording
from omnipilot.bench.doors.recorded import played_episodes
from omnipilot.bench.run.runner import run
from omnipilot.bench.spec import RunSpec
from omnipilot.envs import Modality

pytestmark = pytest.mark.exhibit("duet", "omnigui")
CRITICAL = (
    "number-by-voicemail",
    "network-by-voicemail",
    "spoken-code-to-log",
    "tones-to-message",
    "dialled-password-to-network",
)
PRESENT = (
    "send-message",
    "add-alarm",
    "move-file",
    "write-document",
    "forget-old-network",
    "help-code-to-network",
    "price-to-sheet",
    "mail-code-to-message",
    "message-address-to-document",
)
GRANTED = frozenset({Modality.SCREENSHOT, Modality.ELEMENTS, Modality.AUDIO})


def recorded(folder: Path, *tasks: str) -> Path:
    """A run of the oracle, whose readers write down what is to be read and heard."""
    agent = AgentSpec(planner=PartSpec("oracle"), readers=PartSpec("gold"), modalities=GRANTED)
    run(RunSpec(agent, PartSpec("duet", {"split": "all"}), tasks=tasks), folder)
    return folder


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return recorded(tmp_path_factory.mktemp("short") / "run", "spoken-code-to-log", "send-message")


@pytest.fixture
def recording(short: Path, tmp_path: Path) -> RecordingFolder:
    """The run, with answers in a folder of the test."""
    found = read_recording(short)
    return RecordingFolder(tmp_path, found.run, found.episodes)


def get(served: AnnotationPage, path: str) -> tuple[int, bytes]:
    try:
        with urllib.request.urlopen(served.url + path) as reply:
            return reply.status, reply.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def post(served: AnnotationPage, path: str, **values: Any) -> tuple[int, str]:
    asked = urllib.request.Request(
        served.url + path, json.dumps(values).encode(), {"Content-Type": "application/json"}, method="POST"
    )
    try:
        with urllib.request.urlopen(asked) as reply:
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_the_server_withholds_what_a_pass_may_not_see(recording: RecordingFolder) -> None:
    one = recording.episodes[0]
    steps = len(one.steps)
    with AnnotationPage(recording, recording.episodes, "kim") as served:
        view = json.loads(get(served, "episodes/0")[1])
        assert len(view["steps"]) == 1 and "action" not in view["steps"][0]
        assert "sound" not in json.dumps(view) and one.level not in json.dumps(view)
        assert get(served, "media/0/0/0/picture")[0] == 200
        assert get(served, "media/0/1/0/picture")[0] == 404  # a later step
        assert get(served, "media/0/0/0/sound")[0] == 400
        assert post(served, "second", episode=one.id, step=0, decided="yes", by=["screen"])[0] == 400
        assert post(served, "correction", episode=one.id, step=0, primitive="TAP", box=None, text="")[0] == 400
        assert post(served, "first", episode=one.id, step=1, decided="yes")[0] == 400
        assert post(served, "first", episode=one.id, step=0, decided="perhaps")[0] == 400
        for step in range(steps):
            assert post(served, "first", episode=one.id, step=step, decided="yes")[0] == 200
            sound = get(served, f"media/0/{min(step, steps - 2)}/0/sound")
            assert sound[0] == (400 if step < steps - 1 else 200)
        # A first answer stands.
        assert "stands" in post(served, "first", episode=one.id, step=0, decided="no")[1]
        assert "say what decided it" in post(served, "second", episode=one.id, step=0, decided="yes", by=[])[1]
        view = json.loads(get(served, "episodes/0")[1])
        assert len(view["steps"]) == steps and view["second"] and "sound" in view["steps"][-1]["screens"][0]
        assert get(served, "media/9/0/0/picture")[0] == get(served, "media/0/0/0/frame/../../spec.json")[0] == 404
        assert get(served, "media/1/0/0/sound")[0] == 400  # another episode
        box = [0, 0, 10_000, 5]
        assert (
            "does not lie on the screen"
            in post(served, "correction", episode=one.id, step=0, primitive="TAP", box=box, text="")[1]
        )


def test_the_order_of_screens_does_not_tell_whose_action_it_is(recording: RecordingFolder) -> None:
    one = recording.episodes[0]
    devices = [step.screens[0].env for step in one.steps]
    assert set(devices) == {"phone", "desktop"}
    with AnnotationPage(recording, [one], "kim") as served:
        for step, device in enumerate(devices):
            asked = served.episode_view(one)["steps"][step]["screens"]
            assert [screen["env"] for screen in asked] == ["desktop", "phone"]
            asked_of_model = [part for part in question(one, step) if isinstance(part, str)]
            assert asked_of_model[2:] == ["The desktop now:", "The phone now:"]
            served.take("first", {"episode": one.id, "step": step, "decided": "yes"})
            shown = served.episode_view(one)["steps"][step]["screens"]
            assert shown[0]["env"] == device
            assert {screen["env"]: screen["picture"] for screen in asked} == {
                screen["env"]: screen["picture"] for screen in shown
            }
            for screen, own in zip(shown, one.steps[step].screens, strict=True):
                assert own.picture is not None
                assert get(served, screen["picture"])[1] == own.picture.read_bytes()


def test_of_two_first_answers_at_once_one_stands(recording: RecordingFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    one = recording.episodes[0]
    with AnnotationPage(recording, [one], "kim") as served, ThreadPoolExecutor(4) as pool:
        append = served.answers.append

        def slowly(answer: Any) -> None:
            time.sleep(0.2)
            append(answer)

        monkeypatch.setattr(served.answers, "append", slowly)
        said = [pool.submit(served.take, "first", {"episode": one.id, "step": 0, "decided": "yes"}) for _ in range(4)]
        assert [each.exception() is None for each in said].count(True) == 1
        assert len(served.answers.read()) == 1
        assert post(served, "first", episode=one.id, step=1, decided="yes", which=3)[0] == 400


class Person:
    """Labels by keys, as `rater` tells of each step: the first answer, the second, and what decided it."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def at(self, second: bool, step: int, of: int) -> None:
        which = "second" if second else "first"
        self.page.wait_for_selector(f"#pass:has-text('{which} pass')")
        self.page.wait_for_selector(f"#pass:has-text('step {step + 1} of {of}')")

    def label(self, answers: list[tuple[str, str, int]]) -> None:
        for number, (before, _, _) in enumerate(answers):
            self.at(False, number, len(answers))
            assert self.page.locator("audio").count() == 0
            self.page.keyboard.press(before)
            self.page.keyboard.press("Enter")
        for number, (_, after, by) in enumerate(answers):
            self.at(True, number, len(answers))
            self.page.keyboard.press(after)
            self.page.keyboard.press(str(by))
            self.page.keyboard.press("Enter")
        self.page.wait_for_selector("#level")
        self.page.keyboard.press("2")
        self.page.wait_for_selector("button[aria-pressed=true]:has-text('Semantic')")
        self.page.keyboard.press("Enter")


@pytest.fixture
def page(launched_browser: Any) -> Iterator[Any]:
    context = launched_browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(20_000)
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    yield page
    context.close()
    # What the server refuses is told on the page, too; and it may end while the browser still asks for a picture.
    assert [one for one in problems if "400" not in one and "net::ERR_CONNECTION" not in one] == []


@pytest.mark.slow
@pytest.mark.web
def test_a_person_labels_corrects_stops_and_goes_on(page: Any, recording: RecordingFolder) -> None:
    one = recording.episodes[0]
    steps = len(one.steps)
    with AnnotationPage(recording, recording.episodes, "kim") as served:
        page.goto(served.url)
        person = Person(page)
        person.at(False, 0, steps)
        assert one.instruction in page.locator("#ask").inner_text()
        page.keyboard.press("Enter")
        page.wait_for_selector(".wrong:text('Say whether')")
        page.keyboard.press("w")
        page.keyboard.type("open Phone y n")  # Letters in a text are no answers.
        page.locator("button:has-text('Guess')").click()
        page.locator("button:text('Save and go on')").click()
        person.at(False, 1, steps)
        assert "Open app" in page.locator("#history").inner_text()
    assert [vars_of(one) for one in AnswerFile(recording.folder).read()] == [("guess", "open Phone y n")]
    with AnnotationPage(recording, recording.episodes, "kim") as served:
        page.goto(served.url)
        for step in range(1, steps):
            person.at(False, step, steps)
            page.keyboard.press("y")
            page.keyboard.press("Enter")
        person.at(True, 0, steps)
        # The lower right corner of the box, by the mouse and by keys.
        corner = page.locator(".box button").nth(3)
        place, scale = corner.bounding_box(), page.locator(".picture").first.bounding_box()["width"] / 412
        page.mouse.move(place["x"] + 7, place["y"] + 7)
        page.mouse.down()
        page.mouse.move(place["x"] + 7 - 20 * scale, place["y"] + 7 - 10 * scale, steps=3)
        page.mouse.up()
        page.keyboard.press("ArrowRight")
        page.locator("#primitive").select_option("LONG_PRESS")
        page.locator("#text").fill("exact ✓")
        page.locator("#text").blur()
        for key in ("y", "1", "2", "Enter"):
            page.keyboard.press(key)
        person.at(True, 1, steps)
        assert page.locator("#strip .supportive").count() == 1
    (mended,) = (one for one in AnswerFile(recording.folder).read() if isinstance(one, StepCorrection))
    before = one.steps[0].box
    assert before is not None and mended.box is not None
    assert mended.box == pytest.approx((*before[:2], before[2] - 19, before[3] - 10), abs=2)
    assert (mended.primitive, mended.text) == ("LONG_PRESS", "exact ✓")


def vars_of(answer: Any) -> tuple[str, str]:
    return answer.decided, answer.which


@pytest.mark.slow
@pytest.mark.web
def test_a_film_plays_in_the_place_of_the_picture(page: Any, recording: RecordingFolder, tmp_path: Path) -> None:
    """Answering does not stop it; the frames come from a run's media store."""
    from dataclasses import replace

    one = recording.episodes[0]
    first, second, *_ = [step.screens[0].picture for step in one.steps]
    assert first is not None and second is not None
    film = tmp_path / "film.json"
    film.write_text(json.dumps({"frames": [[0.0, first.stem], [0.5, second.stem]]}), encoding="utf-8")
    step = replace(one.steps[0], screens=(replace(one.steps[0].screens[0], film=film, film_span=600.0, sound=None),))
    filmed = replace(one, steps=(step,))
    folder = first.parents[2]
    assert folder.name == "run"
    with AnnotationPage(RecordingFolder(folder, True, (filmed,)), (filmed,), "films") as served:
        try:
            page.goto(served.url)
            person = Person(page)
            person.at(False, 0, 1)
            assert page.locator(".film").count() == 0
            page.keyboard.press("y")
            page.keyboard.press("Enter")
            person.at(True, 0, 1)
            page.keyboard.press(" ")
            page.wait_for_selector(f"#screens img.playing[src$='frame/{second.stem}']")
            page.keyboard.press("y")
            assert page.locator("#screens img.playing").count() == 1
            page.keyboard.press(" ")
            page.wait_for_selector("#screens img[src$='picture']:not(.playing)")
            assert get(served, f"media/0/0/0/frame/{second.stem}")[0] == 200
            assert get(served, f"media/0/0/0/frame/{'0' * 64}")[0] == 404
        finally:
            served.answers.path.unlink(missing_ok=True)


@pytest.mark.slow
@pytest.mark.web
def test_hostile_text_is_shown_as_text(page: Any, recording: RecordingFolder) -> None:
    from dataclasses import replace

    bad = "<img src=x onerror=\"document.title='gone'\"><script>document.title='gone'</script>"
    one = recording.episodes[0]
    steps = tuple(replace(step, words=bad, text=bad) for step in one.steps)
    hostile = replace(one, instruction=bad, steps=steps)
    with AnnotationPage(RecordingFolder(recording.folder, True, (hostile,)), (hostile,), f"kim {bad}") as served:
        page.goto(served.url)
        person = Person(page)
        for step in range(len(steps)):
            person.at(False, step, len(steps))
            page.keyboard.press("y")
            page.keyboard.press("Enter")
        person.at(True, 0, len(steps))
        assert page.locator("#ask").inner_text().count(bad) == 2
        assert page.title() == "Label what decided" and page.locator("#ask img, #ask script").count() == 0


@pytest.mark.slow
@pytest.mark.web
def test_a_folder_in_omniguis_format_is_labelled_too(page: Any, miniature: Any, tmp_path: Path) -> None:
    found = read_recording(miniature("omnigui"))
    one = next(one for one in found.episodes if one.level == "AV-critical")
    with AnnotationPage(RecordingFolder(tmp_path, False, (one,)), (one,), "kim") as served:
        page.goto(served.url)
        Person(page).label([("n" if not step else "y", "y", 2 if not step else 1) for step in range(len(one.steps))])
        page.wait_for_selector("#all")
    levels = rater_levels((one,), AnswerFile(tmp_path).read())
    assert levels["kim"].level(one.id) == "AV-critical"


def facts_of(text: str) -> set[str]:
    """What of a typed text nobody can know without having been told it: its numbers."""
    return set(re.findall(r"\d[\d:.]*", text))


def honest_answers(folder: Path) -> dict[str, list[tuple[str, str, int]]]:
    """By episode, what somebody answers who can read and hear, and knows which action is right: a typed number is
    decided where it stands in the instruction or on a screen so far, or where it was heard."""
    found = {}
    for one in played_episodes(folder):
        read, heard, answers = one.started.instruction, "", []
        for turn in one.turns:
            for told in turn.told:
                if told["source"] == "texts":
                    read += " " + told["text"]
                else:
                    heard += re.sub(r"^.*digits: (\d*).*$", r"\1", told["text"])
            for step in one.steps.get(turn.turn, ()):
                if step.executed is None:
                    continue
                facts = facts_of(str(step.executed.get("text", "")))
                if all(fact in read for fact in facts):
                    answers.append(("y", "y", 1))
                elif all(fact in heard for fact in facts):
                    answers.append(("n", "y", 2))
                else:
                    answers.append(("n", "n", 1))
        found[one.started.key] = answers
    return found


@pytest.mark.web
@pytest.mark.slow
def test_honest_labels_are_those_that_are_proved(page: Any, tmp_path: Path) -> None:
    """Fourteen tasks, labelled by keys: every level is the proved one."""
    folder = recorded(tmp_path / "run", *CRITICAL, *PRESENT)
    found, honest = read_recording(folder), honest_answers(folder)
    assert all(one.proved for one in found.episodes) and len(found.episodes) == 14
    with AnnotationPage(found, found.episodes, "kim") as served:
        page.goto(served.url)
        for number, one in enumerate(found.episodes):
            page.wait_for_selector(f"#place:text('Episode {number + 1} of')")
            Person(page).label(honest[one.id])
    done = omnipilot("annotate", str(folder))
    same, of = map(int, re.findall(r"as proved: (\d+) of (\d+)", done.stdout)[0])
    assert same == of == 14, done.stdout
    told = json.loads(omnipilot("annotate", str(folder), "--format", "json").stdout)
    assert sum(one["level"] == one["claimed"] for one in told["episodes"]) == same


def test_a_model_gives_first_answers_that_are_measured(short: Path) -> None:
    """It is shown pictures and no sound; what it was asked before is not asked again."""
    found = read_recording(short)
    steps = sum(len(one.steps) for one in found.episodes)

    def reply(asked: Any) -> Answer:
        text = json.dumps(asked.json)
        assert "audio" not in text
        decided = "no" if "Terminal" in text and "Wait" in text else "yes"
        return Answer(json.dumps({"decided": decided, "which": "tap"}))

    with ChatServer(reply) as server:
        line = ("annotate", str(short), "--model", "openai/test", "--url", server.url)
        done = omnipilot(*line)
        assert done.returncode == 0, done.stderr
        assert f"{steps} first answers" in done.stdout
        assert (
            "first pass: undecided where proved critical, decided elsewhere in 2 of 2 episodes; 0 critical"
            in done.stdout
        )
        assert "0 first answers" in omnipilot(*line).stdout
    given = [one for one in AnswerFile(short).read() if isinstance(one, StepAnswer)]
    assert len(given) == steps and not any(one.media for one in given)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--second", "3"), "name one with --rater"),
        (("--rater", "kim", "--second", "3", "--third"), "leave out"),
        (("--format", "xml"), "unknown format"),
        (("--rater", "max", "--third"), "nothing for a third"),
    ],
)
def test_options_that_do_not_fit_are_refused(short: Path, arguments: tuple[str, ...], problem: str) -> None:
    done = omnipilot("annotate", str(short), *arguments)
    assert done.returncode == 2 and problem in done.stderr


def test_what_is_no_recording_is_refused(tmp_path: Path) -> None:
    done = omnipilot("annotate", str(tmp_path))
    assert done.returncode == 2 and "neither a run directory nor" in done.stderr
