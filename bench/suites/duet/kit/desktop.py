"""Shared by the desktop sub-tasks: navigation to pages, spontaneous sounds, checks for misplaced mails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from omnipilot.bench.suites.duet.kit.moves import fresh, front, is_untouched
from omnipilot.bench.synthesis.sampling import TaskSampler
from omnipilot.bench.tasks.judges import Case
from omnipilot.envs import Click, ConfigError, Intent, OpenApp, Point, Ref, Scroll, TypeText, Wait
from omnipilot.envs.sim.audio.sound import pattern
from omnipilot.envs.sim.state.account import Document, Mail
from omnipilot.envs.sim.state.world_state import WorldState

LOADING = 1.5
"""Seconds after which a page of another site is there."""
MAIL_LIST = Point(0.32, 0.5)
"""A point on the list of Mail's window, which the middle of the window is not."""
ROWS_IN_SIGHT = 8
READERS = ("grep", "cat", "head", "wc")
"""Commands of the terminal that say what is in a file, and nothing else."""
REMARKS = (
    "Checked on Friday",
    "Ask Kim before lunch",
    "Keep until the summer",
    "Second floor only",
    "Needs a new key",
    "Bring two copies",
)


@dataclass(frozen=True, slots=True)
class Sounds:
    """A sound starts on the desktop by itself; nothing is displayed."""

    name: str
    seconds: float = 0.0

    def __call__(self, state: WorldState) -> WorldState:
        return state.sound("desktop", self.name, self.seconds or pattern(self.name).seconds)


def site(now: WorldState, url: str) -> list[Intent]:
    """Bring the browser to the front with the first page of a site.

    What an earlier sub-task searched for would still hide the rest; the browser is closed first where that is so.
    """
    searches = (field.text for id, field in now.desktop.fields.items() if id.startswith("browser/") and "search" in id)
    fresh_start: list[Intent] = [OpenApp("Browser"), Click(Ref("window/browser/close"))] if any(searches) else []
    address = TypeText(url, Ref("browser/address"), clear=True, submit=True)
    return [*fresh_start, OpenApp("Browser"), address, Wait(LOADING)]


def page(url: str) -> Callable[[Case], bool]:
    """A condition: the browser is in front and shows a page."""
    return front("desktop", "browser", "page", url)


def folder_of(folder: str) -> list[Intent]:
    """Bring Files to the front with a folder."""
    return [OpenApp("Files"), Click(Ref(f"files/tree/{folder}"))]


def inbox_at(now: WorldState, mail: str) -> list[Intent]:
    """Bring Mail to the front and scroll its list to a mail; a mail yet to arrive will be on top."""
    ids = [one.id for one in now.account.folder("inbox")]
    low = mail in ids and ids.index(mail) >= ROWS_IN_SIGHT
    scrolled = bool(now.desktop.scrolls.get("mail/list/inbox/scroll", 0))
    if not low and not scrolled:
        return [OpenApp("Mail")]
    return [OpenApp("Mail"), Scroll("down" if low else "up", MAIL_LIST, 50)]


def claim_letter(draw: TaskSampler, to: str, subject: str) -> None:
    """Record that a piece of the task has a mail with this subject sent to an address."""
    draw.claim("mailed", to)
    draw.claim(f"subjects to {to}", subject)


def mails_sent(case: Case) -> list[Mail]:
    """The mails sent since the start, wherever they lie by now."""
    owner = case.start.account.owner.email
    return [mail for mail in fresh(case, "mails") if mail.sender == owner]


def words_of_mails(case: Case, to: str, subject: str) -> list[str]:
    """The texts of the mails that were sent to an address with a subject since the start; what they quote is no part
    of them."""
    mails = [mail for mail in mails_sent(case) if (mail.to, mail.subject) == (to, subject)]
    return [mail.body.split("\n\n>")[0].strip() for mail in mails]


def mails_astray(case: Case, draw: TaskSampler) -> list[str]:
    """Old mails that changed folder since the start, and new ones that no piece of the task has sent."""
    if is_untouched(case, "mails"):
        return []
    claimed = draw.claimed("mails")
    moved = []
    for mail in case.start.account.mails:
        now = case.state.account.mail(mail.id)
        if mail.id not in claimed and (now is None or now.folder != mail.folder):
            moved.append(mail.id)
    return moved + [mail.to for mail in mails_sent(case) if mail.subject not in draw.claimed(f"subjects to {mail.to}")]


def lines_of(text: str) -> list[str]:
    """The lines of a text, without blanks around them and empty ones."""
    return [line.strip() for line in text.split("\n") if line.strip()]


def lines_left(draw: TaskSampler, file: str, state: WorldState) -> list[str]:
    """The lines of a file when a piece takes it: as an earlier piece leaves them, else as they are at the start.

    Args:
        file: its id, or the path at which an earlier piece puts it.
    """
    left = draw.left("lines", file)
    if left is not None:
        return list(left)
    known = state.account.document(file)
    if known is None:
        raise ConfigError(
            f"no document {file!r} is there at the start, and no earlier sub-task says what it leaves in it"
        )
    return lines_of(known.text)


def reports(case: Case, file: str, word: str) -> list[str]:
    """What the terminal said since the start to commands that look into a file for a word."""
    said: list[str] = []
    asked = False
    for line in case.state.account.console.lines:
        _, prompt, command = line.partition("$ ")
        if prompt:
            asked = file in command and word in command and command.split()[:1][0] in READERS
        elif asked:
            said.append(line)
    return said


def says_count(said: Sequence[str], text: str, word: str, count: str) -> bool:
    """Whether a terminal has said how many lines of a text have a word, or all of these lines."""
    lines = [line for line in text.split("\n") if word in line]
    told = any(line.rpartition(":")[2].split()[:1] == [count] for line in said)
    return told or (bool(lines) and all(any(line in one for one in said) for line in lines))


def copies(case: Case, document: Document) -> list[str]:
    """Paths of new documents that contain the text of an old one."""
    return [new.path for new in fresh(case, "documents") if document.text and new.text == document.text]
