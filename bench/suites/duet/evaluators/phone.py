"""Evaluators of the sub-tasks on the phone.

Holes are the words and inputs of the template, `output`, the items that the task has claimed (`claimed_contacts`), and
what `values.py` adds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnipilot.bench.suites.duet.evaluators.forms import (
    Entry,
    at,
    every,
    front,
    in_any_order,
    in_order,
    keep,
    keep_others,
    saying,
    state,
)

PERSON = "start:account.contacts[name={name}]"
EVENT = "start:account.appointments[title={title}, day={date}]"
TODO = "start:account.todos[title={title}, list={list}, done=false, id in {claimed_todos}]"
NOTE = "start:account.documents[folder=Notes, name={note}, id in {claimed_documents}]"
ALARM = "start:account.alarms[id in {claimed_alarms}]"
PHOTO = "account.photos[id={photo}, binned=false"
NETWORK = "start:account.networks[name={network}]"


def card(id: object) -> Entry:
    """A contact's card is open."""
    return front("phone", "contacts", "person", id)


def text_to(contact: str, *texts: str, beside: Any = 0) -> Entry:
    """The texts went to a contact, with few letters beside each, and nothing to people whom the task does not
    involve."""
    return every(
        saying(f"account.threads[contact={contact}].messages[new, mine=true].text", *texts, beside=beside),
        keep(f"account.threads[contact={contact}].messages[*]"),
        state("account.threads[contact not in {claimed_threads}].messages[new, mine=true]", "absent"),
    )


def call_to(number: str) -> Entry:
    """A number was called, and nobody whom the task does not involve."""
    wrong = "account.calls[new, kind=out, number !=# (account.contacts[id in {claimed_callees}].phone), number !=# "
    return every(state(f"account.calls[new, kind=out, {number}]"), state(f"{wrong}{{claimed_callees}}]", "absent"))


def keys_in_call(kind: str, person: str) -> Entry:
    """Keys were pressed in a call with a contact, and nobody else was called."""
    wrong = "account.calls[new, kind=out, number !=# (account.contacts[id in {claimed_callees}].phone), number !=# "
    return every(
        state(f"account.calls[new, kind={kind}, number =# ({person}.phone), keys={{code}}]"),
        state(f'account.calls[new, kind={kind}, number =# ({person}.phone), keys != {{code}}, keys != ""]', "absent"),
        state(f"{wrong}{{claimed_callees}}]", "absent"),
    )


def keep_alarms() -> Entry:
    """No alarm was changed or added that the task does not involve."""
    return every(keep_others("alarms"), state("account.alarms[new, at not in {claimed_times}]", "absent"))


def keep_titled(kind: str) -> Entry:
    """No event or task was changed or added that the task does not involve."""
    return every(keep_others(kind), state(f"account.{kind}[new, title not in {{claimed_titles}}]", "absent"))


def change(kind: str, item: str, wanted: str, *fields: str) -> Entry:
    """An item is as wanted in some attributes, and as it was in all others."""
    return every(
        state(f"account.{kind}[id=({item}.id), {wanted}]"),
        keep(f"account.{kind}[id=({item}.id)]", *fields),
        keep_titled(kind),
    )


def deletion(kind: str, item: str, kept: Entry) -> Entry:
    """An item is gone, and the others are as they were."""
    return every(state(f"account.{kind}[id=({item}.id)]", "absent"), kept)


def setting(name: str, value: object) -> Entry:
    """A setting of the phone has a value, and none that the task does not involve has changed."""
    return every(
        state(f'account.phone_settings["{name}"]', "=", value),
        {"check": "check_untouched", "args": {"path": "account.phone_settings", "but": "{claimed_settings}"}},
    )


def settings_page(view: str) -> Entry:
    """A page of Settings is open."""
    return front("phone", "settings", view)


def new_note(*lines: str) -> Entry:
    """A new note with these lines."""
    new = "account.documents[new, folder=Notes, name={title}]"
    return in_order(
        front("phone", "notes", "edit"),
        every(
            state(new, "count", 1),
            state(f"{new}.text", "lines in any order", [f"{{{line}}}" for line in lines]),
            keep_others("documents"),
        ),
    )


READ_THREAD = in_any_order(state(f"account.threads[contact=({PERSON}.id)].unread", "=", 0))
HEARD = state("account.voicemails[id={message}].heard", "=", True)
ALL_HEARD = in_any_order(state("account.voicemails[id in {claimed_voicemails}, heard=false]", "absent"))
OPENED_EVENT = front("phone", "calendar", "entry", at(f"{EVENT}.id"))
TASK_FORM = front("phone", "tasks", "edit", at(f"{TODO}.id"))
ADDED = "account.contacts[new, name={name}"
REPLIED = f"account.threads[contact=({PERSON}.id)].messages[new, mine=true, text={{text}}].time"
ASKED = f"account.threads[contact=({PERSON}.id)].messages[new, mine=false, first].time"
PLAYLIST = "start:account.playlists[name={playlist}]"

EVALUATORS: Mapping[str, Entry] = {
    # Contacts
    "add-contact": in_order(
        front("phone", "contacts", "edit"),
        every(
            state(f"{ADDED}]", "count", 1),
            state(f"{ADDED}, phone =# {{phone}}]"),
            state("account.contacts[new, name != {name}, id not in {claimed_contacts}]", "absent"),
            keep_others("contacts"),
        ),
    ),
    "change-number": in_order(
        card(at(f"{PERSON}.id")),
        every(
            state(f"account.contacts[id=({PERSON}.id), phone =# {{phone}}]"),
            keep(f"account.contacts[id=({PERSON}.id)]", "phone"),
            keep_others("contacts"),
            state("account.contacts[new, id not in {claimed_contacts}]", "absent"),
        ),
    ),
    "read-number": in_any_order(card(at(f"{PERSON}.id"))),
    "read-email": in_any_order(card(at(f"{PERSON}.id"))),
    "favourite-contact": in_order(
        card("{contact}"), every(state("account.contacts[id={contact}, favourite=true]"), keep_others("contacts"))
    ),
    "block-contact": in_order(
        card("{contact}"), every(state("account.contacts[id={contact}, blocked=true]"), keep_others("contacts"))
    ),
    "call-contact": in_order(card("{contact}"), call_to("number =# (account.contacts[id={contact}].phone)")),
    "delete-contact": in_order(card(at(f"{PERSON}.id")), deletion("contacts", PERSON, keep_others("contacts"))),
    # Clock
    "set-alarm": in_order(
        front("phone", "clock", "edit"),
        every(state("account.alarms[new, at={time}, label={label}, enabled=true]", "count", 1), keep_alarms()),
    ),
    "add-alarm": in_order(
        front("phone", "clock", "edit"),
        every(
            state("account.alarms[new, enabled=true]", "count", 1),
            state("account.alarms[new, enabled=true, at={time}]"),
            keep_others("alarms"),
        ),
    ),
    "shift-alarm": in_order(
        front("phone", "clock", "edit", at(f"{ALARM}.id")),
        every(
            state(f"account.alarms[id=({ALARM}.id), at={{new}}, enabled=true]"),
            keep(f"account.alarms[id=({ALARM}.id)]", "hour", "minute", "enabled"),
            keep_alarms(),
        ),
    ),
    "delete-alarm": in_any_order(deletion("alarms", ALARM, keep_alarms())),
    "start-timer": in_order(
        front("phone", "clock", "timer"),
        every(state("account.timer.seconds", "=", "{seconds}"), state("account.timer.since")),
    ),
    "dismiss-timer": in_any_order(
        every(
            state("phone.ringing", "absent"),
            state(
                "phone.sounds[name=(start:account.phone_settings.alarm_sound), start>{rings_from}, start<{rings_to}, "
                "last].seconds",
                "<",
                60,
            ),
        )
    ),
    "dismiss-alarm": in_any_order(
        every(
            state("phone.ringing", "absent"),
            state("phone.sounds[name=alarm, last].seconds", "<", 60),
            state("account.alarms[snoozed>0]", "absent"),
        )
    ),
    # Messages
    "send-text": in_order(
        front("phone", "messages", arg=at(f"{PERSON}.id")), text_to(f"({PERSON}.id)", "text", beside="{beside}")
    ),
    "text-contact": in_order(front("phone", "messages", arg="{contact}"), text_to("{contact}", "text")),
    "send-two": in_order(
        front("phone", "messages", arg=at(f"{PERSON}.id")), text_to(f"({PERSON}.id)", "first", "second")
    ),
    "read-address": READ_THREAD,
    "read-gate-code": READ_THREAD,
    "reply-at-once": in_order(
        every(
            state(f"account.threads[contact=({PERSON}.id)].messages[new, mine=false]"),
            state(f"account.threads[contact=({PERSON}.id)].unread", "=", 0),
        ),
        every(text_to(f"({PERSON}.id)", "text"), state(REPLIED, ">=", at(ASKED)), state(REPLIED, "<=", at(ASKED, 60))),
    ),
    "delete-thread": in_any_order(
        every(
            state(f"account.threads[contact=({PERSON}.id)]", "absent"),
            keep("account.threads[contact not in {claimed_threads}].contact"),
        )
    ),
    # Calendar
    "add-event": in_order(
        front("phone", "calendar", "edit"),
        every(
            state("account.appointments[new, title={text}]", "count", 1),
            state("account.appointments[new, title={text}, day={date}, at={time}]"),
            keep_titled("appointments"),
        ),
    ),
    "set-place": in_order(OPENED_EVENT, change("appointments", EVENT, "place={place}", "place")),
    "shift-event": in_order(OPENED_EVENT, change("appointments", EVENT, "at={time}", "at")),
    "answer-invitation": in_order(OPENED_EVENT, change("appointments", EVENT, "answer={answered}", "answer")),
    "read-event-time": in_any_order(OPENED_EVENT),
    "read-event-place": in_any_order(OPENED_EVENT),
    "delete-event": in_order(OPENED_EVENT, deletion("appointments", EVENT, keep_titled("appointments"))),
    # Tasks
    "add-task": in_order(
        front("phone", "tasks", "edit", ""),
        every(
            state("account.todos[new, title={text}]", "count", 1),
            state("account.todos[new, title={text}, list={list}, done=false]"),
            keep_titled("todos"),
        ),
    ),
    "tick-task": in_any_order(change("todos", TODO, "done=true", "done")),
    "move-task": in_order(TASK_FORM, change("todos", TODO, "list={other}", "list")),
    "postpone-task": in_order(TASK_FORM, change("todos", TODO, "due={due}", "due")),
    "annotate-task": in_order(TASK_FORM, change("todos", TODO, "note={text}", "note")),
    "read-task": in_any_order(TASK_FORM),
    "delete-task": in_any_order(deletion("todos", TODO, keep_titled("todos"))),
    # Notes
    "write-note": new_note("text"),
    "write-two": new_note("first", "second"),
    "write-three": new_note("first", "second", "third"),
    "write-five": new_note("first", "second", "third", "fourth", "fifth"),
    "append-note": in_order(
        front("phone", "notes", "edit", at(f"{NOTE}.id")),
        every(
            state(f"account.documents[id=({NOTE}.id), name={{note}}].text", "=", "{whole}"), keep_others("documents")
        ),
    ),
    "read-note": in_any_order(front("phone", "notes", "edit", at(f"{NOTE}.id"))),
    "delete-note": in_order(
        front("phone", "notes", "edit", at(f"{NOTE}.id")), deletion("documents", NOTE, keep_others("documents"))
    ),
    # Gallery
    "find-photo": in_any_order(front("phone", "gallery", "photo", "{output}")),
    "photo-place": in_any_order(front("phone", "gallery", "details", "{photo}")),
    "photo-name": in_any_order(front("phone", "gallery", "photo", "{photo}")),
    "count-things": in_any_order(
        front("phone", "gallery", "photo", at("start:account.photos[name={name}, id in {claimed_photos}].id"))
    ),
    "favourite-photo": in_order(
        front("phone", "gallery", "photo", "{photo}"),
        every(state(f"{PHOTO}, favourite=true]"), keep_others("photos")),
    ),
    "move-photo": in_order(
        front("phone", "gallery", "details", "{photo}"),
        every(state(f"{PHOTO}, album={{album}}]"), keep_others("photos")),
    ),
    "rename-photo": in_order(
        front("phone", "gallery", "details", "{photo}"),
        every(state(f"{PHOTO}, name={{text}}]"), keep_others("photos")),
    ),
    # Settings
    "join-phone-network": in_order(
        front("phone", "settings", "join", at(f"{NETWORK}.id")), setting("network", at(f"{NETWORK}.id"))
    ),
    "forget-network": in_order(
        settings_page("wifi"),
        every(
            state(f"account.networks[id=({NETWORK}.id)].known", "=", False),
            state(
                "account.networks[known=false, id in (start:account.networks[known=true, id not in "
                "{claimed_networks}].id)]",
                "absent",
            ),
        ),
    ),
    "set-ringtone": in_order(settings_page("sound"), setting("ringtone", "{tune}")),
    "set-alarm-sound": in_order(settings_page("sound"), setting("alarm_sound", "{tune}")),
    "switch-on": in_any_order(setting("{field}", True)),
    "silence-app": in_order(settings_page("notifications"), setting("muted", ["{id}"])),
    "set-language": in_order(settings_page("language"), setting("language", "{language}")),
    # Phone
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
        ),
        in_any_order(HEARD),
    ),
    "find-dialler": ALL_HEARD,
    "find-asker": ALL_HEARD,
    "stop-at-beep": in_order(
        HEARD,
        every(
            state("phone.sounds[name={sound}, last].seconds", ">=", "{beep}"),
            state("phone.sounds[name={sound}, last].seconds", "<=", "{late}"),
        ),
    ),
    "decline-call": in_any_order(state(f"account.calls[new, kind=declined, number =# ({PERSON}.phone)]")),
    "answer-call": in_order(
        state(f"account.calls[new, kind=in, number =# ({PERSON}.phone)]"), keys_in_call("in", PERSON)
    ),
    "call-and-press": in_order(
        state("account.calls[new, kind=out, number =# (account.contacts[id={contact}].phone)]"),
        keys_in_call("out", "account.contacts[id={contact}]"),
    ),
    "dial-number": in_any_order(call_to("number ~ {keys}")),
    # Music
    "find-song": in_order(
        HEARD, {"each": [state("account.player.song", "=", f"{{song{number}}}") for number in range(1, 5)]}
    ),
    "favourite-song": in_any_order(
        every(
            state("account.songs[id={track}].favourite", "=", True),
            state(
                "account.songs[favourite=true, id not in (start:account.songs[favourite=true].id), id not in "
                "{claimed_songs}]",
                "absent",
            ),
            keep("account.songs[favourite=true, id not in {claimed_songs}].favourite"),
        )
    ),
    "add-to-playlist": in_any_order(
        every(state(f"account.playlists[id=({PLAYLIST}.id)].songs", "=", "{songs}"), keep_others("playlists"))
    ),
    "new-playlist": in_order(
        front("phone", "music", "name"),
        every(
            state("account.playlists[new, name={text}]", "count", 1),
            state("account.playlists[new, name not in {claimed_names}]", "absent"),
            keep_others("playlists"),
        ),
    ),
    "remove-from-playlist": in_order(
        front("phone", "music", "playlist", at(f"{PLAYLIST}.id")),
        every(
            state(f"account.playlists[id=({PLAYLIST}.id)].songs", "=", "{rest}"),
            keep(f"account.playlists[id=({PLAYLIST}.id)]", "songs"),
            keep_others("playlists"),
        ),
    ),
    # On both devices
    "on-duty": in_any_order(front("phone", "notes", "edit", at('start:account.documents[name="Duty list"].id'))),
    "timer-at-tram": in_order(
        {"check": "check_film_position", "args": {"film": "{film}", "least": "{length}"}},
        {
            "check": "check_film_position",
            "args": {"film": "{film}", "least": "{waits_from}", "most": "{waits_to}", "when": "timer"},
        },
    ),
}
