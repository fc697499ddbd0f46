"""help.example in the browser: articles, and a contact form for the help desk."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from omnipilot.envs.sim.apps.base import Ctx, typed_text
from omnipilot.envs.sim.apps.sites.browsing import visit
from omnipilot.envs.sim.render import theme
from omnipilot.envs.sim.state.account import Account, fresh_id
from omnipilot.envs.sim.state.desktop_data import Article, Ticket
from omnipilot.envs.sim.state.world_state import WorldState
from omnipilot.envs.sim.ui.containers import Column, Gap, Row, Widget
from omnipilot.envs.sim.ui.controls import Button, Dropdown
from omnipilot.envs.sim.ui.display_widgets import Divider, Label
from omnipilot.envs.sim.ui.navigation import forget, remember
from omnipilot.envs.sim.ui.panels import empty, list_row
from omnipilot.envs.sim.ui.scene import Do
from omnipilot.envs.sim.ui.text_field import TextField
from omnipilot.envs.sim.words.desktop import TOPICS

SITE, KEY = "help.example", "browser/help"
TOPIC, TEXT = f"{KEY}/topic", f"{KEY}/text"


def title(account: Account, path: str) -> str:
    """The title of a page."""
    article: Article | None = account.find("articles", path)
    return article.title if article else {"": "Help", "write": "Write to us"}.get(path, "Help")


def _vote(id: str, vote: str) -> Do:
    def do(state: WorldState) -> WorldState:
        article: Article | None = state.account.find("articles", id)
        return state if article is None else state.own(state.account.put(replace(article, vote=vote)))

    return do


def _send(state: WorldState) -> WorldState:
    text = typed_text(state, "desktop", TEXT).strip()
    topic = str(state.desktop.values.get(TOPIC, "Account"))
    ticket = Ticket(fresh_id("ticket", state.account.tickets), topic, text, state.time)
    return visit(f"{SITE}/{ticket.id}")(forget("desktop", TEXT, TOPIC)(state.own(state.account.put(ticket))))


def _index(ctx: Ctx) -> Widget:
    wanted, topic = ctx.typed(f"{KEY}/search").strip().lower(), str(ctx.value(f"{KEY}/filter", "All"))
    rows = [
        list_row(f"{KEY}/item/{a.id}", a.title, visit(f"{SITE}/{a.id}"), subtitle=a.topic, icon="book")
        for a in sorted(ctx.account.articles, key=lambda a: a.title)
        if wanted in a.title.lower() and topic in ("All", a.topic)
    ]
    choices = [(one, remember("desktop", f"{KEY}/filter", one)) for one in TOPICS]
    search = Row(
        (TextField(f"{KEY}/search", "Search in titles", flex=1), Dropdown(f"{KEY}/filter", "Topic", topic, choices)), 10
    )
    return Column((search, *(rows or [empty("No article has this title")])), 8)


def _article(article: Article) -> Widget:
    answers: list[Widget] = [Label("Did this help?", 14, color=theme.MUTED)]
    for name in ("Yes", "No"):
        vote = name.lower()
        style: Literal["filled", "outline"] = "filled" if article.vote == vote else "outline"
        answers.append(Button(f"{KEY}/{vote}", name, _vote(article.id, vote), style=style))
    votes = Row((*answers, Label("Thank you." if article.vote else "", 14, role="status")), 10)
    head = Label(article.title, 22, "bold", role="heading")
    text = Label(article.text, 16, wrapped=True, id=f"{KEY}/article")
    return Column((head, Label(article.topic, 14, color=theme.MUTED), text, Gap(6), votes), 12)


def _form(ctx: Ctx) -> Widget:
    topic = str(ctx.value(TOPIC, "Account"))
    choices = [(one, remember("desktop", TOPIC, one)) for one in TOPICS[1:]]
    send = Button(f"{KEY}/send", "Send", _send, "send", "filled", bool(ctx.typed(TEXT).strip()))
    return Column(
        (
            Label("Write to us", 18, "bold", role="heading"),
            Row((Label("Topic", 14, role=None), Dropdown(TOPIC, "Topic", topic, choices)), 12),
            TextField(TEXT, "Your question", rows=6),
            Row((send,)),
        ),
        12,
    )


def page(ctx: Ctx, path: str) -> Widget:
    """A help page."""
    article: Article | None = ctx.account.find("articles", path)
    ticket: Ticket | None = ctx.account.find("tickets", path)
    head = Row(
        (
            Label("Help", 22, "bold", role="heading", flex=1),
            Button(f"{KEY}/all", "All articles", visit(SITE)),
            Button(f"{KEY}/write", "Write to us", visit(f"{SITE}/write"), "edit", "outline"),
        ),
        8,
    )
    body = _index(ctx) if path == "" else _form(ctx) if path == "write" else empty("This page was not found")
    if article:
        body = _article(article)
    if ticket:
        text = f"We have your question about {ticket.topic}. Its number is {ticket.id}."
        body = Label(text, 16, role="status", wrapped=True)
    return Column((head, Divider(), body), 14)
