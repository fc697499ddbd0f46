"""An Android phone or emulator over adb, as an environment."""

from __future__ import annotations

import re
import shlex
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal, get_args

from omnipilot.envs.android import input as touch
from omnipilot.envs.android import keys
from omnipilot.envs.android.apps import LAUNCHER, InstalledApp, app_names, find_app, parse_launchables, parse_packages
from omnipilot.envs.android.connection import AdbConnection, AdbServer, CommandTimeout, Output, PhoneConnection
from omnipilot.envs.android.device_settings import AWAKE, STILL, DeviceSettings, SettingChange
from omnipilot.envs.android.dialogs import AnsweredDialog, SystemDialog, answers, choose, may_be_dialog, recognise
from omnipilot.envs.android.foreground import Foreground, parse_awake, parse_foreground
from omnipilot.envs.android.hierarchy import DumpFailed, elements, parse_hierarchy
from omnipilot.envs.android.recording import ScreenRecorder
from omnipilot.envs.android.screen import Display, parse_display, parse_rotation, parse_wm_size, screen_map
from omnipilot.envs.android.screenshot import is_black, parse_screenshot
from omnipilot.envs.android.sound import SoundKind, SoundSource, sound_source
from omnipilot.envs.base import Capability, Env
from omnipilot.envs.clock import WallClock
from omnipilot.envs.types import actions as a
from omnipilot.envs.types.custom import CustomVerb, custom_verb
from omnipilot.envs.types.errors import ActionRejected, ConfigError, EnvLost
from omnipilot.envs.types.geometry import Point, Size
from omnipilot.envs.types.media import AudioClip, Image, VideoClip
from omnipilot.envs.types.observation import Absent, Context, Elements, Modality, Observation

TOUCHING = frozenset({"click", "long_press", "swipe", "scroll", "drag"})
TYPING = frozenset({"type", "press"})
OPENING = frozenset({"system", "open_app", "open_url"})
VERBS = TOUCHING | TYPING | OPENING

CLIPPER = "ca.zgrs.clipper"
"""An app that answers broadcasts about the clipboard; AndroidWorld uses it too."""
DUMP = "/data/local/tmp/omnipilot-tree.xml"
STATUS = (
    "dumpsys window | grep -E 'mDisplayId=|init=|mCurrentFocus|mFocusedApp|mCurrentRotation=|mRotation=|"
    "mShowingLockscreen|mDreamingLockscreen|isStatusBarKeyguard|KeyguardServiceDelegate|showing='; "
    "dumpsys power | grep -E 'mWakefulness=|Display Power|mScreenOn=|mHoldingDisplaySuspendBlocker='"
)
RESUMED = "dumpsys activity activities | grep -E 'ResumedActivity|mFocusedActivity'"
_REFUSED = re.compile(r"^(?:Error|Exception|Usage|Unknown command|java\.lang\.\w+)[:\s].*", re.MULTILINE)
LIST_SECONDS = 5.0
"""Seconds that the phone may take to list its applications for the planner."""
MOST_NAMED = 40
"""Applications that the planner is told of."""
_POLL = 0.05
"""Seconds between two looks while something is awaited."""


class AndroidEnv(Env):
    """One phone at an adb server: a device on USB, an emulator, one on the network, or `omnipilot phone serve`.

    Before the first observation the screen is woken
    and unlocked where that needs no secret, it is kept on, and animations are switched off; `changed` lists what that
    changed on the phone, and `close` restores it.

    Places are those on the screenshot. A phone whose size is overridden (`wm size`) or that is turned is operated in
    the pixels that its `input` uses.

    Dialogs of the system that come over an application are told in the context's title, and kept in `answered`.

    Args:
        serial: as `adb devices` lists it.
        clock: of the world that this phone is part of; by default it has a clock of its own.
        adb_server: where the adb server listens, as "PORT" or "HOST:PORT"; by default as adb's own variables say.
        verbs: verbs the agent may use, from `TOUCHING | TYPING | OPENING`.
        apps: further names of applications → packages, for `open_app`.
        dialogs: kind of system dialog → buttons to press, the first that it has; see `omnipilot.envs.android.dialogs`.
        sound: where sound comes from: `auto` (the phone's own recorder, else scrcpy), `scrcpy`, `phone` or `off`.
        cap: maximum number of elements; truncation is reported.
        command: maximum seconds of a command before the phone is given up.
        tree: maximum seconds to read the elements; after that they are absent.
        busy: seconds for which a screen that kept moving is not asked for its elements again.
        still: maximum seconds to wait until the screen is still after an action.
        prepare: whether the screen is woken and kept on, and animations are switched off.
        connection: how the phone is reached, for tests.

    Raises:
        MissingExtra: adbutils is not installed. ConfigError: the phone does not trust this computer.
        EnvLost: there is no such phone.
    """

    name: str
    capabilities = frozenset({Capability.UI_TREE, Capability.FILES, Capability.SHELL})

    def __init__(
        self,
        serial: str,
        name: str = "phone",
        *,
        clock: WallClock | None = None,
        adb_server: str | AdbServer | None = None,
        verbs: frozenset[str] = VERBS,
        apps: Mapping[str, str] | None = None,
        dialogs: Mapping[str, Sequence[str]] | None = None,
        sound: SoundKind = "auto",
        cap: int = 1000,
        command: float = 20.0,
        tree: float = 12.0,
        busy: float = 20.0,
        still: float = 2.0,
        prepare: bool = True,
        connection: PhoneConnection | None = None,
    ) -> None:
        if sound not in get_args(SoundKind):
            raise ConfigError(f"sound comes from {', '.join(get_args(SoundKind))}, not {sound!r}")
        self._custom: Mapping[str, CustomVerb] = {}
        if unknown := sorted(verbs - VERBS):
            known = ", ".join(sorted(TOUCHING | TYPING | OPENING))
            raise ConfigError(f"a phone has no verbs {', '.join(unknown)}; it has {known}")
        self.name = name
        self.serial = serial
        self._verbs = verbs
        self._clock = clock or WallClock()
        server = AdbServer.parse(adb_server) if isinstance(adb_server, str) else adb_server
        self.server = server or AdbServer.from_environment()
        self._connection = connection or AdbConnection(serial, self.server)
        self._names = dict(apps or {})
        self._apps: tuple[InstalledApp, ...] = ()
        self._installed: tuple[str, ...] | None = None
        self._answers = answers(dialogs or {})
        self._sound_kind = sound
        self._cap = cap
        self._command = command
        self._tree = tree
        self._busy_seconds = busy
        self._still = still
        self._prepare = prepare
        self._settings = DeviceSettings(self._connection, command)
        self._recorder = ScreenRecorder(self._connection, self._clock, name)
        self._sound: SoundSource | None = None
        self._pause = threading.Event()
        self._closed = False
        self.answered: tuple[AnsweredDialog, ...] = ()
        """The dialogs of the system that were in the way since the last restart."""
        self.restart()

    @property
    def connection(self) -> PhoneConnection:
        """How the phone is reached, for worlds."""
        return self._connection

    @property
    def platform(self) -> Literal["phone"]:
        """The kind of device."""
        return "phone"

    @property
    def verbs(self) -> frozenset[str]:
        """Kinds of the supported verbs."""
        return self._verbs | {"custom"} if self._custom else self._verbs

    @property
    def size(self) -> Size:
        """Size of the screenshot, as the screen is turned."""
        return self._map.screenshot

    @property
    def custom(self) -> Mapping[str, CustomVerb]:
        """`set_clipboard` where the phone has Clipper, the only way from a shell to a clipboard."""
        return self._custom

    @property
    def changed(self) -> tuple[SettingChange, ...]:
        """The phone's settings that differ from how it was found."""
        return self._settings.changed

    @property
    def description(self) -> str:
        """Model and Android version, such as "Pixel 6, Android 14 (API 34)"."""
        return f"{self._model}, Android {self._release} (API {self._sdk or '?'})"

    @property
    def applications(self) -> tuple[str, ...]:
        """None: which of its programs matter, the phone cannot know."""
        return ()

    @property
    def installed(self) -> tuple[str, ...]:
        """Names of its applications that have an icon, at most `MOST_NAMED`; of more, first those that were installed.

        Empty if the phone does not list them in time; what is wrong with it, the next action or observation says.
        """
        if self._installed is None:
            try:
                self._installed = tuple(self._app_names())
            except EnvLost:
                self._installed = ()
        return self._installed

    def restart(self) -> None:
        """Make sure that the phone is there, and prepare it; between episodes only.

        Raises:
            EnvLost: it is not there. ConfigError: it does not trust this computer.
        """
        self._closed = False
        self._connection.connect()
        props = ("ro.build.version.sdk", "ro.build.version.release", "ro.product.model")
        told = self._run("; ".join(f"getprop {prop}" for prop in props)).text.splitlines()
        sdk, self._release, self._model = [*(line.strip() for line in told), "", "", ""][:3]
        self._sdk = int(sdk) if sdk.isdecimal() else 0
        self._custom = {}
        if CLIPPER in self._run(f"pm list packages {CLIPPER}").text and self._verbs:
            verb = custom_verb(self._clipboard_verb())
            self._custom = {verb.name: verb}
        self._apps = ()
        self._installed = None
        self._busy: tuple[float, str] = (0.0, "")
        self._front = Foreground()
        self.answered = ()
        # Their times are those of the clock before its restart.
        self._recorder.stop()
        self._stop_listening()
        if self._prepare:
            for setting in (*STILL, AWAKE):
                self._settings.change(*setting)
        self._map = screen_map(Size(1, 1), Display(Size(1, 1), Size(1, 1)))
        self._look_up()
        shot = self._capture()
        self._map = screen_map(shot.size if isinstance(shot, Image) else self._display.size, self._display)

    def stop_apps(self, packages: Sequence[str] | None = None) -> None:
        """Stop applications, for worlds; by default all with an icon, else all that somebody installed."""
        if packages is None:
            self._list_apps()
            stoppable = [app for app in self._apps if app.activity]
            stoppable = stoppable or [*parse_packages(self._run("pm list packages -3").text)]
            packages = sorted({app.package for app in stoppable})
        if packages:
            self._run("; ".join(f"am force-stop {shlex.quote(package)}" for package in packages))

    def prepare(self, command: str, timeout: float) -> None:
        """Run a shell command that brings the phone to a start, for worlds.

        Raises:
            EnvLost: it failed.
        """
        done = self._connection.shell(command, timeout)
        if done.status:
            raise EnvLost(f"{command!r} failed on {self.serial} with status {done.status}: {done.text.strip()[:200]}")

    def go_home(self) -> None:
        """Show the home screen, for worlds."""
        self._run(f"input keyevent {keys.SYSTEM['home']}")
        self._settle()
        self._clear_the_way()

    # Observing

    def observe(self, modalities: Collection[Modality], since: float) -> Observation:
        """See `Env.observe`.

        A dialog of the system that is answered for the agent is gone from the observation, and told in the context.
        """
        self._open()
        told = self._clear_the_way()
        shot = self._capture() if Modality.SCREENSHOT in modalities else None
        if isinstance(shot, Image):
            self._map = screen_map(shot.size, self._display)
        elif self._map.display != self._display.size:
            self._map = screen_map(self._predicted(), self._display)
        now = self._clock.now
        seen: dict[str, Any] = {}
        for modality in Modality:
            seen[modality.value] = (
                Absent("unasked") if modality not in modalities else self._seen(modality, shot, told, since, now)
            )
        return Observation(self.name, now, self.size, **seen)

    def _seen(self, modality: Modality, shot: Any, told: str, since: float, now: float) -> Any:
        if modality is Modality.SCREENSHOT:
            return shot.at(self.name, now) if isinstance(shot, Image) else shot
        if modality is Modality.ELEMENTS:
            return self._elements(self._cap)
        if modality is Modality.CONTEXT:
            return self._context(told)
        if modality is Modality.VIDEO:
            return self._video(shot, since, now)
        return self._audio(since, now)

    def _context(self, told: str) -> Context:
        front = self._front
        app = InstalledApp(front.package).name if front.package else ""
        for name, package in self._names.items():
            app = name if package == front.package else app
        title = front.activity or front.window
        return Context(app, f"{title} ({told})" if told else title)

    def _capture(self) -> Image | Absent:
        """The screenshot as it is; absent where the phone gave none, or a black one."""
        try:
            answer = self._connection.execute("screencap -p", self._command)
        except CommandTimeout as error:
            self._connection.check()
            return Absent("failed", str(error))
        file = parse_screenshot(answer)
        if file is None:
            self._connection.check()
            return Absent("failed", f"screencap gave no picture: {answer[:200].decode('utf-8', 'replace').strip()!r}")
        try:
            image = Image.encoded(file, self.name, self._clock.now)
            black = is_black(image)
        except EnvLost as error:
            return Absent("failed", str(error))
        if black:
            return Absent(
                "failed",
                "the screenshot is black although the screen is on: the window in front forbids captures "
                "(FLAG_SECURE), or shows black; its elements can be read all the same",
            )
        return image

    def _elements(self, cap: int) -> Elements | Absent:
        until, where = self._busy
        if self._clock.now < until and where == self._place():
            rest = until - self._clock.now
            return Absent("failed", f"this screen kept moving; its elements are tried again in {rest:.0f} s")
        try:
            tree = self._dump(self._tree)
        except CommandTimeout:
            self._connection.check()
            self._busy = (self._clock.now + self._busy_seconds, self._place())
            return Absent("failed", f"the elements could not be read within {self._tree:g} s")
        except DumpFailed as error:
            if error.kind == "idle":
                self._busy = (self._clock.now + self._busy_seconds, self._place())
            return Absent("failed", str(error))
        return elements(tree, self._map, cap)

    def _place(self) -> str:
        return f"{self._front.package}/{self._front.activity} {self._front.window}"

    def _dump(self, timeout: float) -> Any:
        """One attempt; a file of an earlier one is never taken for this one's."""
        command = f"rm -f {DUMP}; uiautomator dump {DUMP} 2>&1; cat {DUMP} 2>/dev/null; rm -f {DUMP}"
        answer = self._connection.execute(command, timeout).decode("utf-8", "replace")
        try:
            return parse_hierarchy(answer)
        except DumpFailed:
            self._connection.check()
            raise

    def ui_tree(self) -> Elements:
        """Every element on the screen.

        Raises:
            EnvLost: the phone is gone, or its elements cannot be read.
        """
        self._open()
        self._look_up()
        if self._map.display != self._display.size:
            self._map = screen_map(self._predicted(), self._display)
        try:
            return elements(self._dump(self._command), self._map)
        except DumpFailed as error:
            raise EnvLost(f"the elements of {self.serial} cannot be read: {error}") from error

    def _predicted(self) -> Size:
        """The screenshot's size after the screen was turned or resized."""
        old, shot, new = self._map.display, self._map.screenshot, self._display.size
        return Size(shot.height, shot.width) if Size(old.height, old.width) == new else new

    def _look_up(self) -> bool:
        """Read what is in front, how the screen is turned and whether it is on; returns whether it is."""
        until = time.monotonic() + self._still
        while True:
            status = self._run(STATUS).text
            front = parse_foreground(status)
            if not front.package:
                front = parse_foreground(f"{status}\n{self._run(RESUMED).text}")
            # While windows change, nothing has the focus.
            if front.window or front.package or time.monotonic() > until:
                break
            self._pause.wait(_POLL)
        self._front = front
        display = parse_display(status)
        if display is None:
            sizes = parse_wm_size(self._run("wm size").text)
            if sizes is None:
                raise EnvLost(f"the phone {self.serial} tells no size of its screen")
            rotation = parse_rotation(status)
            if rotation is None:
                rotation = parse_rotation(self._run("dumpsys input; dumpsys display").text)
            display = Display(*sizes, rotation or 0)
        self._display = display
        return parse_awake(status) is not False

    def _clear_the_way(self) -> str:
        """Wake a screen that went dark, and answer dialogs of the system; returns what is to be told about it."""
        awake = self._look_up()
        told = ""
        if self._prepare and (not awake or self._front.locked):
            self._run(f"input keyevent {keys.WAKE}")
            self._run("wm dismiss-keyguard")
            self._look_up()
            told = "the screen was off or locked and has been woken"
            if self._front.locked:
                told = "the phone is locked, and asks for its secret"
        for _ in range(3):  # one dialog may hide another
            dialog = self._system_dialog()
            if dialog is None:
                break
            button = choose(dialog, self._answers[dialog.kind])
            answered = AnsweredDialog(dialog.kind, dialog.text, button.name if button is not None else "")
            if button is not None or not self.answered or self.answered[-1] != answered:
                self.answered = (*self.answered, answered)
            told = str(answered)
            if button is None:
                break
            self._tap(button.box.center)
            self._settle()
            self._look_up()
        return told

    def _system_dialog(self) -> SystemDialog | None:
        if not may_be_dialog(self._front):
            return None
        found = self._elements(0)
        return recognise(self._front, found) if isinstance(found, Elements) else None

    def _video(self, shot: Any, since: float, now: float) -> VideoClip | Absent:
        return self._recorder.clip(since, now, shot if isinstance(shot, Image) else None)

    def _audio(self, since: float, now: float) -> AudioClip | Absent:
        if self._sound is None:
            self._sound = sound_source(self._sound_kind, self._connection, self._clock, self.name, self._sdk)
        return self._sound.clip(since, now)

    # Acting

    def act(self, action: a.Action) -> None:
        """Execute one action; return when the screen is still, or after the time limit for that."""
        self._open()
        if action.kind not in self.verbs:
            raise ActionRejected(f"{self.name} cannot do {action.kind!r}; it can: {', '.join(sorted(self.verbs))}")
        self._perform(action)
        self._settle()

    def _perform(self, action: a.Action) -> None:
        match action:
            case a.Click():
                self._click(action)
            case a.LongPress():
                self._input(touch.long_press(self._at(action.at), action.seconds), action.seconds)
            case a.Drag():
                if action.start is None or action.button != "left":
                    raise ActionRejected("a phone has no cursor and no buttons: say where the drag starts")
                places = [self._at(place) for place in (action.start, *action.path, action.end)]
                self._input(touch.drag(places, self._sdk), 2.0 * len(places))
            case a.Swipe():
                start = None if action.start is None else self._at(action.start)
                end = None if action.end is None else self._at(action.end)
                self._input(touch.flick(action, start, end, self._map.display))
            case a.Scroll():
                self._scroll(touch.scroll(action, self._at(action.at or Point(0.5, 0.5)), self._map.display))
            case a.TypeText():
                self._type(action)
            case a.Press():
                line = touch.press(action, self._sdk)
                self._input(line, (action.seconds or 0.5) * action.repeat)
            case a.System():
                self._input(f"input keyevent {keys.SYSTEM[action.name]}")
            case a.OpenApp():
                self._open_app(action.app)
            case a.Custom():
                verb = self._custom.get(action.name)
                if verb is None:
                    raise ActionRejected(f"{self.name} has no verb {action.name!r}; it adds {', '.join(self._custom)}")
                bound = verb.bind(action.arguments)
                verb.call(*bound.args, **bound.kwargs)
            case a.OpenUrl():
                self._launched(f"am start -a android.intent.action.VIEW -d {shlex.quote(action.url)}", action.url)
            case _:
                raise ActionRejected(f"{self.name} does not know the verb {action.kind}")

    def _at(self, point: Point) -> tuple[int, int]:
        return self._map.to_input(point)

    def _click(self, action: a.Click[Point]) -> None:
        if action.at is None:
            raise ActionRejected("a phone has no cursor: say where to tap")
        if action.button != "left" or action.modifiers:
            raise ActionRejected("a tap has no button and no modifier; long_press opens an item's menu")
        self._input(touch.tap(self._at(action.at), action.count))

    def _scroll(self, strokes: Sequence[str]) -> None:
        """Stroke after stroke, until one moves nothing: the end is reached."""
        before = b""
        for stroke in strokes:
            self._input(stroke, 2.0)
            if len(strokes) > 1:
                shown = self._settle()
                if shown == before:
                    return
                before = shown

    def _tap(self, point: Point) -> None:
        self._input(touch.tap(self._at(point), 1))

    def _input(self, line: str, lasts: float = 0.0) -> None:
        """Run a line of `input` commands, which takes so many seconds by itself.

        Raises:
            ActionRejected: the phone refused it. EnvLost: the phone lets no computer operate it.
        """
        done = self._run(line, lasts)
        if "INJECT_EVENTS" in done.text:
            raise EnvLost(
                f"the phone {self.serial} lets no computer operate it; switch on 'USB debugging (Security settings)' "
                "in its developer options"
            )
        if done.status or _REFUSED.search(done.text):
            raise ActionRejected(f"the phone refused {line[:80]!r}: {' '.join(done.text.split())[:200]}")

    def _type(self, action: a.TypeText[Point]) -> None:
        keyboard = ""
        if not keys.typeable(action.text):
            keyboard = self._keyboard()
        if action.at is not None:
            self._tap(action.at)
            self._settle()
        if action.clear:
            self._input(touch.clear(self._length(), self._sdk), 5.0)
        if keyboard:
            self._type_by(keyboard, action.text)
        else:
            for line in keys.typing_commands(action.text):
                self._input(line, 2.0)
        if action.submit:
            self._input(f"input keyevent {keys.ENTER}")

    def _length(self) -> int | None:
        """Number of characters in the focused field, where it has to be known."""
        if self._sdk >= touch.API_COMBINATION:
            return None
        tree = self._elements(0)
        fields = [one for one in tree if "focused" in one.states] if isinstance(tree, Elements) else []
        return len(fields[0].value) if fields else None

    def _keyboard(self) -> str:
        """The installed keyboard that types any character.

        Raises:
            ActionRejected: there is none.
        """
        installed = touch.parse_keyboards(self._run("ime list -s -a").text)
        if not installed:
            raise ActionRejected(
                "this phone types only the characters of a US keyboard; others need ADBKeyBoard installed on it"
            )
        return installed[0]

    def _type_by(self, keyboard: str, text: str) -> None:
        """Type by a keyboard that is in use only for that time: it shows no keys, which changes the screen."""
        before = touch.parse_keyboard(self._run("settings get secure default_input_method").text)
        self._run(f"ime enable {keyboard}")
        self._run(f"ime set {keyboard}")
        try:
            self._settle()
            self._input(touch.broadcast(keyboard, text), 2.0)
        finally:
            if before and before != keyboard:
                self._run(f"ime set {before}")

    def _clipboard_verb(self) -> Callable[[str], None]:
        def set_clipboard(text: str) -> None:
            """Put text on the phone's clipboard; a long press in a text field then offers to paste it.

            Args:
                text: what to keep, up to 10000 characters.
            """
            if not isinstance(text, str) or len(text) > 10_000:
                raise ActionRejected("set_clipboard(text): text must be a string of up to 10000 characters")
            done = self._run(f"am broadcast -a clipper.set -e text {shlex.quote(text)}")
            if "result=-1" not in done.text:
                raise ActionRejected("the phone did not take the text: its app Clipper does not run")

        return set_clipboard

    def _list_apps(self, timeout: float | None = None) -> None:
        if not self._apps:
            seconds = self._command if timeout is None else timeout
            listed = self._connection.shell(f"cmd package query-activities --brief {LAUNCHER}", seconds)
            self._apps = parse_launchables(listed.text)
            self._apps = self._apps or parse_packages(self._connection.shell("pm list packages", seconds).text)

    def _app_names(self) -> list[str]:
        """See `installed`."""
        self._list_apps(LIST_SECONDS)
        shown = [app for app in self._apps if app.activity]
        added: frozenset[str] = frozenset()
        if not shown or len(shown) > MOST_NAMED:
            listed = self._connection.shell("cmd package list packages -3", LIST_SECONDS).text
            added = frozenset(app.package for app in parse_packages(listed))
        # Without its icons, a phone lists services and keyboards, too: only what was added to it is told.
        shown = shown or [app for app in self._apps if app.package in added]
        return app_names(shown, self._names, added, MOST_NAMED)

    def _open_app(self, name: str) -> None:
        self._list_apps()
        app = find_app(name, self._apps, self._names)
        if app is None:
            names = sorted({*self._names, *(app.name for app in self._apps)})
            raise ActionRejected(f"there is no app {name!r} on {self.name}; it has {', '.join(names[:80])}")
        if app.activity:
            # As a launcher starts it: an application that runs comes to the front as it was left.
            self._launched(f"am start {LAUNCHER} -f 0x10200000 -n {shlex.quote(f'{app.package}/{app.activity}')}", name)
        else:
            self._launched(f"monkey -p {app.package} -c android.intent.category.LAUNCHER 1", name)

    def _launched(self, command: str, what: str) -> None:
        done = self._run(command)
        failed = re.search(r"^(?:Error\b.*|\*\* .*No activities.*|.*monkey aborted.*)", done.text, re.MULTILINE)
        if failed or done.status:
            told = failed[0] if failed else " ".join(done.text.split())[:200]
            raise ActionRejected(f"the phone cannot open {what!r}: {told}")

    def _settle(self) -> bytes:
        """Return when two looks at the screen are equal, or after the time limit; returns the last look."""
        until = time.monotonic() + self._still
        before = b""
        while True:
            try:
                shown = self._connection.execute("screencap -p", self._command)
            except CommandTimeout:
                self._connection.check()
                return before
            if shown == before or time.monotonic() > until:
                return shown
            before = shown
            self._pause.wait(_POLL)

    # Judges, and the end

    def shell(self, command: str, timeout: float) -> str:
        """Output of a command in the phone's shell, for judges; standard error is mixed in.

        Raises:
            EnvLost: the phone is gone, or the command did not end in time.
        """
        self._open()
        return self._connection.shell(command, timeout).text

    def read_file(self, path: str) -> bytes:
        """Content of a file on the phone, for judges; those of other applications are protected.

        Raises:
            FileNotFoundError: there is none, or it may not be read.
        """
        self._open()
        return self._connection.pull(path, self._command)

    def close(self) -> None:
        """End recordings and restore the phone's settings; the phone stays as it is otherwise. May be called twice."""
        if self._closed:
            return
        self._closed = True
        self._recorder.stop()
        self._stop_listening()
        self._settings.restore()

    def _stop_listening(self) -> None:
        if self._sound is not None:
            self._sound.close()
            self._sound = None

    def _open(self) -> None:
        if self._closed:
            raise EnvLost(f"the environment {self.name} was closed")

    def _run(self, command: str, lasts: float = 0.0) -> Output:
        return self._connection.shell(command, self._command + lasts)
