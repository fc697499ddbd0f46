"""The index of examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from omnipilot.memory import Usage
from omnipilot.memory.examples import Example, ExampleIndex
from omnipilot.memory.models.embeddings import Embeddings


def example(
    task: str, instruction: str, *steps: str, solved: bool = True, run: str = "r", demo: bool = False
) -> Example:
    return Example(task, frozenset({f"template {task}"}), instruction, solved, steps, run, f"{task}#0.0", demo)


ALARM = example("alarm", "Set an alarm for 07:30", "phone: open_app app=Clock", 'phone: click at="New alarm"')
MAIL = example("mail", "Send a mail to Dana", "desktop: open_app app=Mail", solved=False)
NOTE = example("note", "Write a note about the garden", "phone: open_app app=Notes")
INDEX = ExampleIndex([ALARM, MAIL, NOTE])


def test_the_most_alike_comes_last() -> None:
    found = INDEX.find("Set an alarm at 07:30, then send it", 2)
    assert [str(one.part).split(":")[1][:9] for one in found] == [' "Send a ', ' "Set an ']
    assert {one.source for one in found} == {"example"}
    assert found[-1].why == "similar task: set, alarm, 07, 30; alarm#0.0 of run r"


def test_it_tells_what_the_task_was_and_whether_it_was_solved() -> None:
    (one,) = INDEX.find("mail", 1)
    assert one.part == 'Earlier task (not solved): "Send a mail to Dana"\n1. desktop: open_app app=Mail'
    assert example("x", "x", demo=True).describe(100) == 'Earlier task (a demonstration): "x"'


def test_an_example_that_shares_a_template_is_not_given() -> None:
    assert INDEX.find("Set an alarm", 3, {"template alarm"}) == ()
    assert len(INDEX.find("Set an alarm", 3, {"template mail"})) == 1


def test_common_words_find_nothing() -> None:
    assert INDEX.find("to the", 3) == ()
    assert INDEX.find("an alarm", 0) == ()


def test_it_keeps_to_its_characters() -> None:
    long = ExampleIndex([example("alarm", "Set an alarm", *(f"step {n} of many" for n in range(100)))])
    for characters in (0, 20, 60, 100, 500, 5_000):
        assert sum(len(str(one.part)) for one in long.find("alarm", 2, (), characters)) <= characters
    (one,) = long.find("alarm", 1, (), 120)
    assert str(one.part).endswith("more")


def test_two_trials_of_one_task_are_one_example() -> None:
    twice = ExampleIndex([ALARM, example("alarm", "Set an alarm for 07:30", "phone: home", run="other")])
    assert len(twice.find("alarm", 2)) == 1


def test_the_digest_is_of_what_they_say() -> None:
    again = ExampleIndex([NOTE, MAIL, example("alarm", ALARM.instruction, *ALARM.steps, run="elsewhere")])
    assert again.digest == INDEX.digest
    assert ExampleIndex([ALARM, MAIL]).digest != INDEX.digest


class Topics(Embeddings):
    """Vectors of what a text is about: waking, writing to somebody, anything else."""

    def __init__(self, weights: str = "1") -> None:
        self.weights = weights
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> tuple[Any, Usage]:
        self.asked += texts
        about = [("alarm", "wake"), ("mail", "letter"), ()]
        found = [next((at for at, words in enumerate(about) if any(one in text for one in words)), 2) for text in texts]
        return np.eye(3, dtype=np.float32)[found], Usage()

    def identity(self) -> Mapping[str, str]:
        return {"weights": self.weights}


def test_what_means_the_same_is_found_without_a_word_in_common() -> None:
    topics = Topics()
    index = ExampleIndex([ALARM, MAIL, NOTE], topics)
    assert ExampleIndex([ALARM, MAIL, NOTE]).find("wake me early", 1) == ()
    (found,) = index.find("wake me early", 1)
    assert found.why == "near the task in meaning (1.00); alarm#0.0 of run r"
    index.find("wake me late", 1)
    assert topics.asked.count(ALARM.instruction) == 1, "examples are embedded once"


def test_words_and_meaning_are_both_asked_and_templates_stay_barred() -> None:
    index = ExampleIndex([ALARM, MAIL, NOTE], Topics())
    found = index.find("a letter about the garden", 2)
    assert {one.why.split("; ")[-1].split("#")[0] for one in found} == {"note", "mail"}
    assert all("mail#" not in one.why for one in index.find("a letter", 3, {"template mail"}))


def test_the_digest_is_of_the_weights_too() -> None:
    digests = {ExampleIndex([ALARM], meaning).digest for meaning in (None, Topics("1"), Topics("2"))}
    assert len(digests) == 3
