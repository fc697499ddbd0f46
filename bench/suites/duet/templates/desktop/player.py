"""Sub-tasks of `duet` in Video Player, on the desktop: the facts appear only while a film plays."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from omnipilot.bench.suites.duet.kit.desktop import inbox_at, mails_astray
from omnipilot.bench.suites.duet.kit.moves import front, on_desktop
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Click, Intent, OpenApp, Ref, TypeText, Wait
from omnipilot.envs.sim.apps.desktop.films import STOPS, draw_fact
from omnipilot.envs.sim.apps.desktop.video_player import position
from omnipilot.envs.sim.state.account import Document, Mail, fresh_id
from omnipilot.envs.sim.state.desktop_data import Clip, Film
from omnipilot.envs.sim.state.world_state import WorldState

STREETS = ("Mill Lane", "Harbour Road", "Linden Square", "North Gate", "Oak Avenue", "Church Row", "Town Hall")


def _film(draw: TaskSampler, kind: Film, state: WorldState) -> Clip:
    """A film of a kind, one of six with near-equal names, each showing a different fact."""
    clip = draw.pick("clips", [clip for clip in state.account.clips if clip.kind == kind])
    return replace(clip, fact=draw.fact(lambda dice: draw_fact(kind, dice)))


def _played(clip: Clip) -> Judge:
    def ask(case: Case) -> bool:
        seen = case.state.account.find("playbacks", clip.id)
        return seen is not None and (seen.played > 0 or seen.at > 0)

    return Judge("film played", ask)


def _watching(clip: Clip, finding: tuple[Intent, ...] = ()) -> list[Intent]:
    # One wait from the beginning to the end: a look in between would be a picture of what is told in motion.
    row = Click(Ref(f"player/list/{clip.id}"))
    return [OpenApp("Video Player"), *finding, row, Click(Ref("player/clip/play")), Wait(clip.seconds + 0.5)]


def _watch(kind: Film, type: str, words: str) -> Callable[[TaskSampler, Mapping[str, str], WorldState], Piece]:
    def make(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
        clip = _film(draw, kind, state)
        search = TypeText(clip.name, Ref("player/search"), clear=True)
        return Piece(
            JudgeGraph((_played(clip),)),
            state.own(state.account.put(clip)),
            lambda _: on_desktop(*_watching(clip)),
            {"film": clip.name},
            Resource(type, clip.fact, words.format(film=clip.name)),
            lambda _: on_desktop(*_watching(clip, (search,))),
        )

    return make


def _watching_template(id: str, what: str, type: str, kind: Film, words: str) -> Template:
    return Template(
        id,
        f'on the desktop, play the film "{{film}}" in Video Player and {what}',
        "desktop",
        "player",
        _watch(kind, type, words),
        output=type,
        level="AV-critical",
        dimension="temporal reasoning",
        hangs_on="motion",
    )


WATCH_COUNTER = _watching_template(
    "watch-counter",
    "watch for the highest number that its counter reaches",
    "text/number",
    "counter",
    'the highest number in "{film}"',
)
WATCH_TRAM = _watching_template(
    "watch-tram",
    "watch for the stop, A to E, at which the tram waits",
    "text/word",
    "tram",
    "the letter of the stop where the tram waited",
)
WATCH_LAMPS = _watching_template(
    "watch-lamps",
    "watch which lamp blinks after each was lit once, and how often it then blinks",
    "text/code",
    "lamps",
    'the lamp that blinked and how often (as in "B3")',
)
WATCH_DOORS = _watching_template(
    "watch-doors",
    "watch in which order the three doors open",
    "text/code",
    "doors",
    'the order in which the doors opened (as in "ABC")',
)


def _stop_name(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    clip = _film(draw, "tram", state)
    names = draw.sample(STREETS, len(STOPS))
    text = "\n".join(f"{stop}: {name}" for stop, name in zip(STOPS, names, strict=True))
    list_ = Document(fresh_id("document", state.account.documents), "Documents", "Tram stops", text, -7200.0)
    draw.claim("documents", list_.id)
    opened = Judge("list opened", front("desktop", "editor", "edit", list_.id))
    reading = (OpenApp("Text Editor"), Click(Ref(f"editor/files/{list_.id}")))
    return Piece(
        JudgeGraph((opened, _played(clip))),
        state.own(state.account.put(clip, list_)),
        lambda _: on_desktop(*reading, *_watching(clip)),
        {"film": clip.name},
        Resource("text/place", names[STOPS.index(clip.fact)], "the name of the stop where the tram waited"),
        lambda _: on_desktop(*_watching(clip), *reading),
    )


STOP_NAME = Template(
    "stop-name",
    'on the desktop, open the document "Tram stops" in Text Editor, play the film "{film}" in Video Player and find '
    "out the name of the stop at which the tram waits",
    "desktop",
    "player",
    _stop_name,
    output="text/place",
    level="AV-critical",
    dimension="cross-modal discrimination",
    hangs_on="motion",
    lasts=False,
)


def _pause_tram(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    clip = _film(draw, "tram", state)
    # The tram rides from 0.5 s on, 1.2 s from stop to stop, and waits for 2 s.
    begin = 1.1 + 1.2 * STOPS.index(clip.fact)

    def watched(case: Case) -> bool:
        seen = case.state.account.find("playbacks", clip.id)
        return position(clip, seen, case.state.time) >= clip.seconds

    def paused(case: Case) -> Verdict:
        seen = case.state.account.find("playbacks", clip.id)
        at = position(clip, seen, case.state.time)
        stands = seen is not None and seen.since is None
        return Verdict(float(stands and begin <= at <= begin + 2.0), f"at {at:.1f} s; stands: {stands}")

    again = Click(Ref("player/clip/play")), Wait(round(begin + 0.7, 6)), Click(Ref("player/clip/pause"))
    return Piece(
        JudgeGraph.chain([Judge("film watched to its end", watched), Judge("paused while it waits", paused)]),
        state.own(state.account.put(clip)),
        lambda _: on_desktop(*_watching(clip), *again),
        {"film": clip.name},
    )


PAUSE_TRAM = Template(
    "pause-tram",
    'on the desktop, play the film "{film}" in Video Player to its end, then play it again and pause it while the tram '
    "waits at its stop",
    "desktop",
    "player",
    _pause_tram,
    level="AV-critical",
    dimension="instant response",
    hangs_on="motion",
)


def _true_report(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    clip = draw.pick("clips", [clip for clip in state.account.clips if clip.kind == "counter"])
    people = draw.sample(state.account.contacts, 4)
    numbers = [str(number) for number in draw.sample(range(14, 60, 4), 4)]
    clip = replace(clip, fact=draw.fact(lambda dice: dice.choice(numbers)))
    mails: list[Mail] = []
    for person, number in zip(people, numbers, strict=True):
        id = fresh_id("mail", (*state.account.mails, *mails))
        body = f"Hello,\n\nI counted {number} visitors at most.\n\n{person.name.split()[0]}"
        subject = f"Visitors: {number}"
        mails.append(Mail(id, person.email, state.account.owner.email, subject, body, -600.0 - 60 * len(mails)))
    right = mails[numbers.index(clip.fact)].id
    draw.claim("mails", *(mail.id for mail in mails))

    def archived(case: Case) -> Verdict:
        folders = {mail.id: now.folder if (now := case.state.account.mail(mail.id)) else "" for mail in mails}
        hit = all(folder == ("archive" if id == right else "inbox") for id, folder in folders.items())
        wrong = mails_astray(case, draw)
        return Verdict(float(hit and not wrong), f"wanted {right}; now {folders}; astray: {wrong}")

    row = f"mail/list/{right}"
    return Piece(
        JudgeGraph.chain([_played(clip), Judge("true report archived", archived)]),
        state.own(state.account.put(clip, *mails)),
        lambda now: on_desktop(
            *_watching(clip), *inbox_at(now, right), Click(Ref(row)), Click(Ref("mail/read/archive"))
        ),
        {"film": clip.name},
        alternative=lambda now: on_desktop(
            *_watching(clip), *inbox_at(now, right), Click(Ref(row), "right"), Click(Ref(f"{row}/archive"))
        ),
    )


TRUE_REPORT = Template(
    "true-report",
    'on the desktop, play the film "{film}" in Video Player, then archive in Mail the one mail "Visitors: …" '
    "that gives "
    "the highest number of its counter, and none of the other three",
    "desktop",
    "player",
    _true_report,
    level="AV-critical",
    dimension="cross-modal discrimination",
    hangs_on="motion",
)

TEMPLATES = (WATCH_COUNTER, WATCH_TRAM, WATCH_LAMPS, WATCH_DOORS, STOP_NAME, PAUSE_TRAM, TRUE_REPORT)
