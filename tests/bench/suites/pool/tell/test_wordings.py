"""Instructions made by rule: every order is one of the graph's, and a reader gets the graph back from the words."""

from __future__ import annotations

from functools import cache

import pytest
from drawn_graphs import drawn_graphs

from omnipilot.bench.suites.duet.recipe_book import book
from omnipilot.bench.suites.pool.compose.instances import NO_CONTENT
from omnipilot.bench.suites.pool.records import GraphRecord, Join
from omnipilot.bench.suites.pool.suite import compose_graph
from omnipilot.bench.suites.pool.tell.clauses import TaskClause, clauses_of, noun_of
from omnipilot.bench.suites.pool.tell.condensing import _patterns, condense, high_text
from omnipilot.bench.suites.pool.tell.corruptions import CORRUPTIONS, score_reader
from omnipilot.bench.suites.pool.tell.readers import ListedSubtask, Reading, RuleReader
from omnipilot.bench.suites.pool.tell.references import Antecedent, resolve_reference
from omnipilot.bench.suites.pool.tell.results import names_its_app, result_of
from omnipilot.bench.suites.pool.tell.topology import Pairs, closure, edges_of, is_connected, other_orders
from omnipilot.bench.suites.pool.tell.validator import validate
from omnipilot.bench.suites.pool.tell.wordings import name_of_result, plain_wording
from omnipilot.bench.synthesis.template import Resource


@cache
def drawn(count: int = 40, seed: int = 5) -> list[tuple[tuple[TaskClause, ...], Pairs]]:
    return [
        (clauses_of(composed), edges_of(graph))
        for graph, composed in drawn_graphs(book("").templates, count, seed, (2, 7))
    ]


def clauses(*subtasks: str, joins: tuple[Join, ...] = ()) -> tuple[TaskClause, ...]:
    return clauses_of(compose_graph(GraphRecord("g", subtasks, joins, seed=3), book("").templates, 0))


def whole(subtask: str) -> tuple[TaskClause, ...]:
    """A subtask alone; nothing where its content cannot be made."""
    try:
        return clauses(subtask)
    except NO_CONTENT:
        return ()


def test_a_code_is_spoken_of_and_not_said() -> None:
    told = clauses("read-gate-code", "text-contact", joins=(Join(1, "text", 0),))
    text = plain_wording(told).text(told)
    assert told[0].yields is not None
    assert told[0].yields.words in text
    assert told[0].yields.value not in text
    assert text.startswith("On the phone, open the conversation with ")
    assert ", then open the conversation with " in text


def test_independent_parts_stand_in_sentences_of_their_own() -> None:
    told = clauses("read-email", "start-timer")
    assert ", then " not in plain_wording(told).text(told)
    assert plain_wording(told, (1, 0)).text(told).startswith("On the phone, set the timer in Clock")


def test_results_that_are_spoken_of_alike_get_names() -> None:
    joins = (Join(2, "text", 0), Join(3, "text", 1))
    told = clauses("order-product", "order-product", "append-note", "retitle", joins=joins)
    text = plain_wording(told).text(told)
    assert "(code A: the number of the order" in text
    assert "type code A" in text
    assert "change its name to code B" in text


def test_the_same_person_is_named_where_somebody_else_stands_between() -> None:
    joins = (Join(1, "contact", 0), Join(3, "contact", 0))
    told = clauses("favourite-contact", "call-contact", "read-email", "text-contact", joins=joins)
    text = plain_wording(told).text(told)
    assert "(person A)" in text
    assert "the same person" not in text


@pytest.mark.slow
def test_every_rule_made_text_in_every_order_is_read_back() -> None:
    texts = 0
    for told, edges in drawn():
        for order in [tuple(range(len(told))), *other_orders(len(told), edges, tuple(range(len(told))), 3, seed=0)]:
            assert all(order.index(a) < order.index(b) for a, b in edges)
            text = plain_wording(told, order).text(told)
            found = validate(text, told, edges, RuleReader(), seed=texts)
            assert found.accepted, (text, found.describe())
            assert found.same_edges
            assert not found.given_away
            texts += 1
    assert texts > 120


@pytest.mark.slow
def test_what_is_to_be_achieved_is_shorter_and_read_back_too() -> None:
    low = high = 0
    for told, edges in drawn():
        short = high_text(told, edges, RuleReader())
        assert validate(short, told, edges, RuleReader()).accepted
        low += len(plain_wording(told).text(told).split())
        high += len(short.split())
    assert high < 0.75 * low


def test_one_clause_that_a_reader_needs_in_full_leaves_the_others_short() -> None:
    joins = (Join(1, "contact", 0), Join(3, "contact", 0))
    told = clauses("favourite-contact", "call-contact", "shift-event", "text-contact", joins=joins)
    edges = frozenset({(0, 1), (0, 3)})
    text = high_text(told, edges, RuleReader())
    assert "(person A)" in text and "Move the event" in text
    assert validate(text, told, edges, RuleReader()).accepted


def test_a_button_at_the_end_is_left_out_after_a_shortened_clause_too() -> None:
    (told,) = clauses("write-two")
    assert condense(told).template.startswith("keep in a new note")
    assert not condense(told).template.endswith("save it")


def test_every_pattern_shortens_a_subtask() -> None:
    templates = [clause.template for id in book("").templates for clause in whole(id)]
    unused = [pattern.pattern for pattern, _ in _patterns() if not any(pattern.search(text) for text in templates)]
    assert not unused


def test_a_clause_that_only_finds_out_goes_and_its_place_stays() -> None:
    told = clauses("read-code", "text-contact", joins=(Join(1, "text", 0),))
    text = high_text(told, frozenset({(0, 1)}), RuleReader())
    assert text.startswith("On the phone, send the door code from")
    assert '(on the desktop, see Mail, "Door code")' in text
    assert "press" not in text


@pytest.mark.slow
@pytest.mark.parametrize("high", [False, True])
def test_planted_faults_are_noticed(high: bool) -> None:
    score = score_reader(drawn(120, 11), RuleReader(), wanted=100, high=high)
    assert sum(score.planted.values()) == 100
    assert min(score.planted.values()) > 10
    assert set(score.planted) == set(CORRUPTIONS)
    assert score.sensitivity >= 0.95, score.missed
    assert not score.false_alarms


def test_a_reader_that_sees_no_dependency_is_not_taken_for_a_good_one() -> None:
    class Blind(RuleReader):
        def read(self, instruction: str, subtasks: object) -> Reading:
            return Reading()

    score = score_reader([one for one in drawn() if one[1]], Blind(), wanted=20)
    assert score.false_alarms == 1.0


def test_a_reference_is_of_the_clause_that_introduces_it() -> None:
    door = Antecedent(4, 'read the mail "Door code" from Maria Costa', "code")
    gate = Antecedent(7, "read the gate code in the last message", "code", nearest=True)
    assert resolve_reference("the door code from Maria Costa", [door, gate]) == 4
    assert resolve_reference("the gate code", [door, gate]) == 7
    assert resolve_reference("the same code", [door, gate]) == 7
    assert resolve_reference("the code", [door, gate]) is None
    assert resolve_reference("code B", [door, Antecedent(7, gate.text, "code", "code B")]) == 7


def test_subtasks_said_in_other_words_are_found_by_their_names() -> None:
    listed = [
        ListedSubtask('on the desktop, open Mail and read the mail "Door code" from Maria Costa', "code"),
        ListedSubtask('on the phone, open the conversation with "Eva" in Messages, type [text] and press "Send"'),
    ]
    told = 'Please open the mail "Door code" of Maria Costa. Message the door code from Maria Costa to "Eva".'
    assert RuleReader().read(told, listed) == Reading(frozenset({(0, 1)}))
    assert RuleReader().read('Message "8925" to "Eva".', listed).missing == {0}


def test_closure_and_connection() -> None:
    assert closure({(0, 1), (1, 2)}) == {(0, 1), (1, 2), (0, 2)}
    assert is_connected(3, {(0, 2), (1, 2)})
    assert not is_connected(3, {(0, 2)})
    assert other_orders(3, {(0, 1), (1, 2)}, (0, 1, 2), 3, seed=0) == []
    assert len(other_orders(3, set(), (0, 1, 2), 3, seed=0)) == 3
    assert other_orders(3, set(), (0, 1, 2), 1, seed=0) == [(2, 1, 0)]


def test_things_have_the_names_of_their_types() -> None:
    assert [noun_of(one) for one in ("contact", "text/code", "text/phone", "")] == [
        "person",
        "code",
        "phone number",
        "",
    ]


def in_app(node: int, app: str, text: str, place: str = "on the phone") -> TaskClause:
    return TaskClause(node, "phone", app.lower(), place, f"in {app}, {text}", {})


def test_an_application_is_named_once_for_clauses_that_follow_one_another() -> None:
    told = (
        in_app(0, "Notes", 'delete the document "Packing"'),
        in_app(1, "Notes", 'delete the document "Choir"'),
        in_app(2, "Files", 'delete the document "Rent"'),
        in_app(3, "Files", 'delete the document "Rent"', "on the desktop"),
    )
    text = high_text(told, frozenset(), RuleReader())
    assert text == (
        'On the phone, in Notes, delete the document "Packing". Delete the document "Choir". In Files, delete the '
        'document "Rent". On the desktop, in Files, delete the document "Rent".'
    )


def test_a_clause_is_that_of_the_application_that_was_named_last() -> None:
    listed = [ListedSubtask('in Notes, delete "Rent"'), ListedSubtask('in Mail, delete "Rent"')]
    told = 'In Notes, write "x". In Mail, delete "Rent".'
    assert RuleReader().read(told, listed).missing == {0}
    assert RuleReader().read(told + ' In Notes, write "y". Delete "Rent".', listed).missing == frozenset()


def test_a_clause_does_not_take_the_place_of_one_that_says_more() -> None:
    listed = [
        ListedSubtask("send a question with [code] as the text"),
        ListedSubtask("send a question with [email address] as the sender and [number] as the text"),
        ListedSubtask('open the place "Mill Park" and read the number', "number"),
        ListedSubtask('open the article "Two accounts" and read the email address', "email address"),
        ListedSubtask('open the product "Desk lamp" and read the code', "code"),
    ]
    told = (
        'Open the place "Mill Park" and read the number. Open the article "Two accounts" and read the email address, '
        "then send a question with the email address of the article as the sender and the number of the place as the "
        'text. Open the product "Desk lamp" and read the code, then send a question with the code of the product as '
        "the text."
    )
    assert RuleReader().read(told, listed).needs == {(2, 1), (3, 1), (4, 0)}


def test_a_result_that_has_no_name_but_its_kind_is_not_said_twice() -> None:
    def named(words: str) -> str:
        clause = TaskClause(0, "phone", "notes", "", "write a note", {}, yields=Resource("file", "x", words))
        return name_of_result(clause, "note A")

    assert named("the note that you changed") == named("the new note") == "note A"
    assert named("the number of the order") == "note A: the number of the order"


def chain() -> tuple[tuple[TaskClause, ...], Pairs]:
    """Subtasks as they are discovered: who a mail names, a task that says so, its code, and two that need the code."""
    mail = Resource("mail/existing", "mail-1", 'the mail "Party" from "Eva"')
    told = (
        TaskClause(
            0,
            "desktop",
            "mail",
            "on the desktop",
            "in Mail, open {mail} and read the phone number in it",
            {"mail": mail.words},
            yields=Resource("text/phone", "555", "the phone number in the mail that you opened"),
        ),
        TaskClause(
            1,
            "phone",
            "tasks",
            "on the phone",
            "in Tasks, find the task that says {fact} and open it",
            {},
            {"fact": Resource("text", "555", "the phone number in the mail that you opened")},
            {"fact": 0},
            {"fact": "text"},
            Resource("task/existing", "todo-1", "the task that you found"),
        ),
        TaskClause(
            2,
            "phone",
            "tasks",
            "on the phone",
            "in Tasks, open {todo} and read the code in it",
            {},
            {"todo": Resource("task/existing", "todo-1", "the task that you found")},
            {"todo": 1},
            {"todo": "task"},
            Resource("text/code", "7394", "the code in the task that you opened"),
        ),
        *(
            TaskClause(
                node,
                env,
                app.casefold(),
                f"on the {env}",
                f"in {app}, {text}",
                {},
                {"code": Resource("text/code", "7394", "the code in the task that you opened")},
                {"code": 2},
                {"code": "text"},
            )
            for node, env, app, text in (
                (3, "desktop", "Files", 'change the name of the document "Old" to {code}'),
                (4, "phone", "Notes", "write a new note with {code} as the title"),
            )
        ),
        in_app(5, "Settings", 'open "Display" and read the brightness'),
    )
    return told, frozenset({(0, 1), (1, 2), (2, 3), (2, 4)})


def test_what_is_found_out_is_spoken_of_where_it_is_needed() -> None:
    told, edges = chain()
    text = high_text(told, edges, RuleReader())
    code = 'the code in the task that says the phone number in the mail "Party" from "Eva"'
    assert text == (
        f'On the desktop, in Files, change the name of the document "Old" to {code}. On the phone, write a new note '
        f"with {code} as the title. In Settings, look up the brightness."
    )
    found = validate(text, told, edges, RuleReader())
    assert found.accepted and found.same_edges


def test_the_form_of_a_result_is_said_once() -> None:
    said = "the order in which the doors open (as in ABC)"
    doors = TaskClause(
        0,
        "phone",
        "gallery",
        "on the phone",
        'in Gallery, play the film "Doors" and watch for the order in which the doors open (as in ABC)',
        {},
        yields=Resource("text/code", "CAB", said),
    )
    note = TaskClause(
        1,
        "phone",
        "notes",
        "on the phone",
        "in Notes, write a new note with {text} as the text",
        {},
        {"text": Resource("text/code", "CAB", said)},
        {"text": 0},
        {"text": "text"},
    )
    text = high_text((doors, note), frozenset({(0, 1)}), RuleReader())
    assert text.startswith(f'On the phone, write a new note with {said} in the film "Doors"')
    assert text.count("as in ABC") == 1


def test_faults_in_what_is_spoken_of_are_noticed() -> None:
    told, edges = chain()
    text = high_text(told, edges, RuleReader())
    reader = RuleReader()
    other = text.replace('the mail "Party" from "Eva"', 'the mail "Rent" from "Eva"')
    assert not validate(other, told, edges, reader).accepted
    assert not validate(
        text.replace('the phone number in the mail "Party" from "Eva"', '"555"'), told, edges, reader
    ).accepted
    assert not validate(text.replace(" In Settings, look up the brightness.", ""), told, edges, reader).accepted
    assert not validate(text.replace(". In Settings, look", ", then in Settings, look"), told, edges, reader).accepted


@pytest.mark.parametrize(
    ("clause", "result"),
    [
        (
            'in Mail, open the mail "A and read" from "B" and read who is named in it',
            'the person named in the mail "A and read" from "B"',
        ),
        ("in Calendar, open [event] and read when it begins", "when [event] begins"),
        ("in Calendar, open [event] and read the place", "the place of [event]"),
        (
            'in Terminal, run "wc -l" on [file] and read the number that it prints',
            'the number that "wc -l" prints for [file]',
        ),
        ('in Settings, open "Display" and read the brightness', "the brightness"),
        ('open "Eva" in Contacts and read the email address', 'the email address of "Eva" in Contacts'),
        ("in Signals, start the lamp and watch for how often it blinks", ""),
        ("in Signals, play the ball and watch for the zone where it rests", "the zone where the ball rests"),
        ("in Phone, play [voicemail] and listen for the code", "the code in [voicemail]"),
        ("in Tasks, find the task that says [text] and open it", "the task that says [text]"),
        ("in Notes, delete [note]", ""),
    ],
)
def test_what_a_clause_finds_out_is_a_noun(clause: str, result: str) -> None:
    assert result_of(clause) == result


def test_an_application_is_not_named_where_what_it_has_is() -> None:
    assert names_its_app("Notes", "write a new note")
    assert names_its_app("Tasks", 'change the note of the task "Rent"')
    assert not names_its_app("Files", "delete [note]")
    assert not names_its_app("Terminal", "delete the note that you changed")
    assert not names_its_app("Notes", "delete the document of the mail")
