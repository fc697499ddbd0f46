"""The content of the desktop's apps, generated from the instance's seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from omnipilot.envs.sim.apps.desktop.films import SECONDS, draw_fact
from omnipilot.envs.sim.apps.desktop.formulas import cell
from omnipilot.envs.sim.state.account import Account, Document, fresh_id
from omnipilot.envs.sim.state.desktop_data import (
    Article,
    Bookmark,
    Clip,
    Console,
    DesktopSettings,
    Dir,
    Place,
    Product,
    Sheet,
    Visit,
)
from omnipilot.envs.sim.state.table import FrozenTable
from omnipilot.envs.sim.words import desktop as more
from omnipilot.envs.sim.words import people_and_texts as words

DAY = 86_400
WELCOME = "Type help for the commands."


def equip(account: Account, rng: Callable[[str], Random]) -> Account:
    """Add the content of the desktop's apps to the account."""
    account = account.put(*_texts(account, rng("texts")))
    networks = [network for network in account.networks if network.known]
    return replace(
        account,
        dirs=tuple(Dir(path) for path in more.FOLDERS),
        sheets=_sheets(rng("sheets")),
        clips=_clips(rng("clips")),
        products=_products(rng("products")),
        places=_places(rng("places")),
        articles=_articles(rng("articles")),
        bookmarks=(Bookmark("shop.example", "Lakeside Shop"), Bookmark("help.example", "Help")),
        visits=_visits(rng("visits")),
        console=Console((WELCOME,)),
        desktop_settings=DesktopSettings(network=networks[0].id if networks else ""),
    )


def _ago(dice: Random) -> float:
    return -float(dice.randrange(3600, 40 * DAY))


def _code(dice: Random) -> str:
    return str(dice.randrange(1000, 10_000))


def _texts(account: Account, dice: Random) -> list[Document]:
    found: list[Document] = []
    for folder, name, lines in more.TEXTS:
        facts = {"n": dice.randrange(12, 99), "m": dice.randrange(3, 12), "code": _code(dice), "code2": _code(dice)}
        first, second = dice.sample(words.FIRST_NAMES, 2)
        text = "\n".join(line.format(**facts, name=first, name2=second) for line in lines)
        found.append(Document(fresh_id("document", (*account.documents, *found)), folder, name, text, _ago(dice)))
    for day in more.DAYS[:5]:
        minutes = sorted(dice.sample(range(6 * 60, 20 * 60), dice.randrange(14, 30)))
        text = "\n".join(
            f"{m // 60:02d}:{m % 60:02d} {dice.choice(more.MACHINES)} {dice.choice(more.RESULTS)}" for m in minutes
        )
        id = fresh_id("document", (*account.documents, *found))
        found.append(Document(id, "Server", f"log-{day.lower()}", text, _ago(dice)))
    return found


def _sheets(dice: Random) -> tuple[Sheet, ...]:
    found = []
    for n, (kind, about) in enumerate(more.SHEETS, 1):
        heads, rows = _rows(kind, dice)
        cells = {cell(i, row): text for row, line in enumerate([heads, *rows]) for i, text in enumerate(line) if text}
        found.append(Sheet(f"sheet-{n}", "Sheets", f"{kind} {about}", FrozenTable(cells), _ago(dice)))
    return tuple(found)


def _rows(kind: str, dice: Random) -> tuple[list[str], list[list[str]]]:
    def number(low: int, high: int) -> str:
        return str(dice.randrange(low, high))

    if kind == "Expenses":
        days = sorted(dice.randrange(1, 29) for _ in range(dice.randrange(14, 20)))
        items = dice.sample(more.EXPENSES, len(days))
        amounts = [f"{dice.randrange(2, 90)}.{dice.choice(('00', '50', '20', '90'))}" for _ in days]
        lines = [[str(d), i, dice.choice(more.PURPOSES), a] for d, i, a in zip(days, items, amounts, strict=True)]
        return ["Day", "Item", "Purpose", "Amount"], lines
    if kind == "Stock":
        shelves = "ABCDE"
        things = dice.sample(more.STOCK, 16)
        return ["Thing", "Shelf", "Count", "Price"], [
            [thing, dice.choice(shelves) + number(1, 9), number(1, 60), number(2, 200)] for thing in things
        ]
    if kind == "Grades":
        names = sorted(dice.sample(more.PUPILS, 22))
        return ["Name", "Test 1", "Test 2", "Test 3"], [[n, *(number(20, 101) for _ in range(3))] for n in names]
    if kind == "Hours":
        people = dice.sample(words.FIRST_NAMES, 7)
        return ["Name", "Mon", "Tue", "Wed", "Thu", "Fri"], [[n, *(number(0, 10) for _ in range(5))] for n in people]
    days = list(range(1, 31))
    return ["Day", "Morning", "Noon", "Evening"], [[str(d), number(4, 12), number(9, 22), number(7, 16)] for d in days]


def _clips(dice: Random) -> tuple[Clip, ...]:
    found: list[Clip] = []
    for kind, name in more.CAMERAS:
        for day in more.DAYS:
            id, fact = f"clip-{len(found) + 1}", draw_fact(kind, dice)
            found.append(Clip(id, "Videos", f"{name}, {day}", kind, fact, SECONDS[kind], _ago(dice)))
    return tuple(found)


def _products(dice: Random) -> tuple[Product, ...]:
    found: list[Product] = []
    for name, variants, category, text in more.PRODUCTS:
        cents = dice.randrange(6, 80) * 100 + dice.choice((0, 50, 90))
        # One of two variants may be sold out, never both.
        out = dice.choice((0, 1, 9, 9, 9))
        for i, variant in enumerate(variants):
            price = cents + i * dice.choice((100, 250, 300))
            words_ = text.format(n=dice.randrange(12, 60), m=dice.randrange(2, 9))
            stock = 0 if i == out else dice.randrange(3, 40)
            id = f"product-{len(found) + 1}"
            found.append(Product(id, f"{name}, {variant}", category, price, stock, dice.randint(2, 5), words_))
    return tuple(found)


def _places(dice: Random) -> tuple[Place, ...]:
    spots = dice.sample([(x, y) for x in range(1, 20) for y in range(1, 12)], len(more.PLACES))
    found = []
    for n, ((name, kind), (x, y)) in enumerate(zip(more.PLACES, spots, strict=True), 1):
        address = f"{dice.choice(more.STREETS)} {dice.randrange(1, 60)}"
        hours = f"{dice.randrange(7, 11):02d}:00 to {dice.randrange(16, 23):02d}:{dice.choice(('00', '30'))}"
        found.append(Place(f"place-{n}", name, kind, address, hours, x, y))
    return tuple(found)


def _articles(dice: Random) -> tuple[Article, ...]:
    found = []
    for n, (title, topic, text) in enumerate(more.ARTICLES, 1):
        filled = text.format(n=dice.randrange(10, 60), m=dice.randrange(2, 10), code=_code(dice))
        found.append(Article(f"article-{n}", title, topic, filled))
    return tuple(found)


def _visits(dice: Random) -> tuple[Visit, ...]:
    urls = ["shop.example", "maps.example", "help.example", "shop.example/orders", "maps.example/saved"]
    for site, kind, most in (("shop", "product", 28), ("maps", "place", 24), ("help", "article", 20)):
        urls += [f"{site}.example/{kind}-{n}" for n in dice.sample(range(1, most + 1), 6)]
    dice.shuffle(urls)
    times = sorted(-float(dice.randrange(600, 6 * 3600)) for _ in urls)
    return tuple(Visit(f"visit-{n}", url, time) for n, (url, time) in enumerate(zip(urls, times, strict=True), 1))
