"""The planner `person`: somebody in front of a browser, who decides with a mouse, keys and fingers."""

from __future__ import annotations

import json

from omnipilot.bench.play.page import page_of_this_process
from omnipilot.envs import ConfigError, Modality
from omnipilot.memory import Reply, Usage
from omnipilot.memory.models.exchange import Exchange, current_listener
from omnipilot.planners import Brief, Decision, Planner, Request


class PersonPlanner(Planner):
    """Shows each turn to a person, on a page that this process serves, and waits for what they do.

    They are shown what an agent is: the picture of each screen, and what sounded and moved since the turn before; no
    elements. What they do is turned into verbs by `omnipilot.bench.play.primitives_of`, and carried out, limited,
    judged and recorded as those of any planner. The raw events stay in the record, in the place of a model's answer.

    Args:
        player: who plays; part of the run's identity, and of its row in tables. Say so if it is a script.

    Raises:
        ConfigError: nobody is named.
    """

    main_option = "player"
    reads: frozenset[Modality] = frozenset({Modality.SCREENSHOT, Modality.AUDIO, Modality.VIDEO})
    takes_notes: bool = False
    points: bool = True

    def __init__(self, player: str) -> None:
        if not player.strip():
            raise ConfigError("planner 'person' needs a player: person:NAME, or --player NAME with omnipilot play")
        self.player = player.strip()

    def begin(self, brief: Brief) -> None:
        """Open the page, if it is not open, and show the instruction."""
        page_of_this_process().begin(brief, self.player)

    def plan(self, request: Request) -> Decision:
        """What the person does now; returns when they have done something."""
        done = page_of_this_process().decide(request)
        if (listener := current_listener()) is not None:
            raw = json.dumps([event.to_json() for event in done.events], ensure_ascii=False)
            kinds = ", ".join(one.move.intent.kind for one in done.primitives)
            reply = Reply(kinds, model=self.player)
            listener.exchanged(Exchange("planner", f"person/{self.player}", 1, {}, raw, reply, "", Usage()))
        return Decision(tuple(one.move for one in done.primitives))
