"""Evaluators of the sub-tasks on the desktop; see `phone.py` for their holes."""

from __future__ import annotations

from collections.abc import Mapping

from omnipilot.bench.suites.duet.evaluators.forms import (
    Entry,
    at,
    check,
    every,
    front,
    in_any_order,
    in_order,
    keep,
    keep_others,
    saying,
    some,
    state,
)

PERSON = "start:account.contacts[name={name}]"
MAIL = f"start:account.mails[folder=inbox, sender=({PERSON}.email), subject={{subject}}, id in {{claimed_mails}}]"
FILE = "start:account.documents[folder={folder}, name={file}]"
SHEET = "start:account.sheets[name={sheet}, id in {claimed_sheets}]"
PLACE = "start:account.places[name={place}]"
PRODUCT = "start:account.products[name={product}]"
ARTICLE = "start:account.articles[title={article}]"
FILM = "start:account.clips[name={film}]"
SENT = "new, sender=(start:account.owner.email)"
LOG = "start:account.documents[path={log}]"
DOCUMENT = "start:account.documents[folder=Documents, name={document}, id in {claimed_documents}]"


def keep_mails() -> Entry:
    """No mail was moved, and none sent to anybody, that the task does not involve."""
    return every(
        keep("account.mails[id not in {claimed_mails}].folder"),
        state(f"account.mails[{SENT}, to not in {{claimed_mailed}}]", "absent"),
    )


def mail_to(to: str, subject: str) -> Entry:
    """A mail with the text was sent, and none that the task does not ask for."""
    return every(
        check("check_mail_sent", to=to, subject=subject, text="{text}", others="{others}"),
        state(f"account.mails[{SENT}, to={to}, subject not in {{subjects}}]", "absent"),
        keep_mails(),
    )


def archive_one(right: str, folder: str = "archive") -> Entry:
    """One of the mails that the task made is in a folder, and the others are where they were."""
    return every(
        state(f"account.mails[id={right}].folder", "=", folder),
        state(f"account.mails[id in {{claimed_mails}}, id != {right}, folder != inbox]", "absent"),
        keep_mails(),
    )


def site(page: str) -> Entry:
    """The browser is in front with a page."""
    return front("desktop", "browser", "page", page)


def file_in_sight(file: str = FILE) -> Entry:
    """The folder of a file is open, or the file was found and selected in another way."""
    return some(
        front("desktop", "files", "folder", at(f"{file}.folder")),
        state('desktop.values["files/chosen"]', "=", at(f"{file}.path")),
    )


def no_copies(file: str) -> Entry:
    """No new document has the text of an old one."""
    return state(f'account.documents[new, text != "", text=({file}.text)]', "absent")


def file_is(file: str, wanted: str) -> Entry:
    """A file is as wanted, with the text that it had, and the others are as they were."""
    return every(state(f"account.documents[id=({file}.id), text=({file}.text), {wanted}]"), keep_others("documents"))


def preference(name: str, value: object) -> Entry:
    """A setting of the desktop has a value, and none that the task does not involve has changed."""
    but = "{claimed_desktop_settings}"
    return every(
        state(f"account.desktop_settings.{name}", "=", value),
        {"check": "check_untouched", "args": {"path": "account.desktop_settings", "but": but}},
    )


def new_document(*lines: str) -> Entry:
    """A new document with these lines, in their order."""
    new = "account.documents[new, path={path}]"
    return in_order(
        every(
            state("desktop.front.app", "=", "editor"),
            state("desktop.front.view.arg", "=", at("account.documents[new].id")),
        ),
        every(
            state(new, "count", 1),
            state(f"{new}.text", "lines", [f"{{{line}}}" for line in lines]),
            keep_others("documents"),
        ),
    )


def new_sheet() -> Entry:
    """A new sheet that shows these cells."""
    return in_order(
        every(
            state("desktop.front.app", "=", "sheets"),
            state("desktop.front.view.name", "=", "sheet"),
            {"not": state("desktop.front.view.arg", "=", at("start:account.sheets[*].id"))},
        ),
        {"check": "check_new_sheet", "args": {"cells": "{cells}", "made": "{claimed_new_sheets}"}},
    )


def order() -> Entry:
    """A product was ordered once, and nothing else."""
    order = (
        "account.orders[lines={lines}, name={owner}, address={address}, delivery={delivery}, voucher={voucher_code}]"
    )
    return in_order(
        state(f"account.cartlines[id=({PRODUCT}.id)]"),
        every(state(order, "count", 1), state("account.orders[{most_orders}]", "absent")),
    )


WATCHED = some(state(f"account.playbacks[id=({FILM}.id), played>0]"), state(f"account.playbacks[id=({FILM}.id), at>0]"))
OPENED_SHEET = front("desktop", "sheets", "sheet", at(f"{SHEET}.id"))

EVALUATORS: Mapping[str, Entry] = {
    # Mail
    "mail-text": in_order(front("desktop", "mail", "compose"), mail_to("{to}", "{subject}")),
    "mail-contact": in_order(front("desktop", "mail", "compose"), mail_to("{to}", "{subject}")),
    "reply-mail": in_order(front("desktop", "mail", arg=at(f"{MAIL}.id")), mail_to("{to}", "Re: {subject}")),
    "archive-mail": in_any_order(every(state(f"account.mails[id=({MAIL}.id)].folder", "=", "archive"), keep_mails())),
    "await-code": in_any_order(state(f"account.mails[new, sender=({PERSON}.email), subject={{subject}}, read=true]")),
    "read-code": in_any_order(state(f'account.mails[sender=({PERSON}.email), subject="Door code", read=true]')),
    "mail-both": in_order(front("desktop", "mail", "compose"), mail_to("{to}", "{subject}")),
    "obey-voice": in_any_order(archive_one("{right}", "{target}")),
    "count-bell": in_any_order(
        every(
            state(f"account.mails[{SENT}, subject=Bell]", "count", 1),
            state(f"account.mails[{SENT}, subject=Bell, to=({PERSON}.email)].body", "reads", "{strokes}"),
            state(f"account.mails[{SENT}, to=({PERSON}.email), subject not in {{subjects}}]", "absent"),
            keep_mails(),
        )
    ),
    # Signals
    "listen": in_any_order(state("signals.code_since")),
    "watch": in_any_order(state("signals.ball_since")),
    "count-blinks": in_any_order(state("signals.lamp_since")),
    "true-code": in_order(
        state("signals.code_since"),
        archive_one("{right}"),
    ),
    # Text Editor
    "write-document": in_order(
        every(
            state("desktop.front.app", "=", "editor"), state("desktop.front.view.arg", "contains", at(f"{DOCUMENT}.id"))
        ),
        saying(f"account.documents[id=({DOCUMENT}.id)].text", "text", beside="{beside}", added=True),
    ),
    "note-down": new_document("first"),
    "note-two": new_document("first", "second"),
    "note-three": new_document("first", "second", "third"),
    "note-five": new_document("first", "second", "third", "fourth", "fifth"),
    "retitle": in_order(front("desktop", "editor", "edit", at(f"{DOCUMENT}.id")), file_is(DOCUMENT, "name={text}")),
    "extension-of": in_any_order(
        front("desktop", "editor", "edit", at('start:account.documents[folder=Documents, name="Extensions"].id'))
    ),
    # Terminal
    "count-lines": in_any_order(
        {"check": "check_terminal_count", "args": {"file": "{log}", "word": "{word}", "count": "{output}"}}
    ),
    "extract-lines": in_any_order(
        every(state("account.documents[path={file}].text", "lines", "{found_lines}"), keep_others("documents"))
    ),
    "append-line": in_any_order(
        every(
            state(f"account.documents[id=({LOG}.id), path={{log}}].text", "lines", "{all_lines}"),
            keep_others("documents"),
        )
    ),
    "tidy-log": in_order(
        state("account.dirs[path={new_folder}]"), every(file_is(LOG, "path={new_path}"), no_copies(LOG))
    ),
    "rename-made": in_any_order(
        every(
            state("account.documents[path={new_path}].text", "lines", "{lines}"),
            state("account.documents[path={old_path}]", "absent"),
            keep_others("documents"),
        )
    ),
    # Files
    "move-file": in_order(file_in_sight(), every(file_is(FILE, "folder={target}, name={file}"), no_copies(FILE))),
    "rename-file": in_order(file_in_sight(), file_is(FILE, "folder={folder}, name={text}")),
    "file-away": in_order(
        state("account.dirs[path={new_folder}]"),
        every(file_is(FILE, "folder={new_folder}, name={file}"), no_copies(FILE)),
    ),
    "delete-file": in_order(
        file_in_sight(), every(state(f"account.documents[id=({FILE}.id)]", "absent"), keep_others("documents"))
    ),
    "read-file": in_any_order(front("desktop", "editor", "edit", at(f"{FILE}.id"))),
    "move-made": in_any_order(
        every(
            state("account.documents[path={new_path}].text", "lines", "{lines}"),
            state("account.documents[path={old_path}]", "absent"),
            keep_others("documents"),
        )
    ),
    # Spreadsheet
    "put-number": in_order(
        OPENED_SHEET, every(state(f"account.sheets[id=({SHEET}.id)].cells", "=", "{cells}"), keep_others("sheets"))
    ),
    "total": in_order(
        OPENED_SHEET,
        every(
            {
                "check": "check_cell_number",
                "args": {"sheet": "{sheet}", "cell": "{cell}", "number": "{sum}"},
            },
            {
                "check": "check_untouched",
                "args": {"path": f"account.sheets[id=({SHEET}.id)].cells", "but": ["{cell}"]},
            },
            keep_others("sheets"),
        ),
    ),
    "look-up": in_any_order(OPENED_SHEET),
    "sort-sheet": in_order(
        OPENED_SHEET,
        every({"check": "check_rows_sorted", "args": {"sheet": "{sheet}", "head": "{head}"}}, keep_others("sheets")),
    ),
    "list-three": new_sheet(),
    "add-up": new_sheet(),
    # Settings
    "choose-output": in_order(front("desktop", "prefs", "sound"), preference("output", "{value}")),
    "choose-zone": in_order(front("desktop", "prefs", "time"), preference("zone", "{value}")),
    "choose-language": in_order(front("desktop", "prefs", "language"), preference("language", "{value}")),
    "mute-app": in_order(front("desktop", "prefs", "notifications"), preference("muted", "{muted}")),
    "join-network": in_order(
        front("desktop", "prefs", "network"),
        every(preference("network", at("start:account.networks[name={network}].id")), keep_others("networks")),
    ),
    # Browser
    "place-address": in_any_order(site("maps.example/{place_id}")),
    "save-place": in_order(
        site("maps.example/{place_id}"),
        every(state(f"account.places[id=({PLACE}.id)].saved", "=", True), keep_others("places")),
    ),
    "directions": in_order(
        site("maps.example/route"),
        every(
            site("maps.example/route"),
            state('desktop.fields["browser/maps/from"].text', "reads", "{start}"),
            state('desktop.fields["browser/maps/to"].text', "reads", "{end}"),
            state('desktop.values["browser/maps/mode"]', "=", "{mode}"),
        ),
    ),
    "save-route": in_order(
        site("maps.example/route"),
        every(
            state("account.routes[new]", "count", 1),
            state(
                "account.routes[new, start=(account.places[name={start}].id), end=(account.places[name={end}].id), "
                "mode=Walk]"
            ),
        ),
    ),
    "read-price": in_any_order(site("shop.example/{product_id}")),
    "fill-cart": in_order(
        site("shop.example/{product_id}"),
        every(
            state(f"account.cartlines[id=({PRODUCT}.id)].count", "=", "{pieces}"),
            state("account.cartlines[new, id not in {claimed_products}]", "absent"),
        ),
    ),
    "order-product": order(),
    "order-with-voucher": order(),
    "read-help": in_any_order(site("help.example/{article_id}")),
    "find-voucher": in_any_order(site("help.example/{article_id}")),
    "rate-help": in_order(
        site("help.example/{article_id}"),
        every(state(f"account.articles[id=({ARTICLE}.id)].vote", "=", "no"), keep_others("articles")),
    ),
    "ask-help": in_order(
        site("help.example/write"),
        every(
            state("account.tickets[new, topic={topic}, text={text}]", "count", 1),
            state("account.tickets[{most_tickets}]", "absent"),
        ),
    ),
    # Video Player
    **dict.fromkeys(("watch-counter", "watch-tram", "watch-lamps", "watch-doors"), in_any_order(WATCHED)),
    "stop-name": in_any_order(
        front("desktop", "editor", "edit", at('start:account.documents[name="Tram stops"].id')), WATCHED
    ),
    "pause-tram": in_order(
        {"check": "check_film_position", "args": {"film": "{film}", "least": "{length}"}},
        {
            "check": "check_film_position",
            "args": {"film": "{film}", "least": "{waits_from}", "most": "{waits_to}", "when": "paused"},
        },
    ),
    "true-report": in_order(
        WATCHED,
        archive_one(f"(start:account.mails[subject ~ ({FILM}.fact), id in {{claimed_mails}}].id)"),
    ),
    # On both devices
    "same-code": in_order(
        state("account.voicemails[id={message}].heard", "=", True),
        archive_one('(start:account.mails[subject="Key box", sender=(start:account.contacts[id={output}].email)].id)'),
    ),
    "start-at-beep": in_order(
        state("account.voicemails[id={message}].heard", "=", True),
        every(
            state("signals.lamp_since", ">=", at("phone.sounds[name={sound}].start", "{beep}")),
            state("signals.lamp_since", "<=", at("phone.sounds[name={sound}].start", "{late}")),
        ),
    ),
}
