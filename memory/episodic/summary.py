"""The memory `summary`: older turns in a model's words, each claim checked against the turns that it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from omnipilot.envs import ConfigError, Modality
from omnipilot.memory.base import Budget
from omnipilot.memory.episodic.details import SummaryClaim, SummaryDetail
from omnipilot.memory.episodic.events import EventKind, TimelineEvent
from omnipilot.memory.episodic.excerpts import excerpt, words_of
from omnipilot.memory.episodic.memory import TimelineMemory
from omnipilot.memory.episodic.policies import LastTurnsPolicy
from omnipilot.memory.episodic.ranking import Asked, Candidate, Policy, Wanted, content_words, quote_words, variants
from omnipilot.memory.episodic.timeline import Scope
from omnipilot.memory.messages import MalformedReply, Message, Usage
from omnipilot.memory.models.exchange import in_role, tell_unread
from omnipilot.memory.models.model_options import ModelOptions
from omnipilot.memory.models.replies.json_text import single_object
from omnipilot.memory.models.replies.reasoning import without_thoughts
from omnipilot.memory.prompts import Prompt, read_prompt
from omnipilot.memory.quoting import one_line, quote
from omnipilot.memory.warm_up import warm_up

if TYPE_CHECKING:
    from omnipilot.memory.models.model import ChatModel

SHARE_FOUND = 0.6
"""A claim is kept if at least this share of its words that say something are in the turns that it names; every number
must be there."""
LONGEST_LINE, LONGEST_LIST = 300, 12_000
"""Characters of one event, and of all events together, that a model is asked to summarise at once."""
LONGEST_CLAIM = 400
MOST_CLAIMS = 40
"""Claims of one summary; what a model says beyond them is dropped."""
_NUMBER = re.compile(r"\d[\d.,:/-]*\d|\d")
_SPELLED = re.compile(r"\b\d(?:[ ,-]+\d)+\b")
_TOLD: frozenset[EventKind] = frozenset(
    {"context", "text", "sound", "transcript", "motion", "thought", "note", "action", "outcome", "write"}
)
_OWN: frozenset[EventKind] = frozenset({"thought", "note", "action"})
"""Kinds whose words are the agent's own."""
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "claims": {
            "type": "array",
            "maxItems": MOST_CLAIMS,
            "items": {
                "type": "object",
                "properties": {
                    "turns": {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 20},
                    "text": {"type": "string", "maxLength": LONGEST_CLAIM},
                },
                "required": ["turns", "text"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["claims"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of a summary, and the turns that it is taken from; `time` and `env` are where the last of them was."""

    text: str
    turns: tuple[int, ...]
    time: float = 0.0
    env: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a model made of some turns.

    Attributes:
        dropped: claims that named no such turn, or said what is not there.
        problem: why there is none, if its replies could not be read; "" otherwise.
    """

    first: int
    last: int
    claims: tuple[Claim, ...] = ()
    dropped: int = 0
    problem: str = ""


class SummaryPolicy(Policy):
    """Summarises blocks of older turns, each once, from what the asking role may see; recalls the claims.

    Two roles that may see different things get summaries of their own. A reply that cannot be read leaves its block
    without a summary and stops nothing.

    Args:
        model: a chat model. name: what it is called in the reasons.
        block: turns that are summarised at once. keep: newest turns that are not summarised yet.
        repairs: how often an unreadable reply is asked for again.
    """

    def __init__(self, model: ChatModel, name: str, block: int = 10, keep: int = 2, repairs: int = 1) -> None:
        self.model = model
        self.name = name
        self.block, self.keep, self.repairs = block, keep, repairs
        self._made: dict[tuple[Scope, int], Summary] = {}
        self._events: list[TimelineEvent] = []
        self._usage = Usage()

    def warm_up(self) -> None:
        """Load what the first call needs."""
        warm_up(self.model)

    def clear(self) -> None:
        """Forget the episode's summaries."""
        self._made.clear()
        self._events.clear()

    def drain_usage(self) -> Usage:
        """What the model's calls have cost since the last call of this."""
        spent, self._usage = self._usage, Usage()
        return spent

    def drain_events(self) -> tuple[TimelineEvent, ...]:
        """The summaries made since the last call."""
        made, self._events = tuple(self._events), []
        return made

    def candidates(self, asked: Asked) -> Iterator[Candidate]:
        """The claims about all turns but the newest, those with words of the task worth most."""
        wanted = Wanted.of(asked.query, "", asked.scope.envs).words
        upto = asked.now - self.keep
        first = min(0, asked.first)
        for start in range(first - first % self.block, upto - self.block + 1, self.block):
            summary = self._summary(start, start + self.block - 1, asked)
            for number, claim in enumerate(summary.claims, 1):
                said = frozenset(words_of(claim.text))
                held = [word for word in wanted if not said.isdisjoint(variants(word))]
                value = 0.5 + 0.5 * (start - first) / max(1, upto - first)
                if wanted:
                    value += 2 * len(held) / len(wanted)
                turn, id = claim.turns[-1], -(number + 100 * (start - first))
                event = TimelineEvent("summary", claim.env, claim.time, claim.time, turn, claim.text, id=id)
                reasons = [f"says {quote_words(held)}"] if held else []
                reasons.append(f"{self.name} in its summary of {_turns(range(start, start + self.block))}")
                reasons.append(f"taken from {_turns(claim.turns)}")
                yield Candidate(event, value, tuple(reasons), words=frozenset(held))

    def _summary(self, first: int, last: int, asked: Asked) -> Summary:
        key = (asked.scope, first)
        if key not in self._made:
            events = [event for event in asked.of_turns(first, last) if event.kind in _TOLD and event.text]
            if Modality.CONTEXT not in asked.scope.modalities:
                # Where it was is told by the context, whatever the event itself was derived from.
                events = [replace(event, app="", page="") for event in events]
            made = self._ask(first, last, events) if events else Summary(first, last)
            self._made[key] = made
            if events:
                self._events.append(_recorded(made, asked.scope, events[-1], self.name))
        return self._made[key]

    def _ask(self, first: int, last: int, events: Sequence[TimelineEvent]) -> Summary:
        """Ask the model for a summary, and again if it cannot be read."""
        messages = [Message("system", (summary_prompt().text,)), Message("user", (_listed(events),))]
        problem = ""
        for _ in range(self.repairs + 1):
            with in_role("memory"):
                reply = self.model.complete(messages, schema=SCHEMA)
            self._usage += reply.usage
            try:
                claims = _claims(single_object(without_thoughts(reply.text)))
            except (MalformedReply, KeyError, TypeError, ValueError) as error:
                problem = f"{error}"
                tell_unread(problem)
                told = f"Your reply cannot be read: {error}. Answer with the JSON object and nothing else."
                messages += [Message("assistant", (reply.text[:2000] or "(empty)",)), Message("user", (told,))]
                continue
            kept = tuple(_placed(claim, events) for claim in claims[:MOST_CLAIMS] if borne_out(claim, events))
            return Summary(first, last, kept, len(claims) - len(kept))
        return Summary(first, last, problem=problem)


class SummaryMemory(TimelineMemory):
    """Recalls the last turns in words, and what a model keeps of the older ones; each claim is checked.

    Args:
        model: provider and model, such as openai/gpt-4o. url, key_env, timeout, attempt, retries, price_in, price_out,
            parameters, cassette, replay: see `omnipilot.memory.models.LlmEndpoint`.
        block: turns that are summarised at once. keep: newest turns that are recalled in full.
        tokens: most tokens of text of one recall, by our estimate. images: most pictures. order: of the parts.
        repairs: how often an unreadable reply is asked for again; then its turns have no summary.

    Raises:
        ConfigError: an option is invalid, or the variable that should hold the key is empty.
    """

    main_option: ClassVar[str] = "model"
    whereabouts: ClassVar[frozenset[str]] = ModelOptions.whereabouts

    def __init__(
        self,
        model: str,
        url: str = "",
        key_env: str = "",
        timeout: float = 300.0,
        attempt: float = 120.0,
        retries: int = 4,
        price_in: float | None = None,
        price_out: float | None = None,
        parameters: Mapping[str, Any] | None = None,
        cassette: str = "",
        replay: bool = False,
        block: int = 10,
        keep: int = 2,
        tokens: int = 1_500,
        images: int = 1,
        order: str = "time",
        repairs: int = 1,
    ) -> None:
        given = (url, key_env, timeout, attempt, retries, price_in, price_out, parameters or {}, cassette, replay)
        self._build(ModelOptions(model, *given).connect(), model, block, keep, tokens, images, order, repairs)

    @classmethod
    def over(
        cls,
        model: ChatModel,
        block: int = 10,
        keep: int = 2,
        tokens: int = 1_500,
        images: int = 1,
        order: str = "time",
        repairs: int = 1,
    ) -> SummaryMemory:
        """A memory over an existing chat model; takes all options but those of the endpoint."""
        memory = cls.__new__(cls)
        memory._build(model, type(model).__name__, block, keep, tokens, images, order, repairs)
        return memory

    def identity(self) -> dict[str, str]:
        """What affects its results besides its options: the prompt, as a hash of its text."""
        return {"prompt": summary_prompt().digest}

    def warm_up(self) -> None:
        """Load what the first call of the model needs."""
        warm_up(*self.policies)

    def _build(
        self, model: ChatModel, name: str, block: int, keep: int, tokens: int, images: int, order: str, repairs: int
    ) -> None:
        if block < 1 or keep < 1 or repairs < 0:
            raise ConfigError(
                f"memory 'summary': block and keep must be at least 1, repairs at least 0, not {block}, {keep} and "
                f"{repairs}"
            )
        summary = SummaryPolicy(model, name, block, keep, repairs)
        # Turns that fill no block yet are recalled in full, too.
        super().__init__(
            [summary, LastTurnsPolicy(keep + block - 1, min(1, images))], Budget(images=images, tokens=tokens), order
        )


def summary_prompt() -> Prompt:
    """What a model is told to do."""
    return read_prompt("omnipilot.memory.episodic", "summary")


def borne_out(claim: Claim, events: Sequence[TimelineEvent]) -> bool:
    """Whether a claim says what is in the turns that it names: every number, and most of the words."""
    turns = frozenset(claim.turns)
    named = [event for event in events if event.turn in turns]
    if not turns or turns - {event.turn for event in named}:
        return False
    text = " ".join(f"{event.text} {event.app} {event.page} {event.env} {event.kind}" for event in named)
    said = frozenset(words_of(text))
    # Spoken digits may be told one by one: "7 3 9 4" says 7394.
    numbers = {_bare(number) for number in (*_NUMBER.findall(text), *_SPELLED.findall(text))}
    if any(_bare(number) not in numbers for number in _NUMBER.findall(claim.text)):
        return False
    words = [word for word in content_words(claim.text) if not word.isdigit()]
    found = sum(not said.isdisjoint(variants(word)) for word in words)
    return found >= SHARE_FOUND * len(words)


def _bare(number: str) -> str:
    """A number without what only groups its digits."""
    return re.sub(r"[\s,-]", "", number)


def _claims(data: Mapping[str, Any]) -> list[Claim]:
    """The claims of a reply.

    Raises:
        KeyError, TypeError, ValueError: it is something else.
    """
    found = []
    for item in data["claims"]:
        text, turns = item["text"], item["turns"]
        if not isinstance(text, str) or not isinstance(turns, list):
            raise ValueError('each claim has "turns", a list of numbers, and "text"')
        whole = [turn for turn in turns if isinstance(turn, int) and not isinstance(turn, bool)]
        if text.strip():
            found.append(Claim(" ".join(text.split())[:LONGEST_CLAIM], tuple(sorted(set(whole)))))
    return found


def _listed(events: Sequence[TimelineEvent]) -> str:
    """The events as lines for the model, each shortened, as many as fit; what was seen and heard is quoted."""
    most = max(40, min(LONGEST_LINE, LONGEST_LIST // max(1, len(events))))
    lines: list[str] = []
    left = LONGEST_LIST
    for event in events:
        where = ", ".join(filter(None, (event.env, quote(event.app) if event.app else "", event.kind)))
        words = excerpt(event.text, (), most, most)
        told = one_line(words) if event.kind in _OWN else quote(words)
        lines.append(f"turn {event.turn}, at {event.start:.1f} s, {where}: {told}")
        left -= len(lines[-1]) + 1
        if left < 0:
            return "\n".join(lines[:-1])
    return "\n".join(lines)


def _placed(claim: Claim, events: Sequence[TimelineEvent]) -> Claim:
    """The claim with when the last of its turns was, and its environment if all of them were on one."""
    mine = [event for event in events if event.turn in claim.turns]
    time = max(event.start for event in mine if event.turn == claim.turns[-1])
    envs = {event.env for event in mine if event.env}
    return replace(claim, time=time, env=envs.pop() if len(envs) == 1 else "")


def _recorded(made: Summary, scope: Scope, last: TimelineEvent, model: str) -> TimelineEvent:
    """A summary as an event for the record. It is recalled from `SummaryPolicy` alone, by the scope it was made for."""
    detail = SummaryDetail(
        (made.first, made.last),
        tuple(sorted(scope.envs)),
        tuple(sorted(one.value for one in scope.modalities)),
        tuple(SummaryClaim(claim.text, claim.turns) for claim in made.claims),
        made.dropped,
        model,
        made.problem,
    )
    text = " ".join(claim.text for claim in made.claims)
    return TimelineEvent("summary", "", last.start, last.end, made.last, text, detail=detail)


def _turns(turns: Sequence[int]) -> str:
    """Turns in words, numbered from one as planners are told them; before the first are those of the past."""
    past, own = [turn for turn in turns if turn < 0], [turn + 1 for turn in turns if turn >= 0]
    told = ["the time before the task"] if past else []
    if own:
        run = len(own) > 2 and own == list(range(own[0], own[-1] + 1))
        told.append(f"turns {own[0]} to {own[-1]}" if run else f"turn{'s' * (len(own) > 1)} {', '.join(map(str, own))}")
    return " and ".join(told)
