"""MMBench-GUI level 1: the option parser with its quirks, and normal and weighted scores, by hand."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnipilot.bench.suites.mmbench_gui.level1.metrics import (
    Answered,
    QuestionReport,
    Scoring,
    Variant,
    option_of,
    report,
)
from omnipilot.envs import ConfigError


@pytest.mark.parametrize(
    ("reply", "release", "fixed"),
    [
        # One: a letter, a dot or a colon, no word right after.
        ("I choose b.", "B", "B"),
        ("Perhaps E: the last", "E", "E"),
        ("I choose b.x or C.", "C", "C"),
        ("Yes. So C. And D.", "C", "C"),
        # The searches come in turn: the first wins wherever it hits.
        ("Answer: A\nor rather D.", "D", "D"),
        # Two and three.
        ("It is option  c for me", "C", "C"),
        ("the ANSWER:D is", "D", "D"),
        ("the answer：f it is", "F", "F"),
        ("the answer e it is", "E", "E"),
        ("my answers B are", None, None),
        ("option A or Answer: B", "A", "A"),
        # Four: the start of a line, of whatever word in the release.
        ("Bad idea", "B", None),
        ("Answer is C", "A", "C"),
        ("a dog", "A", "A"),
        ("C", "C", "C"),
        ("so\n \tD and more", "D", "D"),
        ("so\nDo more", "D", None),
        ("Given that, the choice is B", "B", "B"),
        # Five: in quotes, even if they do not match.
        ("It says 'C\" here", "C", "C"),
        ('It says "CD" here', None, None),
        # Six: alone, without blanks and a word after it.
        ("I pick B", "B", "B"),
        ("I pick B, then", "B", "B"),
        ("I pick B then", None, None),
        ("I pick G", None, None),
        ("", None, None),
        ("no", None, None),
    ],
)
def test_the_option_of_a_reply(reply: str, release: str | None, fixed: str | None) -> None:
    assert option_of(reply) == release
    assert option_of(reply, "fixed") == fixed


def answered(platform: str, difficulty: str, options: int, right: bool) -> Answered:
    return Answered(platform, difficulty, options, "A", "A" if right else "B")


# os_web: 4 options right, 2 options wrong; os_mac: 5 options right, 5 wrong, 2 right.
SOME = [
    answered("os_web", "easy", 4, True),
    answered("os_web", "easy", 2, False),
    answered("os_mac", "easy", 5, True),
    answered("os_mac", "easy", 5, False),
    answered("os_mac", "easy", 2, True),
]


@pytest.mark.parametrize(
    ("scoring", "variant", "web", "mac"),
    [
        ("normal", "release", 1 / 2, 2 / 3),
        ("normal", "paper", 1 / 2, 2 / 3),
        ("weighted", "paper", 0.75 / 2, 1.3 / 3),
        ("weighted", "release", 0.75 / 1.25, 1.3 / 2.1),
        ("weighted", "fixed", 0.75 / 1.25, 1.3 / 2.1),
    ],
)
def test_scores(scoring: Scoring, variant: Variant, web: float, mac: float) -> None:
    found = report(SOME, scoring, variant)
    level = found.levels["easy"]
    assert level.cells["os_web"].score == pytest.approx(web)
    assert level.cells["os_mac"].score == pytest.approx(mac)
    assert level.score == pytest.approx((2 * web + 3 * mac) / 5)
    assert (level.questions, level.cells["os_mac"].hits, level.cells["os_mac"].questions) == (5, 2, 3)
    assert level.cells["os_mac"].attainable == pytest.approx(2.1 / 3)
    assert (found.scoring, found.variant, found.parser) == (scoring, variant, "release")


def test_a_perfect_agent_is_no_one_in_the_weighted_score_as_printed() -> None:
    perfect = [answered("os_web", "hard", options, True) for options in (4, 5, 4, 5)]
    assert report(perfect, "weighted", "paper").levels["hard"].score == pytest.approx(0.775)
    assert report(perfect, "weighted").levels["hard"].score == pytest.approx(1)


@pytest.mark.parametrize("scoring", ["normal", "weighted"])
def test_a_platform_without_questions_at_one_difficulty_spoils_the_released_level(scoring: Scoring) -> None:
    lopsided = [*SOME, answered("os_web", "hard", 4, True)]
    release = report(lopsided, scoring)
    assert math.isnan(release.levels["hard"].score)
    assert math.isnan(release.levels["hard"].cells["os_mac"].score)
    assert release.levels["easy"] == report(SOME, scoring).levels["easy"]
    fixed = report(lopsided, scoring, "fixed")
    assert fixed.levels["hard"].score == 1
    assert set(fixed.levels["hard"].cells) == {"os_web"}


def test_unparsed_and_void_answers_count_as_wrong_and_are_counted() -> None:
    some = [
        Answered("os_web", "easy", 4, "A", "A."),
        Answered("os_web", "easy", 4, "A", "I cannot say"),
        Answered("os_web", "easy", 4, "A", "A.", void=True),
        Answered("os_web", "easy", 4, "A", "", void=True),
    ]
    cell = report(some).levels["easy"].cells["os_web"]
    assert (cell.questions, cell.hits, cell.unparsed, cell.void, cell.score) == (4, 1, 1, 2, 0.25)


def test_the_parser_is_part_of_a_report() -> None:
    sentence = [Answered("os_web", "easy", 4, "C", "Answer is C")]
    assert report(sentence).levels["easy"].score == 0
    fixed = report(sentence, parser="fixed")
    assert (fixed.parser, fixed.levels["easy"].score) == ("fixed", 1)


rows = st.lists(
    st.builds(
        Answered,
        st.sampled_from(["os_web", "os_mac", "os_ios"]),
        st.sampled_from(["easy", "hard"]),
        st.integers(2, 6),
        st.sampled_from("ABCDEF"),
        st.sampled_from(["A", "b.", "Option C", "nothing", "Answer is D"]),
        st.booleans(),
    ),
    max_size=20,
)


def figures(found: QuestionReport) -> dict[str, float]:
    return {difficulty: round(level.score, 12) for difficulty, level in found.levels.items()}


@given(rows, st.randoms(use_true_random=False), st.sampled_from(["normal", "weighted"]))
def test_scores_stay_in_range_whatever_the_order_and_the_names(
    some: list[Answered], draw: random.Random, scoring: Scoring
) -> None:
    for variant in ("paper", "fixed"):
        found = figures(report(some, scoring, variant))  # type: ignore[arg-type]
        assert all(0 <= score <= 1 for score in found.values())
        other = [replace(one, platform="the " + one.platform[::-1]) for one in some]
        draw.shuffle(other)
        assert figures(report(other, scoring, variant)) == found  # type: ignore[arg-type]


def test_of_nothing_nothing_is_said() -> None:
    assert report([]).levels == {}


@pytest.mark.parametrize(("options", "answer", "told"), [(1, "A", "at least two"), (4, "a", "one of A to F")])
def test_an_impossible_question_is_refused(options: int, answer: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        Answered("os_web", "easy", options, answer, "A")
