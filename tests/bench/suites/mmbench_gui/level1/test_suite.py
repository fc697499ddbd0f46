"""MMBench-GUI level 1 as questions to agents: what is read of the data, what an agent is told, and the judge."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from mmbench_l1_made import LEVELS, data, group, item

from omnipilot.bench import Case
from omnipilot.bench.suites.mmbench_gui.level1.data import load
from omnipilot.bench.suites.mmbench_gui.level1.suite import MMBenchL1, question_prompt
from omnipilot.envs import Absent, ConfigError, Done, Thinking
from omnipilot.envs import Answer as Answered
from omnipilot.envs.types import ALL_MODALITIES


def test_the_three_questions_of_a_screen_and_their_indices(tmp_path: Path) -> None:
    where = data(tmp_path, [item(5, "os_ios"), item(9, groups=[group("easy", "D", 5, hint="Look up.")] * 3)])
    every = load(where).loaded
    assert [one.id for one in every.items] == [f"{screen}-{level}" for screen in (5, 9) for level in LEVELS]
    assert [one.index("all") for one in every.items] == [0, 1, 2, 3, 4, 5]
    hard = load(where, "hard").loaded
    # By its place in the groups; what the group says of itself is what the scores go by.
    assert [(one.id, one.index("hard"), one.difficulty) for one in hard.items] == [
        ("5-hard", 5, "hard"),
        ("9-hard", 9, "easy"),
    ]
    first = every.items[3]
    assert first.options == tuple(zip("ABCDE", (f"option {number}" for number in range(5)), strict=True))
    assert (first.answer, first.hint, first.size, first.app) == ("D", "Look up.", (4, 3), "Shop")
    assert first.image.read_bytes().startswith(b"\x89PNG") and not every.bad


def test_the_folder_above_will_do_and_a_path_with_its_platform_too(tmp_path: Path) -> None:
    data(tmp_path / "MMBench-GUI", [item(0, image_path="os_web/0.png")])
    assert len(load(str(tmp_path)).loaded.items) == 3


@pytest.mark.parametrize(
    ("broken", "field", "reason"),
    [
        (item(1, "os_amiga"), "platform", "must be one of os_windows, os_mac, os_linux, os_ios, os_android, os_web"),
        (item(1, image_path="x.png"), "image_path", "there is no file offline_images/os_web/x.png"),
        ({key: value for key, value in item(1).items() if key != "index"}, "index", "it is missing"),
        (item(1, picture=b"GIF89a"), "image_path", "1.png is not a readable picture"),
        (item(1, image_size=[0, 3]), "image_size", "above 0"),
        (item(1, groups=[group("easy", "E")] * 3), "answer", "must be one of A, B, C, D, not 'E'"),
        (item(1, groups=[group("easy", options=1)] * 3), "options", "there are 1; a question needs at least two"),
        (item(1, groups=[{**group("easy"), "options": {"A": "x", "b": "y"}}] * 3), "options.b", "named A to F"),
        (item(1, groups=[group("easy", question=" ")] * 3), "question", "it is empty"),
        (item(1, groups=[group("nasty")] * 3), "difficulty", "must be one of easy, medium, hard"),
        (item(1, groups=["?"] * 3), "group", "expected an object"),
    ],
)
def test_a_bad_question_is_listed_and_keeps_its_index(
    tmp_path: Path, broken: dict[str, Any], field: str, reason: str
) -> None:
    where = data(tmp_path, [item(0), broken, item(2)])
    found = load(where).loaded
    assert [one.index("all") for one in found.items] == [0, 1, 2, 6, 7, 8]
    assert [bad.record for bad in found.bad] == ["1-easy", "1-medium", "1-hard"]
    assert found.bad[0].field == field and reason in found.bad[0].reason
    assert str(found.bad[0]).startswith("L1_annotations.json, record 1-easy, field ")
    assert [bad.record for bad in load(where, "medium").loaded.bad] == ["1-medium"]


def test_a_screen_without_its_three_questions_or_twice_is_listed(tmp_path: Path) -> None:
    where = data(tmp_path, [item(0), item(1, groups=[group("easy")]), {"index": 2}, "?", item(0), item(3)])
    found = load(where).loaded
    assert [one.id for one in found.items] == [
        *(f"0-{level}" for level in LEVELS),
        "1-easy",
        "3-easy",
        *("3-medium", "3-hard"),
    ]
    assert [(bad.record, bad.field) for bad in found.bad[:3]] == [("1", "groups"), ("2", "groups"), ("3", "")]
    assert [bad.reason for bad in found.bad[3:]] == [f"it appears twice, as 0-{level}" for level in LEVELS]


def test_what_cannot_be_read_at_all_says_how_the_data_is_had(tmp_path: Path) -> None:
    for wrong in ("", str(tmp_path / "none"), str(tmp_path)):
        with pytest.raises(ConfigError, match="hf download OpenGVLab/MMBench-GUI"):
            MMBenchL1(wrong)
    data(tmp_path, [item(0, "os_amiga")])
    with pytest.raises(
        ConfigError, match="none of its 3 questions can be used, the first because: .*os_amiga.*hf down"
    ):
        MMBenchL1(str(tmp_path))
    data(tmp_path, [item(0)])
    for options in ({"mode": "any"}, {"parser": "paper"}):
        with pytest.raises(ConfigError, match="must be .*not '"):
            MMBenchL1(str(tmp_path), **options)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=r"did you mean 0-hard"):
        MMBenchL1(str(tmp_path)).instantiate("0-herd", 0)


def test_the_instruction_is_the_question_with_its_options(tmp_path: Path) -> None:
    question = load(data(tmp_path, [item(0, groups=[group("easy", hint="Look up.")] * 3)])).loaded.items[0]
    told = question_prompt(question).split("\n")
    assert told[:2] == ["Hint: Look up.", "Question: What is easy?"]
    assert told[2:7] == ["Options:", *(f"{letter}. option {number}" for number, letter in enumerate("ABCD"))]
    assert "letter" in told[7] and len(told) == 8
    assert question_prompt(question, hint=False) == "\n".join(told[1:])


def told(where: str, task_id: str) -> tuple[str, object, object, Mapping[str, Any]]:
    """All that an agent can be given of a question."""
    suite = MMBenchL1(where)
    world = suite.world(Thinking())
    instruction = suite.instantiate(task_id, 0).setup(world)
    (env,) = world.envs.values()
    seen = env.observe(ALL_MODALITIES, 0.0)
    assert not isinstance(seen.screenshot, Absent)
    shown = {name: getattr(seen, name) for name in ("time", "size", "elements", "audio", "video", "context")}
    return instruction, seen.screenshot.digest, (env.name, env.platform, env.size, env.verbs, world.ended()), shown


def test_nothing_of_the_truth_reaches_an_agent(tmp_path: Path) -> None:
    one = data(tmp_path / "one", [item(0, groups=[group("easy", "A", explanation="BECAUSE-1")] * 3)])
    other = data(tmp_path / "other", [item(0, groups=[group("easy", "D", explanation="BECAUSE-2")] * 3)])
    assert told(one, "0-easy") == told(other, "0-easy")
    assert "BECAUSE" not in repr(told(one, "0-easy"))
    infos = [MMBenchL1(where).tasks() for where in (one, other)]
    assert infos[0] == infos[1] and not infos[0][0].seeded
    assert infos[0][0].tags == {"platform": "os_web", "difficulty": "easy", "app": "Shop", "template": "screen-0"}
    # But it is part of what a run is of.
    assert MMBenchL1(one).version != MMBenchL1(other).version


@pytest.mark.parametrize(
    ("said", "release", "fixed"),
    [
        (Answered("B"), True, True),
        (Answered("B. option 1"), True, True),
        (Answered("option 1"), False, False),
        (Answered("Bad idea"), True, False),
        (Answered("a dog"), False, False),
        (Done("success", "B"), False, False),
        (None, False, False),
    ],
)
def test_the_judge_reads_the_answer_as_the_metric_does(
    tmp_path: Path, said: Answered | Done | None, release: bool, fixed: bool
) -> None:
    where = data(tmp_path, [item(0)])
    for parser, right in (("release", release), ("fixed", fixed)):
        suite = MMBenchL1(where, parser=parser)  # type: ignore[arg-type]
        task, world = suite.instantiate("0-hard", 0), suite.world(Thinking())
        task.setup(world)
        (judge,) = task.graph.nodes
        assert not judge(Case(world)).reached
        world.take([] if said is None else [said], "unreadable" if said is None else "")
        assert judge(Case(world)).reached == right
        assert world.ended()


def last_letter(reply: str) -> str | None:
    """A parser of a model's own: it writes the letter of its answer last."""
    return reply[-1] if reply[-1:] in tuple("ABCDEF") else None


def small_letter(reply: str) -> str | None:
    return "b"


def test_a_model_may_have_its_own_parser(tmp_path: Path) -> None:
    where = data(tmp_path, [item(0)])
    suite = MMBenchL1(where, parser=f"{__name__}:last_letter")
    task, world = suite.instantiate("0-hard", 0), suite.world(Thinking())
    task.setup(world)
    (judge,) = task.graph.nodes
    # The released parser would take the A.
    world.take([Answered("A. is what I thought first, but it is B")], "")
    assert judge(Case(world)).reached
    bad = MMBenchL1(where, parser=f"{__name__}:small_letter").instantiate("0-hard", 0)
    bad.setup(world)
    world.take([Answered("b")], "")
    with pytest.raises(ConfigError, match="capital letter from A to F"):
        bad.graph.nodes[0](Case(world))
    with pytest.raises(ConfigError, match="no_such"):
        MMBenchL1(where, parser=f"{__name__}:no_such")
