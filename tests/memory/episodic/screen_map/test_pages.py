"""Pages of the embedded world, as they are recognised: the quick form of `python tests/perf/map_pages.py`."""

from __future__ import annotations

import pytest

from omnipilot.envs import Box, Element
from omnipilot.memory.episodic.screen_map.features import features, front
from omnipilot.memory.episodic.screen_map.pages import THRESHOLD, Pages


def button(name: str, row: int, role: str = "button", states: frozenset[str] = frozenset()) -> Element:
    return Element(role, name, Box(0.1, row * 0.1, 0.4 + 0.01 * len(name), row * 0.1 + 0.08), states)


def form(person: str) -> tuple[Element, ...]:
    """A page of a person: the same controls, other contents."""
    texts = tuple(Element("text", f"{person} {n}", Box(0.1, 0.5 + n / 50, 0.9, 0.515 + n / 50)) for n in range(5))
    return (*(button(name, row) for row, name in enumerate(["Call", "Edit contact", "Delete contact"], 1)), *texts)


def test_contents_do_not_make_another_page() -> None:
    pages = Pages()
    first = pages.learn(None, features(form("Nina Rossi")))
    number, likeness = pages.recognise(features(form("Omar Haddad")))
    assert number == first
    assert likeness >= THRESHOLD


def test_other_controls_make_another_page() -> None:
    pages = Pages()
    pages.learn(None, features(form("Nina Rossi")))
    other = tuple(button(name, row) for row, name in enumerate(["Play", "Stop", "Shuffle"], 1))
    assert pages.recognise(features(other))[0] is None


def test_what_is_selected_tells_alike_pages_apart() -> None:
    chosen = frozenset({"selected"})
    names = ["Inbox", "Sent", "Trash"]

    def mail(folder: str) -> tuple[Element, ...]:
        return tuple(button(n, row, "tab", chosen if n == folder else frozenset()) for row, n in enumerate(names, 1))

    pages = Pages()
    inbox = pages.learn(None, features(mail("Inbox")))
    assert pages.recognise(features(mail("Inbox")))[0] == inbox
    assert pages.recognise(features(mail("Trash")))[0] is None


def test_numbers_times_and_clocks_are_no_features() -> None:
    assert features([button("Code 123", 1)]) == features([button("Code 978", 1)][:1])
    assert features([Element("time", "11:20", Box(0.1, 0.1, 0.2, 0.2))]) == {}


def test_the_front_is_what_is_listed_from_the_last_title_bar_on() -> None:
    bar = Element("titlebar", "Mail", Box(0.1, 0.1, 0.7, 0.15))
    close = Element("button", "Close", Box(0.7, 0.1, 0.75, 0.15))
    behind = Element("titlebar", "Files", Box(0.2, 0.3, 0.8, 0.35))
    gone = Element("listitem", "gone", Box(0.2, 1.0, 0.8, 1.0))
    rest = button("Send", 5)
    assert list(front([rest, bar, close, rest, behind, gone])) == [bar, close, rest, behind]
    assert list(front([rest, gone])) == [rest]


@pytest.mark.slow
@pytest.mark.exhibit("duet", "rules")
@pytest.mark.parametrize(("condition", "precision", "recall"), [("plain", 0.85, 0.92), ("dark and large", 0.85, 0.92)])
def test_pages_of_the_embedded_world(condition: str, precision: float, recall: float) -> None:
    from map_pages import CONDITIONS, demonstrations, rates, walks

    faults, look = CONDITIONS[condition]
    found = [*demonstrations(faults, look, 1, 45), *walks(faults, look, range(100, 104), 60)]
    right, complete, _ = rates(found)
    assert right >= precision
    assert complete >= recall


@pytest.mark.slow
def test_pages_routes_and_faults_of_the_embedded_world() -> None:
    from map_pages import CONDITIONS, demonstrations, rates, walks

    for name, (faults, look) in CONDITIONS.items():
        shown = list(demonstrations(faults, look, 1, 6))
        walked = list(walks(faults, look, range(100, 106)))
        right, complete, _ = rates([*shown, *walked])
        least = 0.93 if faults.none else 0.85
        assert right >= least, name
        assert complete >= least, name
        told, reached = sum(one.told for one in walked), sum(one.reached for one in walked)
        assert told >= 20
        assert reached >= (0.65 if faults.none else 0.3) * told, name
        steps, blind = ([n for one in walked for n in ways(one)] for ways in (lambda w: w.steps, lambda w: w.blind))
        assert 5 * sum(steps) < sum(blind)


@pytest.mark.exhibit("duet", "rules")
def test_a_new_screen_is_taken_in_fast() -> None:
    from map_pages import milliseconds

    new, same = milliseconds(300)
    assert new < 5.0  # loosely: the machine may be busy
    assert same < new / 10
