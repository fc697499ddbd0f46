"""The mail program: an account that needs no server, a mailbox of folders, and what judges read of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.utils import getaddresses

from omnipilot.bench.suites.workshop.kit.checks import title_in_front
from omnipilot.bench.suites.workshop.kit.steps import keys, step, until
from omnipilot.bench.suites.workshop.template import DemonstratedStep
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Click, TypeText, Wait

OPEN = ("claws-mail", "--select", "#mh/Mail/inbox")
"""The command line that shows the inbox."""
ACCOUNT = """[Account: 1]
account_name=Mail
is_default=1
name=User
address=user@example.org
protocol=0
receive_server=127.0.0.1
smtp_server=127.0.0.1
local_inbox=#mh/Mail/inbox
receive_at_get_all=0
"""
FOLDERS = """<?xml version="1.0" encoding="UTF-8"?>
<folderlist>
  <folder type="mh" name="Mail" path="Mail" collapsed="0" sort="0">
    <folderitem type="inbox" name="inbox" path="inbox" mtime="0" new="0" unread="0" total="0"/>
    <folderitem type="outbox" name="sent" path="sent"/>
    <folderitem type="draft" name="draft" path="draft"/>
    <folderitem type="queue" name="queue" path="queue"/>
    <folderitem type="trash" name="trash" path="trash"/>
  </folder>
</folderlist>
"""


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail: who it is from, its subject and its text."""

    sender: str
    subject: str
    text: str


def address(name: str) -> str:
    """The mail address of a person: "Ada Berg" has ada.berg@example.org."""
    return f"{name.lower().replace(' ', '.')}@example.org"


def mailbox(letters: Sequence[Letter]) -> dict[str, bytes]:
    """The files of a home with an account and these mails in its inbox, the oldest first."""
    files = {
        ".claws-mail/accountrc": ACCOUNT.encode(),
        ".claws-mail/folderlist.xml": FOLDERS.encode(),
        ".claws-mail/clawsrc": b"[Common]\nenable_aspell=0\nshow_msg_with_cursor_key=1\n",
    }
    for folder in ("sent", "draft", "queue", "trash"):
        files[f"Mail/{folder}/.mh_sequences"] = b""
    for number, letter in enumerate(letters, 1):
        files[f"Mail/inbox/{number}"] = (
            f"From: {letter.sender} <{address(letter.sender)}>\nTo: user@example.org\nSubject: {letter.subject}\n"
            f"Date: Mon, 2 Mar 2026 {8 + number:02d}:00:00 +0000\nMessage-ID: <{number}@example.org>\n"
            f"Content-Type: text/plain; charset=utf-8\n\n{letter.text}\n"
        ).encode()
    return files


def draft_is(to: str, subject: str, text: str) -> Judge:
    """Among the drafts is a mail to this address alone, with this subject and exactly this text."""

    def ask(case: Case) -> Verdict:
        desktop = case.state.desktop
        seen = []
        for path in desktop.below("Mail/draft"):
            if not path.rpartition("/")[2].isdecimal():
                continue
            mail = message_from_bytes(desktop.files[path], policy=policy.default)
            body = mail.get_body(("plain",))
            found = str(mail["To"] or "").strip(), str(mail["Subject"] or "").strip(), body
            said = "" if body is None else body.get_content().strip()
            seen.append(f"{found[0]} · {found[1]} · {said}")
            receivers = [receiver for _, receiver in getaddresses([found[0]])]
            if receivers == [to] and found[1] == subject and said == text:
                return Verdict(1.0)
        return Verdict(0.0, f"drafts: {'; '.join(seen)[:200] or 'none'}")

    return Judge(f"a draft to {to} says what it should", ask, env="desktop")


def nothing_sent() -> Judge:
    """At the end, no mail is sent or waits to be sent."""

    def ask(case: Case) -> Verdict:
        paths = [path for folder in ("sent", "queue") for path in case.state.desktop.below(f"Mail/{folder}")]
        mails = [path for path in paths if path.rpartition("/")[2].isdecimal()]
        return Verdict(float(not mails), f"sent: {', '.join(mails)}" if mails else "")

    return Judge("no mail is sent", ask, "end", "desktop")


def is_kept() -> Judge:
    """There is a draft."""

    def ask(case: Case) -> bool:
        drafts = case.state.desktop.below("Mail/draft")
        return any(path.rpartition("/")[2].isdecimal() for path in drafts)

    return Judge("a draft is kept", ask, env="desktop")


def write_draft(to: str, subject: str, text: str) -> tuple[DemonstratedStep, ...]:
    """Write a mail and keep it as a draft; the mail program is in front."""
    return (
        step("write a mail", keys("ctrl", "m"), until(title_in_front("Compose"))),
        # The list of known addresses covers the fields until a click elsewhere closes it.
        step("say to whom", TypeText(to), Wait(2.0), Click('the textbox "Subject"'), Wait(1.0)),
        step(
            "say about what",
            Click('the textbox "Subject"'),
            TypeText(subject),
            until(title_in_front(subject)),
            keys("tab"),
        ),
        step("write the text", TypeText(text)),
        step("save it as a draft", keys("ctrl", "s"), until(is_kept())),
    )
