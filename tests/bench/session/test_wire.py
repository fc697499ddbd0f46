"""What goes between a pool and its workers comes out as it went in."""

from __future__ import annotations

import json

from omnipilot.agents import Limits
from omnipilot.bench.session.answers import Opening
from omnipilot.bench.session.wire import opening_from_message, opening_to_message
from omnipilot.memory import Macro
from omnipilot.planners import Verbs


def test_a_macro_is_offered_behind_the_wire_with_the_steps_that_it_stands_for() -> None:
    steps = ({"kind": "type", "text": "{text}", "at": "the Name field"}, {"kind": "click", "at": "the Save button"})
    macro = Macro("name_it", "Type a name and save it.", steps, {"text": "the name"})
    verbs = Verbs("phone", frozenset({"click", "type", "custom"}), {"name_it": macro.verb()})
    data, files = opening_to_message(Opening("t", 0, 0, "Name it.", "", {"phone": verbs}, Limits()))
    (found,) = opening_from_message(json.loads(json.dumps(data)), files).envs["phone"].custom.values()
    again = Macro.from_verb(found)
    assert again is not None and again.steps == steps and set(again.parameters) == {"text"}
