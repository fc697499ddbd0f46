"""The tasks of the split `asks`: solved by asking, and not without."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from made_settings import spec_of

from omnipilot.bench.run import run
from omnipilot.bench.suites.duet import Duet
from omnipilot.bench.suites.duet.asking import HOURS, TOPICS
from omnipilot.bench.suites.duet.proofs.proofs import PROOFS
from omnipilot.bench.suites.duet.proofs.rehearsal import Rehearsal
from omnipilot.bench.suites.duet.proofs.unasked import asking_is_needed
from omnipilot.bench.suites.duet.prove import flaws
from omnipilot.bench.tasks import UNKNOWN, Task
from omnipilot.bench.tasks.user_facts import ONE_AT_A_TIME
from omnipilot.envs import AskUser, Click, ConfigError, LongPress, OpenApp, Ref, System
from omnipilot.memory import Move

SUITE = Duet("asks")
IDS = ["which-robin", "alarm-untold-time", "which-site-plan", "cellar-code"]


def test_the_four_are_a_split_of_their_own_and_the_others_are_as_they_were() -> None:
    assert [info.id for info in SUITE.tasks()] == IDS
    assert {info.tags["split"] for info in SUITE.tasks()} == {"asks"} == {SUITE.split_of(id) for id in IDS}
    assert {info.tags["hangs_on"] for info in SUITE.tasks()} == {"user"}
    assert (len(Duet().tasks()), len(Duet("test").tasks()), len(Duet("all").tasks())) == (40, 80, 120)
    assert not {info.id for info in Duet("all").every()} & set(IDS)
    with pytest.raises(ConfigError, match="suite.split=asks"):
        Duet().instantiate("which-robin", 0)
    with pytest.raises(ConfigError, match="belongs to the test split"):
        SUITE.instantiate(Duet("test").tasks()[0].id, 0)
    with pytest.raises(ConfigError, match="leave out suite.add"):
        Duet("asks", add="my_tasks")


def test_no_other_task_has_a_user() -> None:
    suite = Duet("all")
    assert not any(suite.instantiate(info.id, 0).user for info in suite.tasks()[::15])


@pytest.mark.parametrize("task_id", IDS)
def test_asking_is_needed(task_id: str) -> None:
    assert asking_is_needed(SUITE, task_id, 1) == []


@pytest.mark.slow
@pytest.mark.parametrize("task_id", IDS)
def test_every_proof_holds(task_id: str) -> None:
    assert "asking is needed" in PROOFS and flaws(task_id, 2) == []


@pytest.mark.parametrize(
    ("task_id", "values"), [("which-robin", 4), ("which-site-plan", 4), ("alarm-untold-time", 60), ("cellar-code", 60)]
)
def test_what_is_lacking_has_as_many_values_as_is_stated(task_id: str, values: int) -> None:
    """Twins have values of their own; the two with four have no fifth, the two others have many more than are tried."""
    said = [_told(SUITE.instantiate(task_id, 0, twin)) for twin in range(values)]
    assert len(set(said)) == values
    if values == 4:
        with pytest.raises(ConfigError, match="has only 4 values"):
            SUITE.instantiate(task_id, 0, values)
    if task_id == "alarm-untold-time":
        assert {text[3:5] for text in said} == {f"{hour:02d}" for hour in HOURS} and 60 * len(HOURS) == 240


@pytest.mark.parametrize("task_id", ["which-robin", "which-site-plan"])
def test_what_is_lacking_is_drawn_evenly(task_id: str) -> None:
    """The best that one can do without asking is always the same choice: it is right in a quarter of the instances."""
    counts = Counter(_told(SUITE.instantiate(task_id, instance)) for instance in range(80))
    assert len(counts) == 4 and all(8 <= count <= 32 for count in counts.values()), counts


def _told(task: Task) -> str:
    """What the user of a task knows."""
    assert task.user is not None
    (fact,) = (fact for fact in task.user.facts if fact.answer != UNKNOWN)
    return fact.answer


@pytest.mark.parametrize("task_id", IDS)
def test_one_question_for_every_task_finds_nothing_out(task_id: str) -> None:
    user = SUITE.instantiate(task_id, 0).user
    assert user is not None
    everything = " ".join(topic for words in TOPICS.values() for topic in words)
    assert user.answer(everything) == ONE_AT_A_TIME
    assert user.answer("Which Robin, at what time, which file, and what is the code?") == ONE_AT_A_TIME
    assert user.answer("Is there anything that I should know?") == UNKNOWN
    known = [words for words in TOPICS.values() if user.answer(f"What about the {words[0]}?") != UNKNOWN]
    assert len(known) == 1


@pytest.mark.parametrize("task_id", IDS)
def test_what_is_asked_in_the_demonstration_is_answered(task_id: str) -> None:
    for instance in range(5):
        task = SUITE.instantiate(task_id, instance)
        assert task.solution is not None and task.user is not None
        trial = Rehearsal(task)
        (question,) = (move.intent.text for move in task.solution(trial.world) if isinstance(move.intent, AskUser))
        assert task.user.answer(question) == _told(task)


def test_a_message_to_the_wrong_person_stays_sent() -> None:
    """Also when its conversation is deleted afterwards, so that who guesses has one guess."""
    tasks = [SUITE.instantiate("which-robin", 0, twin) for twin in (0, 1)]
    wrong, right = (list(task.solution(Rehearsal(task).world)) for task in (tasks[1], tasks[0]))  # type: ignore[misc]
    trial = Rehearsal(tasks[0]).play(wrong, ended=False)
    (person,) = {place.split("/")[2] for move in wrong if "messages/new/" in (place := _place(move))}
    row = f"messages/threads/{person}"
    hide = (System("back"), System("back"), OpenApp("Messages"), LongPress(Ref(row)), Click(Ref(f"{row}/delete")))
    trial.play([Move("phone", one) for one in hide], ended=False)
    assert person not in {thread.contact for thread in trial.world.state().account.threads}
    assert trial.play(right).missing == ["no conversation lost"]


def _place(move: Move) -> str:
    at = getattr(move.intent, "at", None)
    return at.id if isinstance(at, Ref) else ""


def test_a_wrong_code_that_was_thrown_away_was_sent() -> None:
    tasks = [SUITE.instantiate("cellar-code", 0, twin) for twin in (0, 1)]
    wrong, right = (list(task.solution(Rehearsal(task).world)) for task in (tasks[1], tasks[0]))  # type: ignore[misc]
    trial = Rehearsal(tasks[0]).play(wrong, ended=False)
    (sent,) = trial.world.state().account.folder("sent")[:1]
    before = len(trial.world.state().account.folder("sent"))
    hide = (Click(Ref("mail/folder/sent")), Click(Ref(f"mail/list/{sent.id}")), Click(Ref("mail/read/trash")))
    trial.play([Move("desktop", one) for one in hide], ended=False)
    assert len(trial.world.state().account.folder("sent")) == before - 1, trial.failed
    assert trial.play(right).missing == ["mail sent", "no other code sent"]


def test_a_deleted_plan_that_is_put_back_stays_deleted() -> None:
    tasks = [SUITE.instantiate("which-site-plan", 0, twin) for twin in (0, 1)]
    wrong, right = (list(task.solution(Rehearsal(task).world)) for task in (tasks[1], tasks[0]))  # type: ignore[misc]
    trial = Rehearsal(tasks[0]).play(wrong, ended=False)
    assert trial.play(right).missing == ["file deleted"]


@pytest.mark.slow
@pytest.mark.exhibit("rules")
def test_the_oracle_asks_and_is_lost_where_nobody_answers(tmp_path: Path) -> None:
    suite = {"name": "duet", "split": "asks"}
    solved = {}
    for planner, user in (("oracle", "rules"), ("oracle", "none"), ("rules", "rules")):
        spec = spec_of({"suite": suite, "planner": planner, "user": user})
        episodes = run(spec, tmp_path / f"{planner}-{user}").episodes
        solved[planner, user] = sum(one.success for one in episodes)
        asked = sum(one.verbs.get("ask_user", 0) for one in episodes)
        assert asked == (4 if (planner, user) == ("oracle", "rules") else 0)
    assert solved == {("oracle", "rules"): 4, ("oracle", "none"): 0, ("rules", "rules"): 0}
