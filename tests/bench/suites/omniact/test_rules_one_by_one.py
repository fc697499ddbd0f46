"""OmniACT's rules one by one: the equations as printed, the two descendants, and what the paper prints of its data."""

from __future__ import annotations

import math

import pytest

from omnipilot.bench.suites.omniact.metrics.scores import OmniActSample, Variant, click_penalty, score, score_sample

BOX = (40, 50, 60, 70)  # its centre is (50, 60)
FAR = "(500,600)"


def sample(gold: str, predicted: str) -> OmniActSample:
    return OmniActSample(f"Task: do it\nOutput Script:\n{gold}", (BOX,), predicted)


def line(call: str) -> str:
    return f"pyautogui.{call}"


def test_equation_1_is_the_length_less_nine_tenths() -> None:
    for length in range(1, 5):
        script = "\n".join([line('press("a")')] * length)
        assert score_sample(sample(script, script)).weight == pytest.approx(length - 0.9)
        assert score_sample(sample(script, "")).weight == pytest.approx(length - 0.9)


def test_equation_2_by_hand() -> None:
    # A box of 3 by 4 and a point 5 to its left: the diagonal is 5, and so is L2.
    assert click_penalty((-5, 2), (0, 0, 3, 4)) == pytest.approx(1 - 5 / (5 + 5))
    assert click_penalty((-5, 2), (0, 0, 3, 4), inverse=True) == pytest.approx(1 - 0.2 / (0.2 + 5))
    # The nearest point of the box is its corner: 6 and 8 away, 10 in all.
    assert click_penalty((9, 12), (0, 0, 3, 4)) == pytest.approx(1 - 5 / 15)


def test_equation_4_asks_for_a_score_above_1_as_printed_alone() -> None:
    one, two = line('write("hello")'), line('write("hello")') + "\n" + line('press("tab")')
    assert [score_sample(sample(one, one), v).write for v in ("paper", "release", "fixed")] == pytest.approx([1, 0, 0])
    assert [score_sample(sample(two, two), v).write for v in ("paper", "release", "fixed")] == pytest.approx([0, 0, 0])


def test_equation_6_is_over_what_was_predicted_so_that_who_matches_less_may_score_more() -> None:
    gold = line('press("a")') + "\n" + line('press("b")')  # 1.1
    right, half, none = gold, gold.replace('"b"', '"c"'), ""
    careful, bold = [right, none], [right, half]
    found = {
        name: [score([sample(gold, said) for said in replies], variant) for variant in ("paper", "release")]
        for name, replies in (("careful", careful), ("bold", bold))
    }
    values = {name: [one.action for one in both if one] for name, both in found.items()}
    assert values["careful"] == pytest.approx([1, 1 / 2])
    assert values["bold"] == pytest.approx([3 / 4, 3 / 4])


@pytest.mark.parametrize("name", ["rightClick", "doubleClick", "moveTo", "dragTo"])
def test_the_other_mouse_functions_lose_their_capitals_and_with_them_their_penalty(name: str) -> None:
    camel = sample(line(f"{name}(50,60)"), line(f"{name}{FAR}"))
    lower = sample(line(f"{name}(50,60)"), line(f"{name.lower()}{FAR}"))
    far = click_penalty((500, 600), BOX)
    found = {v: score_sample(camel, v) for v in ("release", "uground", "paper", "fixed")}  # type: ignore[arg-type]
    assert (found["release"].matched, found["release"].click) == (True, 0)
    assert not found["uground"].matched
    assert found["fixed"].click == pytest.approx(far)
    assert found["paper"].click == pytest.approx(click_penalty((500, 600), BOX, inverse=True))
    assert (score_sample(lower, "uground").matched, score_sample(lower, "uground").click) == (True, 0)
    assert score_sample(lower, "fixed").click == pytest.approx(far)


@pytest.mark.parametrize(
    ("gold", "said", "fork", "uground"),
    [
        ("pyautogui.click(50,60)", "pyautogui.Click(50,60)", True, False),  # the fork lowers what is predicted
        ("pyautogui.click(50,60)", "  pyautogui.click(50,60)", False, True),  # indented, it has no function there
        ("pyautogui.Click(50,60)", "pyautogui.click(50,60)", True, True),  # both lower what is right
        ("pyautogui.click(50,60)", "pyautogui.click(50,60)\npyautogui.sleep(1)", False, False),
        ("pyautogui.click(50,60)", "pyautogui.click(50,60)\ntime.sleep(1)", True, True),  # no line of pyautogui
        ("pyautogui.click(50,60)", "pyautogui.moveTo(50,60)", False, False),
    ],
)
def test_which_sequences_match(gold: str, said: str, fork: bool, uground: bool) -> None:
    first = line('press("a")')  # the whole reply is stripped, so that its first line cannot be indented
    one = sample(f"{first}\n{gold}", f"{first}\n{said}")
    assert score_sample(one).matched is fork
    assert score_sample(one, "uground").matched is uground


@pytest.mark.parametrize(
    ("gold", "said", "differs"),
    [
        ('press("enter")', 'press("enter ")', 0),  # stripped
        ('press("enter")', "press('enter')", 0),
        ('press("enter")', 'press("Enter")', {"release": 0, "uground": 1}),
        ('hotkey("ctrl","c")', 'hotkey("ctrl", "c")', 1),  # spaces count
        ('hotkey("ctrl","c")', 'hotkey("c","ctrl")', 0),  # a set
        ('hotkey("ctrl","c")', "hotkey('ctrl','c')", 0),  # cut off whatever the quotes
        ('hotkey("ctrl","c")', 'hotkey("ctrl")', 1),
    ],
)
def test_keys(gold: str, said: str, differs: int | dict[str, int]) -> None:
    for variant in ("release", "uground"):
        wanted = differs if isinstance(differs, int) else differs[variant]
        assert score_sample(sample(line(gold), line(said)), variant).press == wanted  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "text"),
    [('write("abcd")', "abcd"), ("write('abcd')", "abcd"), ('write("ab\'cd")', "ab"), ("write('ab\"cd')", "ab")],
)
def test_the_predicted_text_ends_at_its_first_quote(said: str, text: str) -> None:
    # "ab" of "abcd": all of both agree, and exp(1 - 4/2) for what is missing.
    kept = 1.0 if text == "abcd" else math.exp(-1)
    assert score_sample(sample(line('write("abcd")'), line(said))).write == pytest.approx(1 - kept)


def test_penalties_are_shares_of_the_ideal_score_over_samples_that_match() -> None:
    two = line("click(50,60)") + "\n" + line('press("a")')  # 1.1
    wrong = line("click(50,60)") + "\n" + line('press("b")')
    one = line('press("a")')  # 0.1
    found = score([sample(two, wrong), sample(two, "nothing"), sample(one, one)])
    assert found is not None
    assert found.sequence == pytest.approx(1.2 / 2.3)
    assert found.press == pytest.approx(1.1 / 2 / 2.3)
    assert found.action == pytest.approx(1.2 / 2.3 - 0.55 / 2.3)


TABLE_2 = (63.73, 0.58, 0.77, 1.85, 0.29, 1.68, 0.17, 16.28, 3.00, 11.65)
TABLE_3 = ((3028, 444, 786, 4258), (761, 126, 247, 1134), (1573, 216, 458, 2247), (1427, 206, 530, None))


def test_the_papers_counts_add_up() -> None:
    assert math.fsum(TABLE_2) == pytest.approx(100)
    for *splits, total in TABLE_3:
        assert total is None or sum(filter(None, splits)) == total
    columns = [sum(row[column] or 0 for row in TABLE_3) for column in range(3)]
    # The released lists lack one of each: 6,788, 991 and 2,020.
    assert columns == [6789, 992, 2021] == [count + 1 for count in (6788, 991, 2020)]
    assert sum(columns) == 9802
    # The web's total, which is not printed beside it.
    assert 9802 - 4258 - 1134 - 2247 == 1427 + 206 + 530


VARIANTS: tuple[Variant, ...] = ("paper", "release", "uground", "fixed")


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_one_character_text_and_an_empty_one(variant: Variant) -> None:
    two = line('write("7")') + "\n" + line('press("tab")')
    found = score_sample(sample(two, two), variant)
    assert found.write == pytest.approx(0 if variant == "fixed" else 1 / 2)
    gone = score_sample(sample(two, two.replace('"7"', '""')), variant)
    assert gone.write == pytest.approx(1 / 2)
