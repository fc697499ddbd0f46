"""Sub-tasks of `duet` that require acting on one device as soon as something is heard or seen on the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from omnipilot.bench.suites.duet.kit.desktop import mails_astray
from omnipilot.bench.suites.duet.kit.moves import on_desktop, on_phone
from omnipilot.bench.suites.duet.kit.phone import anyone, fits_in, tab, tap
from omnipilot.bench.suites.duet.templates.phone.voicemail import (
    ENGLISH,
    SECONDS,
    leave,
    leave_beep,
    listening,
    message_heard,
)
from omnipilot.bench.synthesis.compose import Piece, Resource, TaskSampler, Template
from omnipilot.bench.tasks.graph import JudgeGraph
from omnipilot.bench.tasks.judges import Case, Judge, Verdict
from omnipilot.envs import Click, OpenApp, Ref, Wait
from omnipilot.envs.sim.apps.desktop.films import STOPS
from omnipilot.envs.sim.apps.desktop.video_player import position
from omnipilot.envs.sim.state.account import Mail, fresh_id
from omnipilot.envs.sim.state.world_state import WorldState


def _same_code(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    voice, before = draw.choice(ENGLISH), "the code is"
    seconds = SECONDS[voice, before]
    make = fits_in(voice, before, seconds, lambda dice: str(dice.randrange(1000, 10_000)))
    codes: list[str] = []
    while len(codes) < 5:
        code = make(draw)
        codes += [] if code in codes else [code]
    said = draw.fact(lambda dice: dice.choice(codes))
    caller, *writers = (anyone(draw, state) for _ in range(6))
    state, message = leave(state, caller, f"speech:{voice}:{before} {said}", seconds, float(draw.randrange(60, 300)))
    draw.claim("voicemails", message.id)
    mails: list[Mail] = []
    for person, code in zip(writers, codes, strict=True):
        id = fresh_id("mail", (*state.account.mails, *mails))
        body = f"Hello,\n\nthe key box opens with {code}.\n\n{person.name.split()[0]}"
        mails.append(Mail(id, person.email, state.account.owner.email, "Key box", body, -900.0 - 60 * len(mails)))
    right = codes.index(said)
    draw.claim("mails", *(mail.id for mail in mails))

    def archived(case: Case) -> Verdict:
        folders = [now.folder if (now := case.state.account.mail(mail.id)) else "" for mail in mails]
        hit = all(folder == ("archive" if at == right else "inbox") for at, folder in enumerate(folders))
        wrong = mails_astray(case, draw)
        return Verdict(float(hit and not wrong), f"wanted {mails[right].id}; now {folders}; astray: {wrong}")

    row = f"mail/list/{mails[right].id}"
    return Piece(
        JudgeGraph.chain([replace(message_heard(message), env="phone"), Judge("mail archived", archived)]),
        state.own(state.account.put(*mails)),
        lambda now: [
            *on_phone(*listening(now, message)),
            *on_desktop(OpenApp("Mail"), Click(Ref(row)), Click(Ref("mail/read/archive"))),
        ],
        {"name": caller.name},
        Resource("contact", writers[right].id, "the writer of that mail"),
        lambda now: [
            *on_phone(*listening(now, message)),
            *on_desktop(OpenApp("Mail"), Click(Ref(row), "right"), Click(Ref(f"{row}/archive"))),
        ],
    )


SAME_CODE = Template(
    "same-code",
    'listen to the latest voicemail from "{name}" in Phone on the phone and archive, in Mail on the desktop, the one '
    'mail "Key box" that gives the code you heard, and none of the other four',
    "desktop",
    "mail",
    _same_code,
    output="contact",
    level="AV-critical",
    dimension="cross-modal discrimination",
    hangs_on="speech",
)


def _start_at_beep(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    person = anyone(draw, state)
    at = draw.fact(lambda dice: dice.choice(range(4, 25, 5)))
    state, message = leave_beep(draw, state, person, "A5", at, 34)

    def started(case: Case) -> Verdict:
        played = [sound.start for sound in case.state.phone.sounds if sound.name == message.sound]
        lamp = case.state.signals.lamp_since
        after = [round(lamp - start - at, 2) for start in played] if lamp is not None else []
        return Verdict(float(any(0 <= seconds <= 4 for seconds in after)), f"seconds after the beep: {after}")

    return Piece(
        JudgeGraph.chain([replace(message_heard(message), env="phone"), Judge("lamp started in time", started)]),
        state,
        lambda now: [
            *on_desktop(OpenApp("Signals")),
            *on_phone(OpenApp("Phone"), *tab(now, "phone", "voicemail"), tap(f"phone/voicemail/{message.id}")),
            *on_phone(tap("phone/message/play"), *[Wait(1.0)] * (at + 1)),
            *on_desktop(Click(Ref("signals/lamp/start"))),
        ],
        {"name": person.name},
    )


START_AT_BEEP = Template(
    "start-at-beep",
    "open Signals on the desktop, then play, in the voicemail of Phone on the phone, the latest message from "
    '"{name}", which is silent but for one beep, and press "Start" of the lamp on the desktop within 4 seconds after '
    "the beep",
    "desktop",
    "signals",
    _start_at_beep,
    level="AV-critical",
    dimension="instant response",
    hangs_on="sound",
)


def _timer_at_tram(draw: TaskSampler, _: Mapping[str, str], state: WorldState) -> Piece:
    clip = draw.pick("clips", [clip for clip in state.account.clips if clip.kind == "tram"])
    clip = replace(clip, fact=draw.fact(lambda dice: dice.choice(STOPS)))
    # The tram rides from 0.5 s on, 1.2 s from stop to stop, and waits for 2 s.
    begin = 1.1 + 1.2 * STOPS.index(clip.fact)

    def watched(case: Case) -> bool:
        return position(clip, case.state.account.find("playbacks", clip.id), case.state.time) >= clip.seconds

    def started(case: Case) -> Verdict:
        seen, since = case.state.account.find("playbacks", clip.id), case.state.account.timer.since
        at = position(clip, seen, since) if since is not None and seen is not None and seen.since is not None else 0.0
        return Verdict(float(begin <= at <= begin + 2.0), f"timer started {at:.1f} s into the film, wanted {begin:.1f}")

    play = Click(Ref("player/clip/play"))
    return Piece(
        JudgeGraph.chain(
            [Judge("film watched to its end", watched, env="desktop"), Judge("timer started in time", started)]
        ),
        state.own(state.account.put(clip)),
        lambda now: [
            *on_phone(OpenApp("Clock"), *tab(now, "clock", "timer")),
            *on_desktop(OpenApp("Video Player"), Click(Ref(f"player/list/{clip.id}")), play, Wait(clip.seconds + 0.5)),
            *on_desktop(play, Wait(round(begin + 0.7, 6))),
            *on_phone(tap("clock/timer/start")),
        ],
        {"film": clip.name},
    )


TIMER_AT_TRAM = Template(
    "timer-at-tram",
    'open the timer of Clock on the phone, play the film "{film}" in Video Player on the desktop to its end, then play '
    'it again and press "Start" of the timer on the phone while the tram waits at its stop',
    "phone",
    "clock",
    _timer_at_tram,
    level="AV-critical",
    dimension="instant response",
    hangs_on="motion",
    lasts=False,
)

TEMPLATES = (SAME_CODE, START_AT_BEEP, TIMER_AT_TRAM)
