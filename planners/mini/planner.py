"""The planner `mini`: a small language model that was trained on the embedded world, run in this process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from omnipilot.envs import ConfigError, Done, Modality
from omnipilot.envs.types import CONTROL_VERBS
from omnipilot.memory import MOTION, TRANSCRIPT, Message, Move, Usage
from omnipilot.planners.base import Brief, Decision, Planner, Request
from omnipilot.planners.mini.hearing import heard_lines
from omnipilot.planners.mini.model_folder import MINI, check_model, read_config
from omnipilot.planners.mini.network import MOST_TOKENS, MiniNetwork
from omnipilot.planners.mini.openings import Openings
from omnipilot.planners.mini.recollection import recalled_before
from omnipilot.planners.mini.session import MiniPrompt, MiniSession, UnreadableMove

if TYPE_CHECKING:
    from omnipilot.memory.models import ChatModel

MOST_CALLS = 8
"""Calls of the model for one decision: replies that only go on to the next clause are followed by another."""
MOST_FAILURES = 4
FIRSTS = (0, 13, 26, 6, 19)
"""From which numbers the things of a prompt are numbered, each time that it is put."""
PLACES = ("ids", "described")
_NETWORKS: dict[Path, MiniNetwork] = {}


class MiniPlanner(Planner):
    """A language model of 2.5 million parameters that comes with the package; it needs no key, no GPU and no server.

    It knows the embedded phone and desktop and nothing else, decides by elements, and hears what readers tell it
    (`--readers perception`). Equal observations give equal moves. Weights that were trained with a memory are told what
    it recalls, those that were trained with film what moved, and those that were trained with intents what the task is
    for. Those that are shipped were trained with none of these, but for `mini-pool`, which is told what moved.

    Args:
        folder: weights of your own, from `omnipilot train planner`; "" for those that are shipped, and "pool" for
            `mini-pool`, which come with them and were trained on tasks of a pool with what `mini-ears` hears.
        votes: how often a question is put, 1 to 5, each time with numbers that begin elsewhere; the reply that is given
            most often counts. Fewer are asked once a reply has more than half of the votes.
        url: of a server that serves these weights (`omnipilot serve mini`), such as http://127.0.0.1:8000/v1; "" to run
            them in this process. served_name: what the server calls them.
        places: how it names a place: `ids` of elements, or `described` in words for a grounder to find, such as
            'the second "Save" button'. What no words mean alone keeps its id.

    Raises:
        ConfigError: there are no weights or broken ones, not that many votes, or no such way to name places.
    """

    main_option = "folder"
    reads: frozenset[Modality] = frozenset({Modality.ELEMENTS, Modality.CONTEXT})
    takes_notes: bool = True
    reads_examples: bool = False

    whereabouts = frozenset({"url"})

    def __init__(
        self, folder: str = "", votes: int = 5, url: str = "", served_name: str = "mini", places: str = "ids"
    ) -> None:
        if not 1 <= votes <= len(FIRSTS):
            raise ConfigError(f"planner 'mini': {votes} votes; choose 1 to {len(FIRSTS)}")
        if places not in PLACES:
            raise ConfigError(f"planner 'mini': places={places!r}; choose from {', '.join(PLACES)}")
        self._folder = MINI.folder(folder)
        check_model(self._folder)
        self._votes, self._url, self._served_name = votes, url, served_name
        self._described = places == "described"
        config = read_config(self._folder)
        self._most_recalled, self._most_saw, self._told_intents = config.recalled, config.saw, config.intents
        self._model: ChatModel | None = None
        self._session = MiniSession([])
        self._failures = 0
        self._last: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    def identity(self) -> Mapping[str, str]:
        """The hash of its weights."""
        return {"weights": MINI.digest(self._folder)}

    def warm_up(self) -> None:
        """Load the weights, unless a server has them."""
        if not self._url:
            self._network()

    def begin(self, brief: Brief) -> None:
        """Read the instruction."""
        self._session = MiniSession.begin(brief.instruction, self._described, self._most_recalled, self._most_saw)
        self._session.intent = brief.intent if self._told_intents else ""
        self._session.openings = Openings.of(brief.envs)
        self._failures = 0
        self._last = ((), ())

    def plan(self, request: Request) -> Decision:
        """The next move; several replies of the model if it first goes on to another clause."""
        failed = next((told.outcome.message or "failed" for told in request.feedback if told.outcome.refused), "")
        self._failures = self._failures + 1 if failed else 0
        if self._failures >= MOST_FAILURES:
            return Decision((Move("", Done("failure", "its moves keep failing")),), "My moves keep failing.")
        session = self._session
        take_in(session, request, failed)
        usage = Usage()
        notes: list[str] = []
        said: list[str] = []
        for _ in range(MOST_CALLS):
            prompt, reply, spent = self._vote(session)
            usage += spent
            said.append(reply)
            clause, kept = session.clause, len(session.kept)
            try:
                move = session.apply(reply, prompt)
            except UnreadableMove as error:
                told = f"unreadable reply: {error}"
                return Decision((Move("", Done("failure", told)),), told, tuple(notes), usage=usage)
            notes += [f"{one.text} ({clause})" for one in session.kept[kept:]]
            able = request.brief.envs[move.env].kinds if move is not None and move.env else frozenset()
            if move is not None and move.env and move.intent.kind not in able | CONTROL_VERBS:
                told = f"{move.env} cannot {move.intent.kind}"
                return Decision((Move("", Done("infeasible", told)),), told, tuple(notes), usage=usage)
            if move is not None:
                return Decision((move,), thought_of(session.clause, said), tuple(notes), usage=usage)
        return Decision((Move("", Done("failure", "went through all clauses")),), "No move.", tuple(notes), usage=usage)

    def _vote(self, session: MiniSession) -> tuple[MiniPrompt, str, Usage]:
        """The reply that is given most often, and the prompt that it was given to; of equals, what was given first.

        Replies that mean nothing do not count, nor the reply of the turn before if it has changed nothing, as long as
        there is another.
        """
        usage = Usage()
        given: dict[tuple[str, ...], tuple[MiniPrompt, str]] = {}
        votes: Counter[tuple[str, ...]] = Counter()
        idle: set[tuple[str, ...]] = set()
        screen: tuple[str, ...] = ()
        for first in FIRSTS[: self._votes]:
            prompt = session.prompt(first)
            screen = screen or prompt.references.canonical(prompt.screen)
            reply, spent = self._ask(prompt.text, session.openings)
            usage += spent
            meant = prompt.references.canonical(reply.split())
            given.setdefault(meant, (prompt, reply))
            votes[meant] += 1
            if (meant, screen) == self._last or not _is_readable(session, reply, prompt):
                idle.add(meant)
            if 2 * votes[meant] > self._votes and meant not in idle:
                break
        counted = [meant for meant, _ in votes.most_common()]
        best = next((meant for meant in counted if meant not in idle), counted[0])
        # To wait once more is no repetition; and what only goes on to another clause leaves the screen as it is.
        self._last = ((), ()) if best[:1] in (("wait",), ("next",), ("keep",)) else (best, screen)
        return *given[best], usage

    def _ask(self, prompt: str, openings: Openings | None = None) -> tuple[str, Usage]:
        """The model's reply, and what it took.

        One that opens what is not there is no reply in this process: of those that open something, the likeliest that
        is possible is taken then. A server is not bound in this way.
        """
        if not self._url:
            reply, asked, answered = self._network().reply(prompt)
            usage = Usage(1, asked, answered, models=("mini",))
            if openings is not None and not openings.allow(reply):
                whole = bool(openings.apps)
                reply, asked, answered = self._network().reply(prompt, among=openings.replies, whole=whole)
                usage += Usage(1, asked, answered, models=("mini",))
            return reply, usage
        from omnipilot.memory.models import ModelOptions

        if self._model is None:
            parameters = {"temperature": 0.0, "max_tokens": MOST_TOKENS}
            self._model = ModelOptions(f"hosted_vllm/{self._served_name}", self._url, parameters=parameters).connect()
        found = self._model.complete([Message("user", (prompt,))])
        return found.text.strip(), found.usage

    def _network(self) -> MiniNetwork:
        if self._folder not in _NETWORKS:
            _NETWORKS[self._folder] = MiniNetwork(self._folder)
        return _NETWORKS[self._folder]


def take_in(session: MiniSession, request: Request, failed: str = "") -> None:
    """Tell a session what a request tells: what is seen, what readers heard and saw move, and what memory recalled.

    Args:
        failed: why the last move failed; "" if it did not.
    """
    told = {TRANSCRIPT: "", MOTION: ""}
    for item in request.recalled:
        if item.source in told and item.turn == request.turn and isinstance(item.part, str):
            told[item.source] += f"{item.part}\n"
    recalled = recalled_before(request.recalled, request.turn)
    session.look(request.observations, heard_lines(told[TRANSCRIPT]), failed, recalled, told[MOTION].splitlines())


def thought_of(clause: str, said: Sequence[str]) -> str:
    """What the planner says of a decision: the clause that it is at, and its replies."""
    return f"{clause or 'All is done.'} [{' → '.join(said)}]"


def _is_readable(session: MiniSession, reply: str, prompt: MiniPrompt) -> bool:
    try:
        session.read(reply, prompt)
    except UnreadableMove:
        return False
    return True
