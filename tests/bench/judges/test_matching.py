"""What a text says: one thing, and nothing else that it could have been."""

from __future__ import annotations

import pytest

from omnipilot.bench.judges import LETTERS_BESIDE, is_same_number, says, says_one

ZONES = ("Zone A", "Zone B", "Zone C", "Zone D")


@pytest.mark.parametrize(
    ("wanted", "text", "others"),
    [
        ("4821", "The code is 4821.", ()),
        ("4821", "4821\n", ()),
        ("4821", "4821, I repeat: 4821", ()),
        ("12.90", "It costs 12.90 €", ()),
        ("Zone A", "It rests in Zone A.", ZONES),
        ("C", "At stop C", "ABCDE"),
        ("Old Mill", "Meet me at Old Mill", ("Mill", "New Mill")),
        ("Mill", "Meet me at Mill", ("Old Mill",)),
        ("Approved by the board.", "Approved  by\nthe board.", ()),
    ],
)
def test_a_text_that_says_it(wanted: str, text: str, others: tuple[str, ...]) -> None:
    assert says(wanted, text, others)


@pytest.mark.parametrize(
    ("wanted", "text", "others"),
    [
        ("", "anything", ()),
        ("4821", "48210", ()),
        ("4821", "4820, 4821, 4822", ()),
        ("17", "17.50", ()),
        ("17", " ".join(map(str, range(1, 18))), ()),
        ("17", f"{'x' * LETTERS_BESIDE} 17", ()),
        ("Zone A", "Zone A, Zone B, Zone C, Zone D", ZONES),
        ("Zone A", "Zone A, B, C, D", ZONES),
        ("C", "A B C D E", "ABCDE"),
        ("Mill", "Old Mill", ("Old Mill",)),
        ("Old Mill", "Old Mill or Mill", ("Mill",)),
        ("Old Mill", "Old Millers", ()),
        ("4821", "On the phone, send the code 4821 to Anna Berg in Messages, then do nothing", ()),
    ],
)
def test_a_text_that_does_not(wanted: str, text: str, others: tuple[str, ...]) -> None:
    assert not says(wanted, text, others)


def test_nothing_else_is_said_by_another_text() -> None:
    assert says_one(["4821"], ["Hello", "It is 4821"])
    assert says_one(["4821", "3"], ["3", "4821"], beside=0)
    assert not says_one(["4821"], ["4820", "4821", "4822"])
    assert not says_one(["4821", "3"], ["3 4821"])
    assert not says_one(["4821"], []) and not says_one(["4821"], ["It is 4821"], beside=0)
    assert not says_one(["Zone A"], ["Zone A", "Zone B"], ZONES)


def test_a_telephone_number_is_one_number_alone() -> None:
    assert is_same_number("+44 (0)20 7946 0123", "020 7946 0123")
    assert not is_same_number("call 020 7946 0123", "020 7946 0123")
    assert not is_same_number("020 7946 0124, 020 7946 0123", "020 7946 0123")
