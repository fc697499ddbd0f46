"""Sub-task templates and how they are joined."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from omnipilot.bench import Judge, JudgeGraph
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template, compose, fits, joins
from omnipilot.envs import Answer, ConfigError, TypeText
from omnipilot.memory import Move


def read(draw: TaskSampler, _: Mapping[str, str], state: Any) -> Piece:
    code = str(draw.randrange(1000, 9999))
    return Piece(
        JudgeGraph.chain([Judge("opened", lambda _: False), Judge("read", lambda _: False)]),
        (*state, ("mail", code)),
        lambda _: [Move("desktop", TypeText("look"))],
        {"sender": "Ana"},
        Resource("code", code, "the code"),
    )


def send(_: TaskSampler, given: Mapping[str, str], state: Any) -> Piece:
    return Piece(
        JudgeGraph((Judge("sent", lambda _: False),)),
        (*state, ("expects", given["code"])),
        lambda _: [Move("phone", Answer(given["code"]))],
        {"to": "Bo"},
    )


READ = Template("read", "read the code in the mail from {sender}", "desktop", "mail", read, output="code")
SEND = Template(
    "send",
    "send {code} to {to}",
    "phone",
    "messages",
    send,
    {"code": "code"},
    alone=lambda draw, _: {"code": str(draw.randrange(10))},
)


def test_an_output_is_joined_to_the_input_of_its_type() -> None:
    assert joins([READ, SEND]) == {(1, "code"): 0}
    assert joins([READ, READ, SEND]) == {(2, "code"): 1}
    assert joins([SEND, READ]) == {}


def test_a_composed_task() -> None:
    task = compose([READ, SEND], (), "t", 0)
    assert task.instruction == "Read the code in the mail from Ana, then send the code to Bo."
    assert [node.name for node in task.graph.nodes] == ["1 opened", "1 read", "2 sent"]
    assert task.graph.edges == (("1 opened", "1 read"), ("1 read", "2 sent"))
    assert [node.env for node in task.graph.nodes] == ["desktop", "desktop", "phone"]
    (_, code), (_, expected) = task.state
    assert code == expected
    moves = [move for solution in task.solutions() for move in solution(())]
    assert moves == [Move("desktop", TypeText("look")), Move("phone", Answer(code))]
    assert code not in task.instruction


def test_a_template_alone_says_its_input() -> None:
    task = compose([SEND], (), "t", 3)
    ((_, value),) = task.state
    assert task.instruction == f'Send "{value}" to Bo.'
    assert task.graph.nodes[0].name == "sent"


def test_what_is_not_joined_may_be_done_in_any_order() -> None:
    assert compose([SEND, READ], (), "t", 0).graph.sources == ("1 sent", "2 opened")


def test_equal_seeds_give_equal_tasks_and_others_do_not() -> None:
    states = [compose([READ], (), "t", seed).state for seed in (1, 1, 2)]
    assert states[0] == states[1] != states[2]


def test_an_input_that_nothing_yields_is_refused() -> None:
    orphan = Template("orphan", "use {x}", "phone", "a", send, {"x": "nothing"})
    with pytest.raises(ConfigError, match="orphan: nothing yields its input 'x'"):
        compose([orphan], (), 0)


def test_a_template_that_yields_what_it_did_not_declare_is_refused() -> None:
    liar = Template("liar", "lie", "phone", "a", read)
    with pytest.raises(ConfigError, match="liar declares the output ''"):
        compose([liar], (), 0)


def test_a_type_fits_the_more_general_one() -> None:
    assert fits("text/code", "text") and fits("text", "text")
    assert not fits("text", "text/code") and not fits("textual", "text") and not fits("", "")


def pair(_: TaskSampler, given: Mapping[str, str], state: Any) -> Piece:
    return Piece(JudgeGraph((Judge("paired", lambda _: False),)), (*state, given), lambda _: [])


PAIR = Template(
    "pair", "on the phone, pair {first} with {second}", "phone", "a", pair, {"first": "code", "second": "code"}
)


def test_two_inputs_of_a_type_take_from_two_sub_tasks_and_join_their_branches() -> None:
    task = compose([READ, READ, PAIR], (), "t", 0)
    assert [dict(part.takes) for part in task.parts] == [{}, {}, {"first": 1, "second": 0}]
    assert set(task.graph.edges) >= {("1 read", "3 paired"), ("2 read", "3 paired")}
    assert task.graph.sources == ("1 opened", "2 opened")


def test_joins_can_be_given() -> None:
    assert joins([READ, READ, SEND], {(2, "code"): 0}) == {(2, "code"): 0}
    assert joins([READ, SEND], {(1, "code"): None}) == {}
    assert joins([READ, READ, PAIR], {(2, "second"): 1}) == {(2, "second"): 1, (2, "first"): 0}
    with pytest.raises(ConfigError, match="cannot be taken from step 3"):
        joins([READ, SEND, SEND], {(1, "code"): 2})
    with pytest.raises(ConfigError, match="unknown input: cod of step 2"):
        joins([READ, SEND], {(1, "cod"): 0})


def test_sentences_end_where_nothing_is_joined_and_name_a_device_once() -> None:
    first = Template("first", "on the phone, look", "phone", "a", pair_less)
    second = Template("second", "on the phone, look again", "phone", "a", pair_less)
    third = Template("third", "on the desktop, rest", "desktop", "b", pair_less)
    assert compose([first, second, third], (), 0).instruction == "On the phone, look. Look again. On the desktop, rest."


def pair_less(_: TaskSampler, __: Mapping[str, str], state: Any) -> Piece:
    return Piece(JudgeGraph((Judge("seen", lambda _: False),)), state, lambda _: [])


def test_an_input_may_be_spoken_of_otherwise_than_by_its_value() -> None:
    named = Template("n", "greet {code}", "phone", "a", send, {"code": "code"}, alone=lambda _, __: {"code": ANA})
    assert compose([named], (), 0).instruction == 'Greet "Ana".'


def test_what_is_drawn_beside_a_joined_input_fits_it() -> None:
    inputs = {"code": "code", "reply": "text"}
    pair = Template(
        "pair",
        "send {code}, then {reply}",
        "phone",
        "a",
        send,
        inputs,
        alone=lambda _, __: {"code": "0", "reply": "to 0"},
        beside=lambda _, given, __: {"reply": f"to {given['code']}"},
    )
    (_, joined) = compose([READ, pair], (), 0).parts
    assert joined.inputs["reply"].value == f"to {joined.inputs['code'].value}"
    (alone,) = compose([pair], (), 0).parts
    assert alone.inputs["reply"].value == "to 0"


ANA = Resource("code", "ana-silva", '"Ana"')


def test_what_a_piece_leads_to_lasts_unless_it_only_looks_or_another_changes_it() -> None:
    looks, changes = replace(READ, lasts=False), replace(SEND, changes=True)
    found = [
        {node.name: node.when == "lasting" for node in compose(some, (), "t", 0).graph.nodes}
        for some in ([READ, SEND], [looks, SEND], [READ, changes])
    ]
    assert found[0] == {"1 opened": False, "1 read": True, "2 sent": True}
    assert found[1] == {"1 opened": False, "1 read": False, "2 sent": True}
    assert found[2] == found[1]
