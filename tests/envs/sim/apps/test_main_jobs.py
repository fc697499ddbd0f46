"""Each app's main jobs, done through the interface only."""

from __future__ import annotations

from phone_goals import reach
from sim_hands import Hands, hands

from omnipilot.envs import Click, Drag, LongPress, Point, Press, Select, System, TypeText
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.state.account import Mail


def stranger(world: SimWorld) -> str:
    """A contact without a thread."""
    account = world.state().account
    known = {thread.contact for thread in account.threads}
    return next(contact.id for contact in account.contacts if contact.id not in known)


def test_text_somebody_new() -> None:
    world, phone, _ = hands()
    contact = stranger(world)
    phone.tap("home/messages", "messages/threads/new")
    phone.type("messages/new/search", world.state().account.contact(contact).name)  # type: ignore[union-attr]
    rows = [id for id in phone.ids() if id.startswith("messages/new/") and id.split("/")[-1] not in ("search", "back")]
    assert rows == [f"messages/new/{contact}"]
    phone.tap(rows[0])
    send = f"messages/thread/{contact}/send"
    assert "disabled" in phone.find(send).states
    phone.tap(send)
    assert world.state().account.thread(contact).messages == ()
    phone.type(f"messages/thread/{contact}/text", "  See you at nine ")
    phone.tap(send)
    assert world.state().account.thread(contact).sent == ("See you at nine",)
    phone.do(System("back"))
    assert phone.find(f"messages/threads/{contact}").value == "You: See you at nine"


def test_leaving_a_thread_drops_its_draft() -> None:
    world, phone, _ = hands()
    contact = world.state().account.threads[0].contact
    phone.open("messages")
    phone.tap(f"messages/threads/{contact}")
    phone.type(f"messages/thread/{contact}/text", "half")
    phone.do(System("back"))
    phone.tap(f"messages/threads/{contact}")
    assert phone.find(f"messages/thread/{contact}/text").value == ""


def test_reading_a_thread_counts_it_read() -> None:
    world, phone, _ = hands(3)
    unread = next(thread.contact for thread in world.state().account.threads if thread.unread)
    phone.open("messages")
    phone.tap(f"messages/threads/{unread}")
    assert world.state().account.thread(unread).unread == 0


def test_delete_a_conversation_and_copy_a_message() -> None:
    world, phone, _ = hands()
    thread = world.state().account.threads[1]
    phone.open("messages")
    phone.tap(f"messages/threads/{thread.contact}")
    bubble = next(id for id in phone.ids() if id.startswith(f"messages/thread/{thread.contact}/") and id[-1].isdigit())
    phone.do(LongPress(phone.at(bubble)))
    phone.tap(f"{bubble}/copy")
    assert world.state().phone.clipboard == phone.find(bubble).name
    phone.tap("messages/thread/back")
    row = f"messages/threads/{thread.contact}"
    phone.do(LongPress(phone.at(row)))
    phone.do(System("back"))
    assert row in phone.ids()
    phone.do(LongPress(phone.at(row)))
    phone.tap(f"{row}/delete")
    assert row not in phone.ids()
    assert thread.contact not in [other.contact for other in world.state().account.threads]


def test_a_long_conversation_opens_at_its_end_and_follows() -> None:
    world, phone, _ = hands()
    contact = world.state().account.threads[0].contact
    phone.open("messages")
    phone.tap(f"messages/threads/{contact}")
    for n in range(16):
        phone.do(TypeText(f"Message {n}", at=phone.at(f"messages/thread/{contact}/text"), submit=True))
    names = [element.name for element in phone.env.ui_tree()]
    assert "Message 15" in names
    assert "Message 0" not in names


def test_add_change_switch_and_delete_an_alarm() -> None:
    world, phone, _ = hands()
    phone.open("Clock")
    phone.tap("clock/alarms/new")
    phone.tap(*["clock/edit/hour/down"] * 8, *["clock/edit/ten-minutes/down"] * 2, "clock/edit/minute/down")
    phone.type("clock/edit/label", "Night train")
    phone.tap("clock/edit/daily", "clock/edit/save")
    alarm = next(alarm for alarm in world.state().account.alarms if alarm.label == "Night train")
    assert (alarm.at, alarm.enabled, alarm.daily) == ("23:39", True, True)
    row = f"clock/alarms/{alarm.id}"
    reach(phone, f"{row}/on")
    phone.tap(f"{row}/on")
    assert world.state().account.alarm(alarm.id).enabled is False  # type: ignore[union-attr]
    assert "checked" not in phone.find(f"{row}/on").states
    phone.tap(row, "clock/edit/hour/up", "clock/edit/save")
    assert world.state().account.alarm(alarm.id).at == "00:39"  # type: ignore[union-attr]
    reach(phone, row)
    phone.tap(row, "clock/edit/hour/up", "clock/edit/back", row, "clock/edit/delete")
    assert world.state().account.alarm(alarm.id) is None
    assert row not in phone.ids()


def test_a_double_tap_presses_twice_but_never_what_the_first_opened() -> None:
    world, phone, _ = hands()
    phone.open("Clock")
    phone.tap("clock/alarms/new")
    phone.tap("clock/edit/hour/up", count=2)
    assert phone.find("clock/edit/hour").name == "09"
    phone.tap("clock/edit/back")
    row = f"clock/alarms/{world.state().account.alarms[0].id}"
    reach(phone, row)
    phone.tap(row, count=3)
    assert world.state().phone.front.view.name == "edit"  # type: ignore[union-attr]
    assert len(world.state().phone.front.stack) == 2  # type: ignore[union-attr]


def test_find_edit_make_and_delete_a_note() -> None:
    world, phone, _ = hands()
    note = world.state().account.notes[0]
    phone.open("Notes")
    phone.type("notes/notes/search", note.name)
    rows = [id for id in phone.ids() if id.startswith("notes/notes/document")]
    assert f"notes/notes/{note.id}" in rows
    phone.tap(f"notes/notes/{note.id}")
    phone.type("notes/edit/body", "\nOne more line")
    phone.tap("notes/edit/save")
    # A click puts the caret where it lands, and the middle of the field lies below its text.
    assert world.state().account.document(note.id).text == f"{note.text}\nOne more line"  # type: ignore[union-attr]
    phone.tap(f"notes/notes/{note.id}", "notes/edit/delete", "notes/edit/keep")
    assert world.state().account.document(note.id) is not None
    phone.tap("notes/edit/delete")
    phone.do(System("back"))
    assert phone.find("notes/edit/delete").name == "Delete note"
    phone.tap("notes/edit/delete", "notes/edit/really")
    assert world.state().account.document(note.id) is None


def test_notes_travel_to_the_desktop_and_back() -> None:
    world, phone, desktop = hands()
    phone.open("Notes")
    phone.tap("notes/notes/new")
    phone.type("notes/edit/title", "AA list")
    phone.type("notes/edit/body", "tea")
    phone.tap("notes/edit/save")
    id = world.state().account.document("Notes/AA list").id  # type: ignore[union-attr]
    desktop.open("Text Editor")
    desktop.tap(f"editor/files/{id}")
    desktop.do(TypeText("\nmilk"), Press(("ctrl", "s")))
    assert "tea  milk" in [element.name for element in phone.env.ui_tree()]


def compose(desktop: Hands, to: str, subject: str, body: str) -> None:
    desktop.open("Mail")
    desktop.tap("mail/compose")
    desktop.type("mail/compose/to", to)
    desktop.type("mail/compose/subject", subject)
    desktop.type("mail/compose/body", body)
    desktop.tap("mail/compose/send")


def test_write_a_mail_by_name_or_address() -> None:
    world, _, desktop = hands()
    person = world.state().account.contacts[2]
    for to in (person.name, person.email):
        compose(desktop, to, "Subject", "First line\nSecond")
        mail = world.state().account.folder("sent")[0]
        assert (mail.to, mail.subject, mail.body) == (person.email, "Subject", "First line\nSecond")
        assert world.state().desktop.front.view.name == "inbox"  # type: ignore[union-attr]


def test_a_mail_to_nobody_is_not_sent_and_says_why() -> None:
    world, _, desktop = hands()
    before = world.state().account.mails
    compose(desktop, "Nobody Atall", "S", "B")
    assert world.state().account.mails == before
    assert any(element.role == "alert" for element in desktop.env.ui_tree())
    desktop.type("mail/compose/to", world.state().account.contacts[0].name, clear=True)
    desktop.do(Press(("ctrl", "enter")))
    assert len(world.state().account.mails) == len(before) + 1


def test_a_mail_to_oneself_arrives() -> None:
    world, _, desktop = hands()
    compose(desktop, world.state().account.owner.email, "Remember", "The milk")
    sent = world.now
    world.wait(2)
    mail = world.state().account.folder("inbox")[0]
    assert (mail.subject, mail.body, mail.read) == ("Remember", "The milk", False)
    assert desktop.look(sent).audio.loudness() > 0.01  # type: ignore[union-attr]
    desktop.tap("banner")
    assert world.state().account.mail(mail.id).read is True  # type: ignore[union-attr]
    assert desktop.find("mail/read/subject").name == "Remember"


def test_read_answer_and_file_a_mail() -> None:
    world, _, desktop = hands()
    desktop.open("mail")
    mail = world.state().account.folder("inbox")[0]
    desktop.tap(f"mail/list/{mail.id}")
    assert world.state().account.mail(mail.id).read is True  # type: ignore[union-attr]
    assert desktop.find("mail/read/body").name == mail.body
    desktop.tap("mail/read/reply")
    desktop.do(TypeText("Yes."))
    desktop.tap("mail/compose/send")
    answer = world.state().account.folder("sent")[0]
    assert (answer.to, answer.subject) == (mail.sender, f"Re: {mail.subject}")
    assert answer.body.startswith("Yes.\n\n> ")
    desktop.tap(f"mail/list/{mail.id}", "mail/read/archive")
    assert world.state().account.mail(mail.id).folder == "archive"  # type: ignore[union-attr]
    desktop.tap("mail/folder/archive", f"mail/list/{mail.id}", "mail/read/trash", "mail/folder/trash")
    assert f"mail/list/{mail.id}" in desktop.ids()


def rows(desktop: Hands) -> list[str]:
    return [id.split("/")[-1] for id in desktop.ids() if id.startswith("mail/list/")]


def test_sort_mark_and_move_mails() -> None:
    world, _, desktop = hands()
    desktop.open("mail")
    newest = [mail.id for mail in world.state().account.folder("inbox")]
    shown = rows(desktop)
    assert shown == newest[: len(shown)]
    desktop.do(Select(desktop.at("mail/order"), "oldest first"))
    assert desktop.find("mail/order").value == "Oldest first"
    assert rows(desktop) == newest[::-1][: len(shown)]
    desktop.tap("mail/order", "mail/order/newest-first")
    assert rows(desktop) == shown
    mail = next(mail for mail in world.state().account.folder("inbox") if mail.read and mail.id in shown[:-1])
    desktop.tap(f"mail/list/{mail.id}", button="right")
    desktop.tap(f"mail/list/{mail.id}/mark-as-unread")
    assert world.state().account.mail(mail.id).read is False  # type: ignore[union-attr]
    desktop.do(Drag(desktop.at("mail/folder/trash"), start=desktop.at(f"mail/list/{mail.id}")))
    assert world.state().account.mail(mail.id).folder == "trash"  # type: ignore[union-attr]


def test_a_mail_dropped_on_nothing_stays() -> None:
    world, _, desktop = hands()
    desktop.open("mail")
    mail: Mail = world.state().account.folder("inbox")[0]
    before = world.state().account
    desktop.do(Drag(Point(0.95, 0.5), start=desktop.at(f"mail/list/{mail.id}")))
    assert world.state().account == before


def test_make_rename_save_and_delete_a_document() -> None:
    world, _, desktop = hands()
    desktop.open("editor")
    desktop.tap("editor/new")
    desktop.do(TypeText("Some words"))
    id = world.state().desktop.front.view.arg  # type: ignore[union-attr]
    desktop.type(f"editor/edit/{id}/name", "AA report", clear=True)
    assert "disabled" not in desktop.find("editor/edit/save").states
    desktop.tap("editor/edit/save")
    assert world.state().account.document("Documents/AA report").text == "Some words"  # type: ignore[union-attr]
    assert "disabled" in desktop.find("editor/edit/save").states
    desktop.tap(f"editor/files/{id}", button="right")
    desktop.tap(f"editor/files/{id}/delete")
    desktop.do(Press(("esc",)))
    assert world.state().account.document(id) is not None
    desktop.tap(f"editor/files/{id}", button="right")
    desktop.tap(f"editor/files/{id}/delete", "editor/really")
    assert world.state().account.document(id) is None


def test_drafts_of_several_documents_live_side_by_side() -> None:
    world, _, desktop = hands()
    one, two = [document.id for document in world.state().account.documents if document.folder == "Documents"][:2]
    desktop.open("editor")
    for id in (one, two):
        desktop.tap(f"editor/files/{id}")
        desktop.do(TypeText(f" {id}"))
    desktop.tap(f"editor/files/{one}")
    assert desktop.find(f"editor/edit/{one}/body").value.endswith(one)
    desktop.do(Press(("ctrl", "s")))
    assert world.state().account.document(one).text.endswith(one)  # type: ignore[union-attr]
    assert not world.state().account.document(two).text.endswith(two)  # type: ignore[union-attr]


def test_windows_open_raise_move_hide_and_close() -> None:
    world, _, desktop = hands()
    desktop.tap("taskbar/mail", "taskbar/editor")
    assert [window.app for window in world.state().desktop.windows] == ["mail", "editor"]
    mail = world.state().desktop.window("mail")
    desktop.do(Click(Point((mail.x + 20) / 1280, (mail.y + 400) / 800)))  # type: ignore[union-attr]
    assert world.state().desktop.front.app == "mail"  # type: ignore[union-attr]
    start = desktop.at("window/mail/title")
    desktop.do(Drag(Point(start.x + 0.1, start.y + 0.05), start=start))
    moved = world.state().desktop.window("mail")
    assert (moved.x - mail.x, moved.y - mail.y) == (128, 40)  # type: ignore[union-attr]
    desktop.tap("window/mail/minimise")
    assert world.state().desktop.front.app == "editor"  # type: ignore[union-attr]
    assert "mail/compose" not in desktop.ids()
    desktop.tap("taskbar/mail")
    assert world.state().desktop.front.app == "mail"  # type: ignore[union-attr]
    desktop.tap("window/mail/close")
    assert world.state().desktop.window("mail") is None
    assert "expanded" not in desktop.find("taskbar/mail").states
    assert "expanded" in desktop.find("taskbar/editor").states


def test_the_phone_goes_home_and_comes_back_to_where_it_was() -> None:
    world, phone, _ = hands()
    contact = world.state().account.threads[0].contact
    phone.tap("home/messages", f"messages/threads/{contact}", "system/home")
    assert world.state().phone.front is None
    phone.tap("home/notes", "system/back")
    assert world.state().phone.front is None
    phone.open("Messages")
    assert world.state().phone.front.view.arg == contact  # type: ignore[union-attr]
    phone.tap("system/back", "system/back")
    assert world.state().phone.front is None
    phone.do(System("back"))
    assert world.state().phone.front is None
