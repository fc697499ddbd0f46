"""The real Gymnasium: its own checker, vectors, spaces, and demonstrations that come to what a run comes to."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from demonstrations import demonstrate

from omnipilot.bench.doors import TaskEnv
from omnipilot.bench.doors.gymnasium_env import LONGEST, ObservedText, VerbSpace
from omnipilot.bench.session import Session
from omnipilot.bench.suites.duet import Duet
from omnipilot.envs import ConfigError, Image, Modality

gymnasium = pytest.importorskip("gymnasium")
np = pytest.importorskip("numpy")
from gymnasium.utils.env_checker import check_env  # noqa: E402

NAME = "omnipilot.gym:omnipilot/duet-v0"
SUITE = Duet()
TASKS = tuple(info.id for info in SUITE.tasks())
pytestmark = [pytest.mark.exhibit("duet"), pytest.mark.needs("omnipilot[gym]")]


def test_gymnasiums_own_checker_finds_nothing() -> None:
    env = gymnasium.make(NAME, task="send-message", pixels=("phone", "desktop"), render_mode="rgb_array")
    check_env(env.unwrapped)
    assert isinstance(env.unwrapped, TaskEnv)
    env.reset(seed=0)
    drawn = env.render()
    assert drawn.dtype == np.uint8 and drawn.ndim == 3 and drawn.shape[2] == 3 and drawn.std() > 10
    env.close()


@pytest.mark.parametrize("tasks", [TASKS[:3], pytest.param(TASKS, marks=pytest.mark.slow)], ids=["some", "all"])
def test_demonstrations_come_to_what_the_run_comes_to(tasks: tuple[str, ...], tmp_path: Path) -> None:
    env = TaskEnv("duet", deaf=True, pixels=("phone", "desktop"))
    for demonstration in demonstrate("duet", tasks, tmp_path):
        seen, opened = env.reset(options={"task": demonstration.task, "instance": 0})
        assert opened == {"task": demonstration.task, "instance": 0} and seen in env.observation_space
        assert seen["goal"] == demonstration.instruction
        paid, last = 0.0, (False, False, {})
        for verb in demonstration.verbs:
            assert not last[0] and not last[1]
            seen, reward, *rest = env.step(json.dumps(verb))
            paid, last = paid + reward, tuple(rest)
        assert last[:2] == (True, False) and last[2]["success"] and last[2]["ended"] == demonstration.reason
        assert abs(paid - 1) < 1e-9 and seen in env.observation_space
        pictures = {name: Image.from_array(seen[f"{name}_screenshot"]).digest for name in demonstration.digests}
        assert pictures == demonstration.digests
    env.close()


def test_a_sparse_reward_is_paid_at_success_only(tmp_path: Path) -> None:
    env = TaskEnv("duet", "send-message", elements=False, reward="sparse")
    (demonstration,) = demonstrate("duet", ["send-message"], tmp_path)
    seen, _ = env.reset(options={"instance": 0})
    assert set(seen) == {"goal"}
    paid = [env.step(json.dumps(verb))[1] for verb in demonstration.verbs]
    assert paid[-1] == 1.0 and not any(paid[:-1])


def test_what_is_no_verb_is_told_and_changes_nothing() -> None:
    env = TaskEnv("duet", "send-message")
    before, _ = env.reset(seed=1)
    for wrong in (
        "",
        "{",
        "[]",
        '{"kind": "clik"}',
        '{"env": 3}',
        "null",
        "\udcff",
        '{"env":"toaster","kind":"click","at":"x"}',
    ):
        seen, reward, terminated, truncated, info = env.step(wrong)
        assert info["result"] in ("malformed", "rejected") and info["message"], wrong
        assert seen == before and (reward, terminated, truncated) == (0.0, False, False)


def test_seeds_fix_instances_and_what_is_drawn_after_them() -> None:
    env = TaskEnv("duet")
    first = [env.reset(seed=5)[1], *(env.reset()[1] for _ in range(3))]
    assert [env.reset(seed=5)[1], *(env.reset()[1] for _ in range(3))] == first
    assert first[0]["instance"] == 5 and len({json.dumps(one) for one in first}) == 4
    session = Session(SUITE)
    opening = session.open(first[0]["task"], 5)
    assert env.reset(seed=5)[0]["goal"] == opening.instruction


def test_limits_truncate() -> None:
    env = gymnasium.make(NAME, task="send-message", max_episode_steps=2)
    env.reset(seed=0)
    verb = json.dumps({"kind": "wait", "seconds": 0})
    assert env.step(verb)[2:4] == (False, False)
    assert env.step(verb)[2:4] == (False, True)
    alone = TaskEnv("duet", "send-message")
    alone.reset(seed=0)
    ended = next(step for step in iter(lambda: alone.step(verb), None) if step[2] or step[3])
    assert ended[2:4] == (False, True) and ended[4]["ended"] == "turns"


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_vectors(mode: str) -> None:
    envs = gymnasium.make_vec(NAME, num_envs=2, vectorization_mode=mode, task="send-message", pixels=("phone",))
    seen, info = envs.reset(seed=3)
    assert info["instance"].tolist() == [3, 4] and len(set(seen["goal"])) >= 1
    assert seen["phone_screenshot"].shape[0] == 2 and seen["phone_screenshot"].std() > 10
    done = json.dumps({"kind": "done"})
    _, reward, terminated, truncated, _ = envs.step((done, "{"))
    assert terminated.tolist() == [True, False] and not truncated.any() and not reward.any()
    after, *_ = envs.step((done, "{"))
    assert after["goal"][0] and after in envs.observation_space
    envs.close()


def test_every_task_shows_what_its_spaces_hold() -> None:
    env = TaskEnv("duet", deaf=True)
    for task in TASKS:
        seen, _ = env.reset(options={"task": task, "instance": 2})
        assert seen in env.observation_space, task
        assert json.loads(seen["phone_elements"]) and len(seen["desktop_elements"]) < LONGEST


def test_tasks_that_hang_on_sound_are_refused_and_not_drawn() -> None:
    with pytest.raises(ConfigError, match="hangs on speech, which cannot be passed on here; .* deaf=True"):
        TaskEnv("duet", "spoken-code-to-log")
    env = TaskEnv("duet")
    with pytest.raises(ConfigError, match="hangs on speech"):
        env.reset(options={"task": "spoken-code-to-log"})
    drawn = {env.reset(seed=seed)[1]["task"] for seed in range(40)}
    assert "spoken-code-to-log" not in drawn and len(drawn) > 5
    assert TaskEnv("duet", "spoken-code-to-log", deaf=True).reset(seed=0)[1]["task"] == "spoken-code-to-log"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"task": "send-mesage"}, "did you mean 'send-message'"),
        ({"reward": "denser"}, "reward is 'dense' or 'sparse', not 'denser'"),
        ({"pixels": ("fridge",)}, "pixels: there is no 'fridge'; there are"),
        ({"pixels": "phone"}, r"pixels is a tuple of names, such as \('phone',\)"),
        ({"render_mode": "human"}, "render_mode is 'rgb_array' or None"),
        ({"suite": "duett"}, "duet"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        TaskEnv(**{"suite": "duet", **arguments})  # type: ignore[arg-type]
    env = TaskEnv("duet", "send-message")
    with pytest.raises(ConfigError, match="reset knows the options task and instance, not 'tsk'"):
        env.reset(options={"tsk": "x"})


def test_spaces_are_copied_without_their_tables() -> None:
    import copy
    import pickle

    space = ObservedText(seed=1)
    drawn = space.sample()
    for other in (copy.deepcopy(ObservedText(seed=1)), pickle.loads(pickle.dumps(ObservedText(seed=1)))):  # noqa: S301
        assert other == space and other.character_set is space.character_set and other.sample() == drawn
    assert len(pickle.dumps(space)) < 2000 and drawn in space and "é…日" in space and "\ud800" not in space
    assert VerbSpace(("a",)) == VerbSpace(("a",)) != VerbSpace(("b",)) and 3 not in VerbSpace(("a",))


def test_without_gymnasium_the_extra_is_named() -> None:
    code = "import sys; sys.modules['gymnasium'] = None\nimport omnipilot.gym"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install 'omnipilot[gym]'" in done.stderr


def test_screenshots_are_the_callers_to_write_to() -> None:
    env = TaskEnv("duet", "send-message", pixels=("phone",))
    seen, _ = env.reset(seed=0)
    seen["phone_screenshot"][:] = 0
    look = env._session.observe({Modality.SCREENSHOT})["phone"].screenshot
    assert isinstance(look, Image) and look.array().std() > 10
