"""A session judges, limits and carries out as a run does; what is bad is told and changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from omnipilot.agents import Limits
from omnipilot.bench.journal.journal import read
from omnipilot.bench.journal.results import survey_of
from omnipilot.bench.session import Session
from omnipilot.bench.toy import TASK, ToySuite
from omnipilot.envs import AudioClip, Click, ConfigError, Done, EnvLost, Modality, OpenApp, Wait
from omnipilot.envs.schema import codec
from omnipilot.envs.toy import ToyPhone

SOUND = {Modality.AUDIO}


def solution(session: Session) -> list[dict[str, Any]]:
    """The verbs that solve the toy's task at an instance that was just opened, as JSON."""
    world = ToyPhone()
    task = session.suite.instantiate(TASK, 0)
    task.setup(world)
    assert task.solution is not None
    return [{"env": move.env, **codec.to_json(move.intent)} for move in task.solution(world)]


def playing(**how: Any) -> Session:
    session = Session("toy", **how)
    session.open(TASK)
    return session


def test_a_task_is_told_played_and_judged() -> None:
    with Session("toy") as session:
        opened = session.open(TASK)
        assert opened.instruction.startswith("Play the message") and opened.limits == Limits()
        assert opened.envs["phone"].kinds == ToyPhone.verbs and opened.past == ()
        paid, before = 0.0, 0.0
        for verb in solution(session):
            acted = session.act(verb)
            paid, before = paid + acted.completion - before, acted.completion
        assert acted.ended == "success" and paid == 1.0
        assert session.score().success and session.score().to_json()["completion"] == 1.0


def test_judges_see_every_step_on_the_way() -> None:
    session = playing()
    assert [session.act(verb).completion for verb in solution(session)] == [0.0, 0.0, 0.5, 0.5, 1.0]


def test_places_are_points_ids_or_words() -> None:
    session = playing()
    by_words = session.act({"kind": "click", "at": "Notes", "env": "phone"})
    assert by_words.result == "done" and isinstance(by_words.action, Click)
    assert session.act(Click("Home")).result == "done"
    assert session.act('{"kind": "click", "at": {"id": "Notes"}}').action == by_words.action


@pytest.mark.parametrize(
    ("verb", "result", "words"),
    [
        ({"kind": "clik"}, "malformed", "did you mean click"),
        ("{", "malformed", "no JSON"),
        (7, "malformed", "JSON object"),
        ({"kind": "noop", "env": 7}, "malformed", "one of phone"),
        ({"kind": "click", "at": "Nowhere"}, "not_found", "not found on phone"),
        ({"kind": "click", "at": {"x": 0.5, "y": 0.5}, "env": "tv"}, "rejected", "no environment 'tv'"),
        ({"kind": "click", "at": "Notes", "env": "tv"}, "rejected", "no environment 'tv'"),
        ({"kind": "open_app", "app": "Maps"}, "rejected", "no app 'Maps'"),
        ({"kind": "ask_user", "text": "Which?"}, "rejected", "no user to ask"),
    ],
)
def test_a_bad_verb_is_told(verb: Any, result: str, words: str) -> None:
    session = playing()
    before = session.observe(Modality)
    acted = session.act(verb)
    assert (acted.result, acted.action, acted.ended) == (result, None, "") and words in acted.message
    assert session.observe(Modality) == before


VALUES = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(), inner, max_size=3),
    max_leaves=8,
)
KEYS = some.sampled_from(["env", "at", "app", "text", "name", "keys", "seconds", "direction", "arguments", "path"])
LIKELY = some.dictionaries(KEYS | some.text(), VALUES, max_size=4).flatmap(
    lambda rest: some.sampled_from(
        ["click", "type", "open_app", "custom", "drag", "scroll", "press", "noop", "", 3]
    ).map(lambda kind: {**rest, "kind": kind})
)


@given(verb=LIKELY | VALUES | some.text() | some.dictionaries(some.integers(), VALUES, max_size=2))
def test_whatever_is_no_verb_is_told_and_changes_nothing(verb: Any) -> None:
    session = FUZZED
    before, score = session.mark(), session.score()
    seen = session.observe(Modality)
    acted = session.act(verb)
    if acted.result in ("malformed", "rejected", "not_found"):
        assert acted.message and acted.action is None
        assert session.observe(Modality) == seen and session.score() == score
    session.restore(before)


FUZZED = playing(limits=Limits(turns=None, actions=None))


def test_what_ends_it_is_told_and_nothing_goes_on() -> None:
    session = playing(limits=Limits(turns=2))
    assert session.act(Wait(1)).ended == "" and session.act(Wait(1)).ended == "turns"
    now = session.observe()["phone"].time
    after = session.act(Wait(1))
    assert after.result == "rejected" and "open a task" in after.message and after.ended == "turns"
    assert session.observe()["phone"].time == now
    session.open(TASK)
    assert session.act(Done("success")).ended == "done" and not session.score().success


def test_a_question_goes_to_whoever_answers() -> None:
    session = playing(ask=lambda question: f"{question} Yes.")
    assert session.act({"kind": "ask_user", "text": "Really?"}).message == "Really? Yes."


def test_sound_is_since_the_last_look_that_asked_for_it() -> None:
    session = playing()
    for verb in solution(session)[:2]:
        session.act(verb)
        session.observe()
    session.act(Wait(1))
    sound = session.observe(SOUND)["phone"].audio
    assert isinstance(sound, AudioClip) and sound.start == 0.0
    session.act(Wait(1))
    later = session.observe(["audio"])["phone"].audio
    assert isinstance(later, AudioClip) and later.start == sound.end


def test_a_fork_goes_its_own_way() -> None:
    session = playing()
    verbs = solution(session)
    for verb in verbs[:3]:
        session.act(verb)
    other = session.fork()
    assert other.score() == session.score() and other.observe(Modality) == session.observe(Modality)
    seen = session.observe(Modality)
    for verb in verbs[3:]:
        other.act(verb)
    assert other.score().success and other.ended == "success"
    assert not session.score().success and session.ended == "" and session.observe(Modality) == seen
    other.open(TASK)
    other.close()
    assert session.observe(Modality) == seen


def test_a_mark_is_come_back_to() -> None:
    session = playing()
    verbs = solution(session)
    for verb in verbs[:2]:
        session.act(verb)
    there, seen, score = session.mark(), session.observe(Modality), session.score()
    for _ in range(2):
        for verb in verbs[2:]:
            session.act(verb)
        assert session.score().success
        session.restore(there)
        assert session.observe(Modality) == seen and session.score() == score and session.ended == ""
    session.open(TASK)
    with pytest.raises(ConfigError, match="no longer open"):
        session.restore(there)


def test_asking_for_the_score_ends_and_changes_nothing() -> None:
    session = playing()
    session.act(Wait(1))
    assert session.score() == session.score() and session.ended == ""


class Unforked(ToyPhone):
    """A phone that cannot be put back, as no real one can."""

    capabilities = frozenset()


class UnforkedSuite(ToySuite):
    def world(self, thinking: Any) -> Unforked:
        return Unforked(thinking)

    def instantiate(self, task_id: str, instance: int) -> Any:
        from dataclasses import replace

        from omnipilot.bench import Judge, JudgeGraph

        graph = JudgeGraph((Judge("never", lambda _: False),))
        return replace(super().instantiate(task_id, instance), graph=graph)


def test_what_cannot_be_forked_says_so() -> None:
    session = Session(UnforkedSuite())
    session.open(TASK)
    with pytest.raises(ConfigError, match="cannot be forked; open the task in another session"):
        session.fork()
    with pytest.raises(ConfigError, match="has no snapshots"):
        session.mark()


def test_without_a_task_every_call_says_what_to_call_first() -> None:
    session = Session("toy")
    for call in (session.observe, session.score, session.fork, session.mark, lambda: session.act(Wait(1))):
        with pytest.raises(ConfigError, match=r"call open\(task\) first"):
            call()
    with pytest.raises(ConfigError, match="has one, 'save-code'"):
        session.open("save-cod")
    with pytest.raises(ConfigError, match="made by|given by its name"):
        Session(ToySuite(), options={"x": 1})


def test_a_device_that_is_gone_is_raised_and_the_next_task_gets_another() -> None:
    class Dying(ToyPhone):
        def act(self, action: Any) -> None:
            raise EnvLost("unplugged")

    class Suite(ToySuite):
        worlds = 0

        def world(self, thinking: Any) -> ToyPhone:
            self.worlds += 1
            return Dying(thinking) if self.worlds == 1 else ToyPhone(thinking)

    session = Session(Suite())
    session.open(TASK)
    with pytest.raises(EnvLost, match="unplugged"):
        session.act(OpenApp("Notes"))
    assert session.ended == "void"
    session.open(TASK)
    assert session.act(OpenApp("Notes")).result == "done"


def test_a_recorded_session_is_a_run_like_any_other(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with Session("toy", record=folder) as session:
        session.open(TASK)
        for verb in solution(session):
            session.observe()
            session.act(verb)
        session.open(TASK)
        session.act("nothing that could be read")
        session.act(Click("Notes"))
        with pytest.raises(ConfigError, match="goes on in one line"):
            session.mark()
        session.fork().act(OpenApp("Notes"))
    found = survey_of(folder)
    assert [(one.key, one.reason, one.turns, one.invalid) for one in found.episodes] == [
        (f"{TASK}#0.0", "success", 5, 0),
        (f"{TASK}#0.1", "done", 2, 1),
    ]
    assert not found.unreadable and not found.misfits and found.planned == 2
    turns = [event for event in read(folder) if event.event == "turn"]
    assert all("screenshot" in turn.observations["phone"] for turn in turns)
    with Session("toy", record=folder) as again:
        assert again.open(TASK).trial == 2
    assert len(survey_of(folder).episodes) == 3 and survey_of(folder).attempts[f"{TASK}#0.2"] == 1


def test_a_record_takes_the_suite_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="by name"):
        Session(ToySuite(), record=tmp_path)
    with Session("toy", record=tmp_path / "a"), pytest.raises(ConfigError, match="being written"):
        Session("toy", record=tmp_path / "a")


def test_what_broke_off_is_recorded_as_cut_off(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), Session("toy", record=tmp_path / "run") as session:
        session.open(TASK)
        session.act(Wait(1))
        raise RuntimeError("a bug of the caller's")
    assert survey_of(tmp_path / "run").unfinished == (f"{TASK}#0.0",)


@pytest.mark.exhibit("duet")
def test_a_record_begins_with_one_task_of_a_suite_that_has_many(tmp_path: Path) -> None:
    with Session("duet", record=tmp_path / "run") as session:
        session.open("add-alarm")
        session.act({"env": "phone", "kind": "open_app", "app": "Clock"})
    assert [one.key for one in survey_of(tmp_path / "run").episodes] == ["add-alarm#0.0"]
    with Session("duet", record=tmp_path / "run") as again:
        again.open("send-message")
    assert len(survey_of(tmp_path / "run").episodes) == 2
