from __future__ import annotations

from typing import Any

import pytest

from omnipilot.bench.judges import DeviceEvidence, evaluate, judge, note_action, read_evaluator
from omnipilot.bench.tasks import Case, GraphEvaluator, JudgeGraph
from omnipilot.bench.tasks.judges import ExecutedAction
from omnipilot.envs import Action, Click, ConfigError, Press, Ref, TypeText, World, resolve
from omnipilot.envs.toy import ToyPhone

CODE = {"check": "check_state", "args": {"path": "note", "op": "=", "value": "{code}"}, "say": "{code} was not saved"}
NOTES = {"check": "check_app_in_front", "args": {"app": "Notes"}, "say": "Notes was not opened"}
CLICKED = {"check": "check_mouse_clicks", "args": {"text": "save"}, "say": "Save was not pressed"}


class Hands:
    """Acts on a toy phone, and keeps what judges are told."""

    def __init__(self) -> None:
        self.world = ToyPhone()
        self.world.reset(0)
        self.start = self.world.state()
        self.done: tuple[ExecutedAction, ...] = ()

    def act(self, *intents: Any) -> Hands:
        for intent in intents:
            elements = self.world.ui_tree()
            action: Action = resolve(intent, lambda ref, elements=elements: elements.by_id(ref.id).box.center)
            self.done += (note_action(self.world, "phone", action),)
            self.world.act(action)
        return self

    @property
    def case(self) -> Case:
        return Case(self.world, self.start, actions=self.done)


def save(text: str) -> list[Any]:
    return [Click(Ref("Notes")), TypeText(text, Ref("field")), Click(Ref("save"))]


def steps(graph: JudgeGraph, *intents: Any) -> list[float]:
    """Completion at the start and after each action."""
    hands, evaluator = Hands(), GraphEvaluator(graph)
    found = []
    for intent in (None, *intents):
        if intent is not None:
            hands.act(intent)
        evaluator.step(hands.case)
        found.append(round(evaluator.completion, 2))
    return found


def test_an_ordered_evaluator_is_a_chain_and_an_unordered_one_is_not() -> None:
    for ordered in (True, False):
        data = {"ordered": ordered, "checks": [NOTES, CODE]}
        graph = read_evaluator(data, {"code": "42"})
        assert bool(graph.edges) == ordered
        assert steps(graph, *save("42")) == [0, 0.5, 0.5, 1]


def test_progress_is_the_prefix_where_order_counts_and_the_share_where_not() -> None:
    case = Hands().act(*save("42")).case
    checks = [{"check": "check_text_exists_via_control", "args": {"text": "nowhere"}}, NOTES, CODE]
    share = evaluate({"checks": checks}, case, {"code": "42"})
    prefix = evaluate({"checks": checks, "ordered": True}, case, {"code": "42"})
    assert share.progress == pytest.approx(2 / 3) and share.reason.endswith("2 of 3 checks held")
    assert prefix.progress == 0 and prefix.reason.endswith("0 of 3 checks held, in order")


def test_the_message_is_that_of_the_first_check_that_fails() -> None:
    found = evaluate({"ordered": True, "checks": [NOTES, CODE]}, Hands().act(Click(Ref("Notes"))).case, {"code": "42"})
    assert found.reason.startswith("42 was not saved (note: ['']")
    assert found.progress == 0.5


def test_all_any_and_not_are_one_node_each() -> None:
    saved = {"all": [NOTES, CODE], "say": "not both"}
    data = {"checks": [saved, {"any": [CODE, NOTES], "name": "either"}, {"not": CLICKED}]}
    graph = read_evaluator(data, {"code": "42"})
    assert [node.name for node in graph.nodes][1] == "either" and len(graph.nodes) == 3
    case = Hands().act(Click(Ref("Notes"))).case
    both, either, unclicked = (node(case) for node in graph.nodes)
    assert both.progress == 0.5 and both.reason.startswith("not both (42 was not saved")
    assert either.reached and unclicked.reached
    assert not read_evaluator(data, {"code": "1"}).nodes[2](Hands().act(*save("42")).case).reached


def test_checks_of_one_moment_must_hold_at_one_moment() -> None:
    away = {"check": "check_app_in_front", "args": {"app": "Notes"}}
    apart = {"checks": [CODE, {"not": away}]}
    together = {"checks": [{"all": [CODE, {"not": away}]}]}
    assert steps(read_evaluator(apart, {"code": "42"}), *save("42"))[-1] == 1
    assert steps(read_evaluator(together, {"code": "42"}), *save("42"))[-1] == 0
    assert steps(read_evaluator(together, {"code": "42"}), *save("42"), Click(Ref("home")))[-1] == 1


def test_an_entry_may_have_to_last() -> None:
    away = {"not": {"check": "check_app_in_front", "args": {"app": "Notes"}}}
    again = [TypeText("7", Ref("field")), Click(Ref("save"))]
    mended = [TypeText("42", Ref("field")), Click(Ref("save")), Click(Ref("home"))]
    spoiled = [*save("42"), *again, Click(Ref("home"))]
    assert steps(read_evaluator({"checks": [CODE, away]}, {"code": "42"}), *spoiled)[-1] == 1
    lasting = {"checks": [{**CODE, "when": "lasting"}, away]}
    assert steps(read_evaluator(lasting, {"code": "42"}), *spoiled)[-1] == 0.5
    assert steps(read_evaluator(lasting, {"code": "42"}), *save("42"), *again, *mended)[-1] == 1


def test_clicks_are_counted_from_when_the_subtask_became_active() -> None:
    first = read_evaluator({"checks": [CODE]}, {"code": "1"})
    second = read_evaluator({"checks": [{**CLICKED, "name": "saved again"}]})
    graph = first.then(second)
    again = [TypeText("2", Ref("field")), Click(Ref("save"))]
    assert steps(graph, *save("1")) == [0, 0, 0, 0.5], "the click that ended the first subtask is not the second's"
    assert steps(graph, *save("1"), *again)[-1] == 1
    assert steps(second.then(JudgeGraph(first.nodes)), *save("1"))[-1] == 1


def test_typing_in_a_row_is_one_text() -> None:
    data = {"checks": [{"check": "check_keyboard_types", "args": {"text": "Bread  and MILK", "exact": True}}]}

    def typed(*actions: Any) -> bool:
        return evaluate(data, Hands().act(Click(Ref("Notes")), *actions).case).reached

    field = Ref("field")
    assert typed(TypeText("bread and milk", field))
    assert typed(TypeText("bread ", field), TypeText("and "), TypeText("milk"))
    assert not typed(TypeText("bread and ", field), Click(Ref("save")), TypeText("milk", field))
    assert not typed(TypeText("bread and ", field), TypeText("milk", field, clear=True))
    assert not typed(TypeText("bread and milk and more", field))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "an evaluator is an object"),
        ({"check": []}, "there is no key 'check'; did you mean checks"),
        ({"checks": []}, "at least one check"),
        ({"checks": [CODE], "ordered": "yes"}, "'ordered' must be true or false"),
        ({"checks": ["check_state"]}, r"checks\[0\] must be an object"),
        ({"checks": [{"args": {}}]}, "exactly one of check, all, any, not, each; there is none"),
        ({"checks": [{"check": "check_state", "not": {}}]}, "both check and not"),
        (
            {"checks": [{"check": "check_stat"}]},
            r"checks\[0\]: there is no judge 'check_stat'; did you mean check_state",
        ),
        ({"checks": [{"all": [{"check": "check_stat"}]}]}, r"checks\[0\].all\[0\]: there is no judge"),
        ({"checks": [{"any": []}]}, r"checks\[0\].any must be a list"),
        ({"checks": [{"not": {"not": 3}}]}, r"checks\[0\].not.not must be an object"),
        ({"checks": [{**CODE, "say": 3}]}, r"checks\[0\].say must be a text"),
        ({"checks": [{**CODE, "when": "later"}]}, 'must be "step", "lasting" or "end"'),
        ({"checks": [{**CODE, "why": "x"}]}, "there is no key 'why'"),
        (
            {"checks": [{"check": "check_state", "args": {"path": "a"}}]},
            "check_state needs the argument 'op', one of =",
        ),
        ({"checks": [{"check": "check_mouse_clicks", "args": {"text": 3}}]}, "text must be a text, not 3"),
        ({"checks": [{"check": "check_mouse_clicks", "args": {"txt": "a"}}]}, "no argument 'txt'; did you mean text"),
        ({"checks": [{"check": "check_mouse_clicks", "args": {"text": "{cod}"}}]}, "hole 'cod'; did you mean code"),
        ({"checks": [{"check": "check_state", "args": {"path": "a[", "op": "="}}]}, r"checks\[0\]: the path 'a\['"),
        ({"checks": [{"check": "os:system", "args": {}}]}, "there is no judge 'os:system'"),
    ],
)
def test_a_mistake_is_told_with_its_place_and_its_cure(data: Any, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        read_evaluator(data, {"code": "42"})


def test_entries_without_end_are_refused() -> None:
    entry: Any = CODE
    for _ in range(200):
        entry = {"not": entry}
    with pytest.raises(ConfigError, match="write it flatter"):
        read_evaluator({"checks": [entry]}, {"code": ""})
    value: Any = 1
    for _ in range(5000):
        value = [value]
    for args in ({"path": "a", "op": "=", "value": value}, {"path": "a[b=(" * 2000, "op": "="}):
        with pytest.raises(ConfigError, match="write it flatter"):
            read_evaluator({"checks": [{"check": "check_state", "args": args}]})


def test_a_value_cannot_break_out_of_a_path() -> None:
    evil = 'x" ] . code, id="'
    data = {"checks": [{"check": "check_state", "args": {"path": "plays[id={a}]", "op": "absent"}}]}
    assert evaluate(data, Hands().case, {"a": evil}).reached
    data = {"checks": [{"check": "check_state", "args": {"path": "{a}", "op": "absent"}}]}
    with pytest.raises(ConfigError, match="needs a name"):
        read_evaluator(data, {"a": "note"})


def test_holes_keep_types_and_braces_can_be_written() -> None:
    case = Hands().act(*save("{42}")).case
    assert evaluate({"checks": [CODE]}, case, {"code": "{42}"}).reached
    data = {"checks": [{"check": "check_state", "args": {"path": "note", "op": "=", "value": "{{{n}}}"}}]}
    assert evaluate(data, case, {"n": 42}).reached
    data = {"checks": [{"check": "check_state", "args": {"path": "plays[*]", "op": "count", "value": "{n}"}}]}
    assert evaluate(data, case, {"n": 0}).reached and not evaluate(data, case, {"n": "0"}).reached


def test_a_value_that_is_a_function_is_asked_when_it_is_judged() -> None:
    code = ["1"]
    graph = read_evaluator({"checks": [CODE]}, {"code": lambda: code[0]})
    case = Hands().act(*save("42")).case
    assert not graph.nodes[0](case).reached
    code[0] = "42"
    assert graph.nodes[0](case).reached


def test_each_is_a_stage_of_nodes_in_any_order() -> None:
    each = {"each": [CODE, {"check": "check_state", "args": {"path": "note", "op": "!=", "value": ""}}]}
    last = {"check": "check_mouse_clicks", "args": {"text": "Home"}}
    graph = read_evaluator({"ordered": True, "checks": [NOTES, each, last]}, {"code": "42"})
    assert len(graph.nodes) == 4 and len(graph.edges) == 4
    assert steps(graph, *save("42"), Click(Ref("home"))) == [0, 0.25, 0.25, 0.75, 1]
    with pytest.raises(ConfigError, match="write 'all'"):
        read_evaluator({"checks": [{"not": each}]}, {"code": ""})


def test_ones_own_kinds_are_known_by_name_and_type() -> None:
    @judge()
    def check_length(evidence: DeviceEvidence, least: int) -> tuple[float, str]:
        """The note is at least so long."""
        length = len(evidence.case.state.note)
        return min(1.0, length / least), f"{length} characters"

    data = {"checks": [{"check": "check_length", "args": {"least": 4}}]}
    (node,) = read_evaluator(data, own=[check_length]).nodes
    assert node(Hands().act(*save("42")).case).progress == 0.5
    assert check_length.about == "The note is at least so long."
    with pytest.raises(ConfigError, match="least must be a whole number, not '4'"):
        read_evaluator({"checks": [{"check": "check_length", "args": {"least": "4"}}]}, own=[check_length])


def test_nodes_have_unique_names_and_say_whether_somebody_has_to_look() -> None:
    graph = read_evaluator({"checks": [NOTES, NOTES, {"not": CLICKED}]})
    assert len({node.name for node in graph.nodes}) == 3
    assert [node.reads_controls for node in graph.nodes] == [False, False, True]


def test_keys_pressed_one_by_one_are_typing() -> None:
    data = {"checks": [{"check": "check_keyboard_types", "args": {"text": "ab1"}}]}
    world: Any = World
    done = tuple(ExecutedAction("pc", one) for one in (Press(("a",)), TypeText("b"), Press(("1",))))
    assert evaluate(data, Case(world, actions=done), env="pc").reached
    assert not evaluate(data, Case(world, actions=done), env="phone").reached
