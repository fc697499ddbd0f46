"""Mail's goals, played through its screen; each changes the mails that it names and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from phone_goals import changed
from sim_desktop_goals import Goal, prove, reach
from sim_hands import Hands, hands

from omnipilot.envs import Drag, Press, Select, TypeText
from omnipilot.envs.sim.state.account import Account, Contact, Mail
from omnipilot.envs.sim.state.world_state import WorldState

NEXT = "mails/mail-13"
"""The record of the first mail that an episode brings."""


def near(account: Account) -> tuple[Contact, Contact]:
    """Two people whose names are nearly the same."""
    for i, one in enumerate(account.contacts):
        for other in account.contacts[i + 1 :]:
            (a, b), (c, d) = one.name.split(), other.name.split()
            if (a[:2], b[:2]) == (c[:2], d[:2]):
                return one, other
    raise AssertionError("nobody is nearly called like another")


def unread(account: Account) -> Mail:
    """The newest unread mail of the inbox."""
    return next(mail for mail in account.folder("inbox") if not mail.read)


def known(account: Account) -> Mail:
    """The newest read mail of the inbox."""
    return next(mail for mail in account.folder("inbox") if mail.read)


def row(mail: Mail) -> str:
    return f"mail/list/{mail.id}"


def open_row(desktop: Hands, mail: Mail, start: WorldState) -> None:
    reach(desktop, row(mail), row(start.account.folder("inbox")[0]))
    desktop.tap(row(mail))


def only(start: WorldState, now: WorldState, *records: str) -> bool:
    return changed(start.account, now.account) == set(records)


def write(desktop: Hands, to: str, subject: str = "Keys", body: str = "They are\nin the shed.") -> None:
    desktop.tap("mail/compose")
    desktop.type("mail/compose/to", to)
    desktop.type("mail/compose/subject", subject)
    desktop.type("mail/compose/body", body)
    desktop.tap("mail/compose/send")


def sent(start: WorldState, now: WorldState) -> Mail | None:
    """The mail that went out, where nothing else changed."""
    return now.account.mail("mail-13") if only(start, now, NEXT) else None


def keys(start: WorldState, now: WorldState) -> bool:
    mail = sent(start, now)
    return mail is not None and (mail.to, mail.subject, mail.body, mail.folder) == (
        near(start.account)[0].email,
        "Keys",
        "They are\nin the shed.",
        "sent",
    )


def reply(desktop: Hands, start: WorldState) -> None:
    open_row(desktop, known(start.account), start)
    desktop.tap("mail/read/reply")
    desktop.do(TypeText("I will be there."), Press(("ctrl", "enter")))


def write_anew(desktop: Hands, start: WorldState) -> None:
    write(desktop, known(start.account).sender, known(start.account).subject, "I will be there.")


def replied(start: WorldState, now: WorldState) -> bool:
    mail, first = sent(start, now), known(start.account)
    quoted = "\n".join(f"> {line}" for line in first.body.split("\n"))
    return mail is not None and (mail.to, mail.subject, mail.body) == (
        first.sender,
        f"Re: {first.subject}",
        f"I will be there.\n\n{quoted}",
    )


def archive(desktop: Hands, start: WorldState) -> None:
    open_row(desktop, unread(start.account), start)
    desktop.tap("mail/read/archive")


def to_trash(desktop: Hands, start: WorldState) -> None:
    open_row(desktop, unread(start.account), start)
    desktop.tap("mail/read/trash")


def by_menu(desktop: Hands, start: WorldState, item: str = "move-to-trash") -> None:
    mail = known(start.account)
    reach(desktop, row(mail), row(start.account.folder("inbox")[0]))
    desktop.tap(row(mail), button="right")
    desktop.tap(f"{row(mail)}/{item}")


def only_look(desktop: Hands, start: WorldState) -> None:
    open_row(desktop, known(start.account), start)


def drag_sent(desktop: Hands, start: WorldState, folder: str = "archive") -> None:
    mail = start.account.folder("sent")[-1]
    desktop.tap("mail/folder/sent")
    desktop.do(Drag(desktop.at(f"mail/folder/{folder}"), start=desktop.at(row(mail))))


def oldest(desktop: Hands, start: WorldState) -> None:
    desktop.do(Select(desktop.at("mail/order"), "Oldest first"))
    desktop.tap(row(start.account.folder("inbox")[-1]), "mail/read/archive")


def newest(desktop: Hands, start: WorldState) -> None:
    desktop.tap(row(start.account.folder("inbox")[0]), "mail/read/archive")


def to_oneself(desktop: Hands, start: WorldState) -> None:
    write(desktop, start.account.owner.email, "Remember", "The milk")
    desktop.world.wait(2)
    desktop.tap("mail/list/mail-14")


def too_early(desktop: Hands, start: WorldState) -> None:
    write(desktop, start.account.owner.email, "Remember", "The milk")


def read_all(desktop: Hands, start: WorldState) -> None:
    for mail in start.account.folder("inbox"):
        if not mail.read:
            reach(desktop, row(mail), next(id for id in desktop.ids() if id.startswith("mail/list/")))
            desktop.tap(row(mail))


def one(start: WorldState, now: WorldState, mail: Mail, folder: str) -> bool:
    """Just this mail changed, and lies in the folder."""
    found = now.account.mail(mail.id)
    return only(start, now, f"mails/{mail.id}") and found is not None and found.folder == folder


def all_read(start: WorldState, now: WorldState) -> bool:
    news = {f"mails/{mail.id}" for mail in start.account.mails if not mail.read}
    return only(start, now, *news) and all(mail.read for mail in now.account.mails)


def arrived(start: WorldState, now: WorldState) -> bool:
    mail = now.account.mail("mail-14")
    return only(start, now, NEXT, "mails/mail-14") and mail is not None and mail.read and mail.folder == "inbox"


GOALS = (
    Goal(
        "write to one of two",
        lambda desktop, start: write(desktop, near(start.account)[0].name),
        keys,
        lambda desktop, start: write(desktop, near(start.account)[1].name),
    ),
    Goal("reply", reply, replied, write_anew),
    Goal(
        "archive the unread one",
        archive,
        lambda start, now: one(start, now, unread(start.account), "archive"),
        to_trash,
    ),
    Goal(
        "to the trash by the menu",
        by_menu,
        lambda start, now: one(start, now, known(start.account), "trash"),
        lambda desktop, start: by_menu(desktop, start, "archive"),
    ),
    Goal(
        "unread again",
        lambda desktop, start: by_menu(desktop, start, "mark-as-unread"),
        lambda start, now: (
            only(start, now, f"mails/{known(start.account).id}")
            and now.account.mail(known(start.account).id) == replace(known(start.account), read=False)
        ),
        only_look,
    ),
    Goal(
        "drag a sent one",
        drag_sent,
        lambda start, now: one(start, now, start.account.folder("sent")[-1], "archive"),
        lambda desktop, start: drag_sent(desktop, start, "trash"),
    ),
    Goal(
        "archive the oldest",
        oldest,
        lambda start, now: one(start, now, start.account.folder("inbox")[-1], "archive"),
        newest,
    ),
    Goal("a mail to oneself", to_oneself, arrived, too_early),
    Goal("read everything", read_all, all_read, lambda desktop, start: open_row(desktop, unread(start.account), start)),
)


@pytest.mark.parametrize("goal", GOALS, ids=str)
def test_goal(goal: Goal) -> None:
    prove(goal, "mail")


def test_a_discarded_draft_leaves_nothing_behind() -> None:
    world, _, desktop = hands()
    before = world.state().account
    desktop.open("mail")
    desktop.do(Press(("ctrl", "n")))
    desktop.do(TypeText("Ana"))
    desktop.type("mail/compose/subject", "Half")
    desktop.tap("mail/compose/discard", "mail/compose")
    assert changed(before, world.state().account) == set()
    assert [desktop.find(f"mail/compose/{name}").value for name in ("to", "subject", "body")] == ["", "", ""]


def test_half_a_name_is_refused_and_can_be_mended() -> None:
    world, _, desktop = hands()
    before = world.state().account
    one, _ = near(before)
    desktop.open("mail")
    write(desktop, one.name.split()[0])
    assert changed(before, world.state().account) == set()
    assert "alert" in [element.role for element in desktop.env.ui_tree()]
    desktop.type("mail/compose/to", one.name, clear=True)
    desktop.tap("mail/compose/send")
    assert changed(before, world.state().account) == {NEXT}
    assert world.state().account.folder("sent")[0].to == one.email
