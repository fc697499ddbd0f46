"""What a page said is found in any script, with the endings that some languages write on to their words."""

from __future__ import annotations

import pytest

from omnipilot.envs import Modality
from omnipilot.memory.episodic.event_index import EventIndex, Scope, terms_of
from omnipilot.memory.episodic.events import TimelineEvent

LINES = (
    "현관문의 비밀번호는 7394입니다",
    "您的快递取件码是5821，请尽快领取",
    "玄関の暗証番号は4406です",
    "รหัสประตูคือ 9917 ครับ",
    "Der Türcode lautet 3358",
    "Код двери: 6620",
    "Cafe opens at nine",
)
SCOPE = Scope(frozenset({"phone"}), frozenset({Modality.ELEMENTS}))


@pytest.fixture(scope="module")
def index() -> EventIndex:
    found = EventIndex()
    for number, line in enumerate(LINES):
        found.add(TimelineEvent("text", "phone", float(number), float(number), 1, line, Modality.ELEMENTS))
    return found


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("비밀번호", 0),
        ("현관문 비밀번호", 0),
        ("현관문의", 0),
        ("7394", 0),
        ("取件码", 1),
        ("5821", 1),
        ("暗証番号", 2),
        ("4406", 2),
        ("รหัสประตู", 3),
        ("9917", 3),
        ("Türcode", 4),
        ("turcode", 4),
        ("двери", 5),
        ("６６２０", 5),
    ],
)
def test_a_question_finds_its_line_first(index: EventIndex, question: str, line: int) -> None:
    found = index.search(question, SCOPE, 3)
    assert found and found[0][0] == line + 1


def test_what_nothing_says_finds_nothing(index: EventIndex) -> None:
    assert index.search("냉장고", SCOPE, 3) == []
    assert index.search("code de", SCOPE, 3) == []


def test_a_korean_syllable_is_one_term() -> None:
    assert terms_of("비밀번호는 7394입니다") == [*"비밀번호는", "7394", *"입니다"]
    assert terms_of("Zürich") == ["zurich"]
