"""Values that fill in the evaluators of duet's templates, besides the words and inputs of each.

Most follow from the words and the state at the start: the date behind "Wed 4 March", the id of a film's page. Where the
words keep a fact to themselves, because it can only be heard or seen in motion, it is read from the state, too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeAlias

from omnipilot.bench.judges import LETTERS_BESIDE
from omnipilot.bench.suites.duet.kit.answers import other_answers
from omnipilot.bench.suites.duet.templates.desktop.desktop_first import SENTENCES
from omnipilot.bench.suites.duet.templates.phone.phone_first import LINES
from omnipilot.envs.sim.apps.desktop.films import STOPS
from omnipilot.envs.sim.apps.desktop.formulas import COLUMNS, NUMBER, cell, format_value
from omnipilot.envs.sim.apps.phone.calls import digits
from omnipilot.envs.sim.apps.phone.shared_parts import today
from omnipilot.envs.sim.state.phone_data import add_days, spoken_date
from omnipilot.envs.sim.state.world_state import WorldState

Values: TypeAlias = Mapping[str, Any]
Claimed: TypeAlias = Callable[[str], frozenset[str]]
More: TypeAlias = Callable[[Values, WorldState, Claimed], Values]

FIELDS = {"Bluetooth": "bluetooth", "Do not disturb": "quiet"}
APPS = {"Editor": "editor", "Files": "files", "Spreadsheet": "sheets", "Video Player": "player", "Updates": "updates"}
PLACES = {"archive": "archive", "delete": "trash"}


def _item(items: Any, name: str, attribute: str = "name") -> Any:
    return next(item for item in items if getattr(item, attribute) == name)


def _date(given: Values, start: WorldState, _: Claimed) -> Values:
    days = [add_days(today(start), days) for days in range(-60, 90)]
    return {"date": next(day for day in days if spoken_date(day) == given["day"])}


def _answer(given: Values, start: WorldState, claimed: Claimed) -> Values:
    return {**_date(given, start, claimed), "answered": {"accept": "accepted", "decline": "declined"}[given["answer"]]}


def _message(given: Values, start: WorldState, _: Claimed) -> Values:
    """The latest message of the person, and when it beeps."""
    number = digits(_item(start.account.contacts, given["name"]).phone)
    mine = [one for one in start.account.voicemails if digits(one.number) == number]
    message = max(mine, key=lambda one: one.time)
    notes = message.sound.rpartition(":")[2].split(",")
    beep = next((second for second, note in enumerate(notes) if note != "-"), 0)
    return {"message": message.id, "sound": message.sound, "beep": beep}


def _beep(seconds: int) -> More:
    def more(given: Values, start: WorldState, claimed: Claimed) -> Values:
        found = _message(given, start, claimed)
        return {**found, "late": found["beep"] + seconds}

    return more


def _songs(given: Values, start: WorldState, claimed: Claimed) -> Values:
    songs = {f"song{number}": song for number, song in enumerate(sorted(claimed("songs")), 1)}
    return {**_message(given, start, claimed), **songs}


def _playlist(given: Values, start: WorldState, _: Claimed) -> Values:
    songs = _item(start.account.playlists, given["playlist"]).songs
    titles = {song.id: f'"{song.title}" by {song.artist}' for song in start.account.songs}
    rest = [song for song in songs if titles.get(song) != given.get("song")]
    return {"songs": [*songs, given.get("track")], "rest": rest}


def _note(given: Values, start: WorldState, claimed: Claimed) -> Values:
    note = next(one for one in start.account.notes if one.name == given["note"] and one.id in claimed("documents"))
    return {"whole": f"{note.text}\n{given['text']}"}


def _timer(given: Values, _: WorldState, __: Claimed) -> Values:
    return {"seconds": 60 * int(given["time"].partition(":")[0])}


def _rings(_: Values, start: WorldState, __: Claimed) -> Values:
    timer = start.account.timer
    at = (timer.since or 0.0) + timer.left
    # The timer was put in with the seconds that are left, and its event at the same number of the world's clock.
    return {"rings_from": at - 0.01, "rings_to": at + 0.01}


def _due(given: Values, start: WorldState, __: Claimed) -> Values:
    return {"due": add_days(today(start), int(given["days"].split()[0]))}


def _keys(given: Values, start: WorldState, _: Claimed) -> Values:
    known = any(digits(one.phone) == digits(given["number"]) for one in start.account.contacts)
    return {"keys": digits(given["number"]) if known else "".join(filter(str.isdigit, given["number"]))}


def _to(given: Values, start: WorldState, _: Claimed) -> Values:
    person = start.account.contact(given.get("contact") or given["name"])
    return {"to": person.email if person else ""}


def _others(*names: str) -> More:
    """What the texts of these names could be instead."""
    return lambda given, start, _: {"others": other_answers([given[name] for name in names], start)}


def _told_or_found(told: Collection[str]) -> More:
    """What a text could be instead, and how many letters may stand beside it: none, if it is told word by word."""

    def more(given: Values, start: WorldState, claimed: Claimed) -> Values:
        return {**_others("text")(given, start, claimed), "beside": 0 if given["text"] in told else LETTERS_BESIDE}

    return more


def _mail(given: Values, start: WorldState, claimed: Claimed) -> Values:
    to = _to(given, start, claimed)
    return {**to, **_subjects(to["to"], claimed), **_others("text")(given, start, claimed)}


def _subjects(to: str, claimed: Claimed) -> Values:
    """Of the mails that pieces of the task have sent to an address."""
    return {"subjects": _later(claimed, f"subjects to {to}")}


def _order(_: Values, start: WorldState, __: Claimed) -> Values:
    """What the voice says, and which mail it means."""
    sounds = [str(getattr(event.effect, "name", "")) for event in start.events]
    order, color = next(one for one in sounds if one.startswith("speech:")).rpartition(":")[2].split()
    mails = [mail for mail in start.account.mails if mail.subject == f"Poster, {color}"]
    return {"right": mails[-1].id, "target": PLACES[order]}


def _strokes(given: Values, start: WorldState, claimed: Claimed) -> Values:
    names = [str(getattr(event.effect, "name", "")) for event in start.events]
    subjects = _subjects(_to(given, start, claimed)["to"], claimed)
    return {**subjects, "strokes": str(sum(name in ("chime", "ding_low", "chime_door") for name in names))}


def _dialled_code(_: Values, start: WorldState, claimed: Claimed) -> Values:
    mails = [mail for mail in start.account.mails if start.signals.code in mail.subject and mail.id in claimed("mails")]
    return {"right": mails[0].id}


def _path(given: Values, _: WorldState, __: Claimed) -> Values:
    return {"path": f"Documents/{given['title']}"}


def _lines(given: Values, start: WorldState, _: Claimed) -> Values:
    log = start.account.document(given["log"])
    assert log is not None
    lines = log.text.split("\n")
    return {
        "found_lines": [line.strip() for line in lines if given.get("word", "") in line and line.strip()],
        "all_lines": [*(line.strip() for line in lines if line.strip()), given.get("text", "")],
    }


def _new_folder(given: Values, _: WorldState, __: Claimed) -> Values:
    name = given["log"].rpartition("/")[2]
    return {"new_folder": f"Server/{given['text']}", "new_path": f"Server/{given['text']}/{name}"}


def _new_path(given: Values, start: WorldState, claimed: Claimed) -> Values:  # noqa: ARG001
    known = start.account.document(given["file"])
    path = known.path if known else given["file"]
    folder, _, name = path.rpartition("/")
    new = f"{folder}/{given['new']}" if "new" in given else f"{given['target']}/{name}"
    return {"old_path": path, "new_path": new}


def _away(given: Values, _: WorldState, __: Claimed) -> Values:
    return {"new_folder": f"{given['folder']}/{given['text']}"}


def _cell(given: Values, start: WorldState, claimed: Claimed) -> Values:
    """The cells as they shall be."""
    sheet = next(one for one in start.account.sheets if one.name == given["sheet"] and one.id in claimed("sheets"))
    last = max(int(key[1:]) for key in sheet.cells)
    column = next(i for i in range(len(COLUMNS)) if sheet.cells.get(cell(i, 0)) == given["head"])
    row = next(row for row in range(1, last) if sheet.cells.get(cell(0, row)) == given["row"])
    return {"cells": {**dict(sheet.cells), cell(column, row): given["number"]}}


def _sum(given: Values, _: WorldState, __: Claimed) -> Values:
    return {"sum": float(given["output"])}


def _cells(given: Values, _: WorldState, __: Claimed) -> Values:
    texts = [given[name] for name in ("first", "second", "third")]
    shown = [format_value(float(text)) if NUMBER.fullmatch(text) else text for text in texts]
    return {"cells": {f"A{row}": text for row, text in enumerate(shown, 1)}}


def _cells_with_sum(given: Values, start: WorldState, claimed: Claimed) -> Values:
    return {"cells": {**_cells(given, start, claimed)["cells"], "A4": given["output"]}}


def _mute(given: Values, start: WorldState, _: Claimed) -> Values:
    return {"muted": [*start.account.desktop_settings.muted, APPS[given["app"]]]}


def _purchase(voucher: bool) -> More:
    def more(given: Values, start: WorldState, claimed: Claimed) -> Values:
        product = _item(start.account.products, given["product"])
        return {
            "product_id": product.id,
            "lines": [[product.id, 1]],
            "voucher_code": given["voucher"] if voucher else "",
            "most_orders": len(claimed("orders")),
        }

    return more


def _film(given: Values, start: WorldState, _: Claimed) -> Values:
    clip = _item(start.account.clips, given["film"])
    # The tram rides from 0.5 s on, 1.2 s from stop to stop, and waits for 2 s.
    begin = 1.1 + 1.2 * STOPS.index(clip.fact)
    return {"length": clip.seconds, "waits_from": begin, "waits_to": begin + 2.0}


def _id(kind: str, word: str, name: str, attribute: str = "name") -> More:
    """The id of an item that a word names."""
    return lambda given, start, _: {name: _item(getattr(start.account, kind), given[word], attribute).id}


_PLACE, _PRODUCT = _id("places", "place", "place_id"), _id("products", "product", "product_id")
_ARTICLE = _id("articles", "article", "article_id", "title")
MORE: Mapping[str, More] = {
    **dict.fromkeys(
        ("add-event", "set-place", "shift-event", "read-event-time", "read-event-place", "delete-event"), _date
    ),
    "answer-invitation": _answer,
    **dict.fromkeys(
        (
            "dialled-code",
            "spoken-code",
            "spoken-time",
            "spoken-room",
            "spoken-number",
            "ringtone-heard",
            "alarm-heard",
            "count-beeps",
            "same-code",
        ),
        _message,
    ),
    "stop-at-beep": _beep(5),
    "start-at-beep": _beep(4),
    "find-song": _songs,
    "add-to-playlist": _playlist,
    "remove-from-playlist": _playlist,
    "append-note": _note,
    "start-timer": _timer,
    "dismiss-timer": _rings,
    "postpone-task": _due,
    "dial-number": _keys,
    "switch-on": lambda given, _, __: {"field": FIELDS[given["name"]]},
    "silence-app": lambda given, _, __: {"id": given["app"].lower()},
    **dict.fromkeys(("mail-text", "mail-contact", "reply-mail", "mail-both"), _mail),
    "send-text": _told_or_found(LINES),
    "write-document": _told_or_found(SENTENCES),
    **dict.fromkeys(("text-contact", "reply-at-once"), _others("text")),
    "send-two": _others("first", "second"),
    "obey-voice": _order,
    "count-bell": _strokes,
    "true-code": _dialled_code,
    **dict.fromkeys(("note-down", "note-two", "note-three", "note-five"), _path),
    **dict.fromkeys(("extract-lines", "append-line"), _lines),
    "tidy-log": _new_folder,
    **dict.fromkeys(("rename-made", "move-made"), _new_path),
    "file-away": _away,
    "put-number": _cell,
    "total": _sum,
    "list-three": _cells,
    "add-up": _cells_with_sum,
    "mute-app": _mute,
    **dict.fromkeys(("place-address", "save-place"), _PLACE),
    "read-price": _PRODUCT,
    "fill-cart": lambda given, start, claimed: {**_PRODUCT(given, start, claimed), "pieces": int(given["count"])},
    "order-product": _purchase(False),
    "order-with-voucher": _purchase(True),
    **dict.fromkeys(("read-help", "find-voucher", "rate-help"), _ARTICLE),
    "ask-help": lambda _, __, claimed: {"most_tickets": len(claimed("tickets"))},
    **dict.fromkeys(("pause-tram", "timer-at-tram"), _film),
}
"""What is added, by template."""


CLAIMED = (
    "contacts",
    "threads",
    "mails",
    "documents",
    "alarms",
    "todos",
    "appointments",
    "calls",
    "voicemails",
    "songs",
    "playlists",
    "photos",
    "networks",
    "sheets",
    "new sheets",
    "clips",
    "products",
    "orders",
    "places",
    "articles",
    "tickets",
    "mailed",
    "paths",
    "times",
    "titles",
    "names",
    "callees",
    "settings",
    "desktop settings",
)
"""Kinds of what pieces of a task claim."""


def hole_values(template: str, given: Values, start: WorldState, claimed: Claimed) -> dict[str, Any]:
    """All values for the holes of one piece's evaluator.

    Claims of other pieces come after this one is made, so `claimed_KIND` is asked when it is judged.

    Args:
        template: its id. given: its words, inputs and output, by name.
        start: the state at the start. claimed: the items of a kind that some piece of the task uses.
    """
    claims = {f"claimed_{kind.replace(' ', '_')}": _later(claimed, kind) for kind in CLAIMED}
    more = MORE.get(template)
    return {**claims, **given, **(more(given, start, claimed) if more else {})}


def _later(claimed: Claimed, kind: str) -> Callable[[], list[str]]:
    return lambda: sorted(claimed(kind))
