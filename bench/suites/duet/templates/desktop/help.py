"""Sub-tasks of `duet` in the browser's help, on the desktop."""

from __future__ import annotations

import re
from collections.abc import Mapping

from omnipilot.bench.suites.duet.kit.desktop import page, site
from omnipilot.bench.suites.duet.kit.moves import fresh, on_desktop, strays
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Click, Ref, Select, TypeText
from omnipilot.envs.sim.state.desktop_data import Article
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.words.desktop import TOPICS

HELP = "help.example"
KEY = "browser/help"
CODE = re.compile(r"\b\d{4}\b")
QUESTIONS = ("My lamp blinks twice", "Where is my parcel?", "I cannot sign in", "Do you repair kettles?")


def _article(draw: TaskSampler, state: WorldState, pattern: re.Pattern[str]) -> Article:
    return draw.pick("articles", [article for article in state.account.articles if pattern.search(article.text)])


def _seen(article: Article) -> Judge:
    return Judge("article opened", page(f"{HELP}/{article.id}"))


def _read(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    article = _article(draw, state, CODE)
    found = CODE.search(article.text)
    assert found is not None
    return Piece(
        JudgeGraph((_seen(article),)),
        state,
        lambda now: on_desktop(*site(now, HELP), Click(Ref(f"{KEY}/item/{article.id}"))),
        {"article": article.title},
        Resource("text/code", found.group(), f'the four-digit number in "{article.title}"'),
        lambda now: on_desktop(
            *site(now, HELP), TypeText(article.title, Ref(f"{KEY}/search")), Click(Ref(f"{KEY}/item/{article.id}"))
        ),
    )


READ_HELP = Template(
    "read-help",
    'on the desktop, open help.example in Browser and read the article "{article}"',
    "desktop",
    "browser",
    _read,
    output="text/code",
    dimension="semantic understanding",
    lasts=False,
)


def _voucher(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    pattern = re.compile(r"\bSPRING\d+\b")
    article = _article(draw, state, pattern)
    found = pattern.search(article.text)
    assert found is not None
    return Piece(
        JudgeGraph((_seen(article),)),
        state,
        lambda now: on_desktop(*site(now, HELP), Click(Ref(f"{KEY}/item/{article.id}"))),
        {"article": article.title},
        Resource("text/code/voucher", found.group(), "the code of the voucher"),
    )


FIND_VOUCHER = Template(
    "find-voucher",
    'on the desktop, open help.example in Browser and read in the article "{article}" which voucher there is',
    "desktop",
    "browser",
    _voucher,
    output="text/code/voucher",
    dimension="semantic understanding",
    lasts=False,
)


def _rate(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    article = draw.pick("articles", state.account.articles)

    def rated(case: Case) -> Verdict:
        now = case.state.account.find("articles", article.id)
        wrong = strays(case, "articles", draw)
        return Verdict(float(now.vote == "no" and not wrong), f"vote: {now.vote!r}; touched besides: {wrong}")

    return Piece(
        JudgeGraph.chain([_seen(article), Judge("voted", rated)]),
        state,
        lambda now: on_desktop(*site(now, HELP), Click(Ref(f"{KEY}/item/{article.id}")), Click(Ref(f"{KEY}/no"))),
        {"article": article.title},
    )


RATE_HELP = Template(
    "rate-help",
    'on the desktop, open the article "{article}" of help.example in Browser and press "No" below "Did this help?"',
    "desktop",
    "browser",
    _rate,
)


def _ask(draw: TaskSampler, given: Mapping[str, str], state: WorldState) -> Piece:
    text, topic = given["text"], draw.choice([topic for topic in TOPICS if topic not in ("All", "Account")])
    number = 1 + len(draw.claimed("tickets"))
    draw.claim("tickets", f"ticket-{number}")

    def sent(case: Case) -> Verdict:
        found = [(ticket.topic, ticket.text) for ticket in fresh(case, "tickets")]
        hit = found.count((topic, text)) == 1 and len(found) <= len(draw.claimed("tickets"))
        return Verdict(float(hit), f"questions: {found}")

    return Piece(
        JudgeGraph.chain([Judge("form opened", page(f"{HELP}/write")), Judge("question sent", sent)]),
        state,
        lambda now: on_desktop(
            *site(now, HELP),
            Click(Ref(f"{KEY}/write")),
            Select(Ref(f"{KEY}/topic"), topic),
            TypeText(text, Ref(f"{KEY}/text")),
            Click(Ref(f"{KEY}/send")),
        ),
        {"topic": topic},
        Resource("text/code", f"ticket-{number}", 'the number that the question got (as in "ticket-7")'),
    )


ASK_HELP = Template(
    "ask-help",
    'on the desktop, open help.example in Browser, press "Write to us", choose the topic "{topic}", type {text} as the '
    'question and press "Send"',
    "desktop",
    "browser",
    _ask,
    {"text": "text"},
    "text/code",
    lambda draw, _: {"text": draw.choice(QUESTIONS)},
)

TEMPLATES = (READ_HELP, FIND_VOUCHER, RATE_HELP, ASK_HELP)
