"""An agent whose expectations are checked: a move that did not do what it should is told in the next turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from omnipilot.agents.base import Agent, Choice, Situation
from omnipilot.agents.wrappers.base import Wrapper, situation_for, turn_for
from omnipilot.agents.wrappers.checks.clips import Clips
from omnipilot.agents.wrappers.checks.implied import Implied, implied_by, saves
from omnipilot.agents.wrappers.checks.screens import element_words, is_loading
from omnipilot.agents.wrappers.checks.verify import CheckFinding, ExpectationCase, starts_media, verify
from omnipilot.envs import Action, ConfigError, Elements, Modality, Observation, OpenApp, Press, TypeText
from omnipilot.envs.types import CONTROL_VERBS
from omnipilot.memory import Expectation, Memory, Recalled, Role, Step, Turn
from omnipilot.memory.episodic import TimelineEvent
from omnipilot.memory.episodic.details import CheckDetail
from omnipilot.memory.expectations import OF_ELEMENTS
from omnipilot.memory.window import verb_text
from omnipilot.planners import Brief

CHECK = "check"
"""Source of the notes."""
READ = frozenset({Modality.ELEMENTS, Modality.CONTEXT, Modality.SCREENSHOT, Modality.AUDIO})
"""What checks look at; also at video, where it is captured anyway."""

MEDIA_LOOKS, MEDIA_SECONDS = 3, 3.0
"""How many further observations, or seconds of the world's clock, pass before nothing is heard or moves after Play."""


class CheckAgent(Wrapper):
    """An agent that is told once, in its next turn, of each expectation that does not hold.

    What is expected is stated by the planner, or implied by the verb of an executed move. It is checked on the next
    observation of the environment that the role may see, before any other move there. While a screen says that it is
    loading, or where a control such as Play has its effect later, it waits for one more observation.

    Args:
        memory: keeps the findings in its timeline, if it has one.
        role: what the checks are shown: no more than the planner is granted.
        stated, implied: which expectations are checked.

    Attributes:
        found: the cases of this episode with their findings, in order.
    """

    def __init__(self, agent: Agent, memory: Memory, role: Role, stated: bool = True, implied: bool = True) -> None:
        if not stated and not implied:
            raise ConfigError("checks: neither stated nor implied expectations are to be checked; use none")
        super().__init__(agent)
        self.memory = memory
        self.role = replace(role, modalities=role.modalities & (READ | (agent.modalities & {Modality.VIDEO})))
        self.stated = stated
        self.implied = implied
        self.found: list[tuple[ExpectationCase, CheckFinding]] = []
        self._violated: list[tuple[ExpectationCase, CheckFinding]] = []
        self._due: dict[str, list[ExpectationCase]] = {}
        self._waited: dict[int, int] = {}
        self._clips = Clips()
        self._edited: set[str] = set()
        self._said: tuple[Expectation, ...] = ()
        self._events: list[TimelineEvent] = []

    @property
    def modalities(self) -> frozenset[Modality]:
        """Modalities of the wrapped agent, and those that are checked."""
        return self.agent.modalities | self.role.modalities

    def begin(self, brief: Brief) -> None:
        """Forget the last episode."""
        self.found, self._due, self._waited, self._said, self._events = [], {}, {}, (), []
        self._clips, self._edited = Clips(), set()
        super().begin(replace(brief, checks=True) if self.stated else brief)

    def decide(self, situation: Situation) -> Choice:
        """The wrapped agent's choice, told of what did not hold."""
        return self._ask(situation, self._notes(situation))

    def _ask(self, situation: Situation, notes: Sequence[Recalled]) -> Choice:
        """The wrapped agent's choice, told of notes."""
        choice = self.agent.decide(replace(situation, extra=(*situation.extra, *notes)) if notes else situation)
        self._said = choice.decision.expectations if self.stated else ()
        return choice

    def learn(self, turn: Turn) -> None:
        """Pass the turn on, and note what is now expected."""
        seen = turn_for(turn, self.role)
        if self.implied:
            for env in dict.fromkeys(_env_of(step, turn) for step in turn.steps):
                if self.role.sees(env):
                    self._expect_implied(env, [step for step in seen.steps if _env_of(step, turn) == env], seen)
        self._expect_stated(seen)
        if self.memory.keeps_timeline and self._events:
            self.memory.take_events(self._events)
            self._events = []
        super().learn(turn)

    def drain_events(self) -> tuple[TimelineEvent, ...]:
        """The events of the wrapped agent, and the findings if no memory keeps them."""
        own, self._events = tuple(self._events), []
        return (*super().drain_events(), *own)

    def _notes(self, situation: Situation) -> list[Recalled]:
        """Check what is due on the observations of the turn; a note on each violation, which `_violated` then holds."""
        notes: list[Recalled] = []
        self._violated = []
        for env, seen in situation_for(situation, self.role).observations.items():
            due, self._due[env] = self._due.get(env, []), []
            for case in due:
                finding = verify(case, seen)
                if finding.status != "kept" and self._is_early(case, seen):
                    self._waited[case.step] = self._waited.get(case.step, 0) + 1
                    self._due[env].append(case)
                    continue
                self._settle(case, finding, seen, situation.turn)
                if finding.status == "violated":
                    self._violated.append((case, finding))
                    notes.append(Recalled(_note(case, finding), CHECK, env, seen.time, situation.turn))
        return notes

    def _is_early(self, case: ExpectationCase, seen: Observation) -> bool:
        """Whether the effect may be still to come."""
        waited = self._waited.get(case.step, 0)
        if starts_media(case):
            since = seen.time - case.before.time if case.before is not None else MEDIA_SECONDS
            return waited < MEDIA_LOOKS and (not waited or since < MEDIA_SECONDS)
        return not waited and is_loading(seen)

    def _expect_implied(self, env: str, steps: Sequence[Step], turn: Turn) -> None:
        """What the turn's moves in an environment imply; all but the last are settled on what was seen before the next
        one, if anything was."""
        before: Observation | None = turn.observations.get(env)
        for step, after in zip(steps, (*steps[1:], None), strict=True):
            if step.fresh:
                before = step.seen
            # What a recording did is no move of the planner's.
            if step.executed is not None and step.outcome.result == "done":
                pasted = self._clips.take(step.executed, before, env)
                implied = Implied(*pasted) if pasted is not None else self._implied(step.executed, before, env)
                if implied is not None:
                    case = ExpectationCase(implied.expectation, step.index, before, implied.element, step.executed)
                    if after is None:
                        self._due.setdefault(env, []).append(case)
                    elif not after.fresh or after.seen is None:
                        unseen = CheckFinding("untold", "another move followed before the next look")
                        self._settle(case, unseen, turn.observations.get(env), turn.index)
                    else:
                        finding = verify(case, after.seen)
                        if finding.status == "violated":
                            # Told in the next turn, if it is still so.
                            self._due.setdefault(env, []).append(case)
                        else:
                            self._settle(case, finding, after.seen, turn.index)
                before = None

    def _implied(self, action: Action, before: Observation | None, env: str) -> Implied | None:
        implied = implied_by(action, before, env, env in self._edited)
        if isinstance(action, TypeText) and not action.submit:
            self._edited.add(env)
        elif isinstance(action, OpenApp) or (isinstance(action, Press) and saves(action)):
            self._edited.discard(env)
        return implied

    def _expect_stated(self, turn: Turn) -> None:
        said, self._said = self._said, ()
        carried = [step for step in turn.steps if step.executed is not None and step.executed.kind not in CONTROL_VERBS]
        refused = any(step.outcome.refused for step in turn.steps)
        names = tuple(turn.observations)
        for expectation in said:
            last = carried[-1].proposed if carried else None
            env = expectation.env or (last.env if last is not None else "") or (names[0] if len(names) == 1 else "")
            case = ExpectationCase(
                replace(expectation, env=env), carried[-1].index if carried else -1, turn.observations.get(env)
            )
            if expectation.kind == "clipboard" and env:
                self._clips.state(env, expectation.value)
            self._events.append(event_of(case, "stated", "", turn.observations.get(env), turn.index, None))
            if refused or not env or not self.role.sees(env):
                why = "a move of the turn was not carried out" if refused else f"{env or 'the device'} is not visible"
                self._settle(case, CheckFinding("untold", why), turn.observations.get(env), turn.index)
            else:
                self._due.setdefault(env, []).append(case)

    def _settle(self, case: ExpectationCase, finding: CheckFinding, seen: Observation | None, turn: int) -> None:
        self.found.append((case, finding))
        self._events.append(event_of(case, finding.status, finding.found, seen, turn, finding.modality))


def _env_of(step: Step, turn: Turn) -> str:
    """The environment of a step; a move may leave it out if there is only one."""
    env = step.proposed.env if step.proposed is not None else ""
    names = tuple(turn.observations)
    return env or (names[0] if len(names) == 1 else "")


def _note(case: ExpectationCase, finding: CheckFinding) -> str:
    """What is told to the planner."""
    if case.action is None:
        return f"You expected that {case.expectation}, but {finding.found}."
    did = done_words(case.action, case)
    return f"{did} should have had the effect that {case.expectation}, but {finding.found}."


def done_words(action: Action, case: ExpectationCase) -> str:
    """A move in words, for notes."""
    where = f" ({element_words(case.element)})" if case.element is not None else ""
    return f"Your last move on {case.expectation.env}, {verb_text(action)}{where},"


def _shows_elements(seen: Observation | None) -> bool:
    return seen is not None and isinstance(seen.elements, Elements)


def event_of(
    case: ExpectationCase, status: str, found: str, seen: Observation | None, turn: int, modality: Modality | None
) -> TimelineEvent:
    """A case as an event: stated, kept, violated, untold, or repaired by the checks."""
    time = seen.time if seen is not None else 0.0
    if case.implied and case.expectation.kind in OF_ELEMENTS and _shows_elements(case.before):
        # Its words are from the screen, even where the finding is not.
        modality = Modality.ELEMENTS
    words = f"{case.expectation}: {status}" + (f" ({found})" if found else "")
    detail = CheckDetail(
        status,
        "implied" if case.implied else "stated",
        case.expectation.to_json(),
        case.step if case.step >= 0 else None,
        found,
    )
    return TimelineEvent("check", case.expectation.env, time, time, turn, words, modality, detail=detail)
