"""The phone as an environment, on scripted answers: what is seen, what is sent, and what goes wrong."""

from __future__ import annotations

import android_texts as told
import pytest
from android_texts import dump, node
from scripted_phone import PANEL, TREE, WINDOW, ScriptedPhone, late, screenshot

from omnipilot.bench.episode.introduction import introduce
from omnipilot.envs import (
    Absent,
    Action,
    ActionRejected,
    Click,
    ConfigError,
    Custom,
    Drag,
    Elements,
    EnvLost,
    Image,
    LongPress,
    Modality,
    Observation,
    OpenApp,
    OpenUrl,
    Point,
    Press,
    Size,
    System,
    TypeText,
    check_env,
)
from omnipilot.envs.android import AndroidEnv
from omnipilot.envs.android.connection import CommandTimeout
from omnipilot.envs.android.device_settings import STILL
from omnipilot.envs.android.env import MOST_NAMED
from omnipilot.envs.android.input import ADB_KEYBOARD
from omnipilot.envs.contract.looks import STILL as LOOKS

MIDDLE = Point(0.5, 0.5)
LISTED = {"pm list": told.PACKAGES}


def made(phone: ScriptedPhone, **options: object) -> AndroidEnv:
    return AndroidEnv(phone.serial, connection=phone, still=0.2, **options)  # type: ignore[arg-type]


def look(env: AndroidEnv, *modalities: Modality) -> Observation:
    return env.observe(modalities or LOOKS, 0.0)


def sent(phone: ScriptedPhone, env: AndroidEnv, action: Action) -> list[str]:
    """What an action sends."""
    del phone.sent[:]
    env.act(action)
    return phone.inputs()


@pytest.mark.slow
def test_it_keeps_the_contract() -> None:
    check_env(lambda: made(ScriptedPhone.small()), live=True)


def test_an_observation_has_picture_elements_and_what_is_in_front() -> None:
    env = made(ScriptedPhone())
    seen = look(env)
    assert isinstance(seen.screenshot, Image) and seen.screenshot.size == seen.size == env.size == PANEL
    assert isinstance(seen.elements, Elements)
    assert [(one.role, one.name, one.id) for one in seen.elements] == [("button", "Wi-Fi", "android:id/title")]
    assert seen.context == type(seen.context)("Settings", "com.android.settings.Settings")
    assert env.description == "Pixel 6, Android 14 (API 34)"


def test_a_picture_behind_a_warning_is_found() -> None:
    phone = ScriptedPhone()
    phone.answers["screencap"] = told.SEVERAL_DISPLAYS + screenshot()
    assert isinstance(look(made(phone)).screenshot, Image)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (screenshot(shade=0), "FLAG_SECURE"),
        (screenshot()[:-20], "no picture"),
        (screenshot()[:100] + screenshot()[-20:], "cannot be decoded"),
        ("Capturing failed.\n", "Capturing failed"),
        (late("screencap -p"), "did not answer"),
    ],
)
def test_a_picture_that_is_none_is_absent_with_its_reason(answer: bytes | str | Exception, words: str) -> None:
    phone = ScriptedPhone()
    env = made(phone)
    phone.answers["screencap"] = answer
    seen = look(env)
    assert isinstance(seen.screenshot, Absent)
    assert seen.screenshot.reason == "failed" and words in seen.screenshot.detail
    assert isinstance(seen.elements, Elements), "the tree still works"


def test_black_bars_of_the_system_do_not_hide_a_black_window() -> None:
    white, black = bytes([255]) * (1080 * 100 * 3), bytes(1080 * 2200 * 3)
    phone = ScriptedPhone()
    env = made(phone)
    phone.answers["screencap"] = Image.raw(PANEL, white + black + white).png()
    assert isinstance(look(env).screenshot, Absent)
    dark = black[: len(black) // 2] + b"\0\0\1" + black[len(black) // 2 + 3 :]
    phone.answers["screencap"] = Image.raw(PANEL, white + dark + white).png()
    assert isinstance(look(env).screenshot, Image), "a dark picture is one"


def test_a_screen_that_moves_is_not_asked_again_for_a_while() -> None:
    phone = ScriptedPhone({"uiautomator dump": told.IDLE})
    env = made(phone, busy=30.0)
    for _ in range(3):
        elements = look(env).elements
        assert isinstance(elements, Absent) and "moving" in elements.detail
    assert sum("uiautomator" in one for one in phone.sent) == 1
    # Another screen may stand still.
    phone.answers["uiautomator dump"] = TREE
    phone.answers["dumpsys window"] = WINDOW.replace("settings.Settings}", "settings.SubSettings}")
    assert isinstance(look(env).elements, Elements)


def test_a_dump_that_does_not_end_is_absent() -> None:
    phone = ScriptedPhone()
    env = made(phone)
    phone.answers["uiautomator dump"] = late("uiautomator dump")
    elements = look(env).elements
    assert isinstance(elements, Absent) and "could not be read within" in elements.detail
    with pytest.raises(EnvLost):
        env.ui_tree()


def test_a_dump_that_another_program_prevents_says_so() -> None:
    phone = ScriptedPhone()
    phone.answers["uiautomator dump"] = told.TAKEN
    elements = look(made(phone)).elements
    assert isinstance(elements, Absent) and "another program" in elements.detail


def test_a_tap_goes_where_it_was_seen_when_the_size_is_overridden_and_the_screen_turned() -> None:
    phone = ScriptedPhone()
    phone.answers["dumpsys window"] = (
        "  Display: mDisplayId=0\n    init=1080x2400 420dpi base=720x1280 320dpi cur=1280x720 app=1280x680\n"
        "  mCurrentFocus=Window{1 u0 com.a/.B}\n  mCurrentRotation=ROTATION_90\n"
    )
    phone.answers["screencap"] = screenshot(Size(1280, 720))
    env = made(phone)
    assert look(env).size == Size(1280, 720)
    assert sent(phone, env, Click(Point(0.25, 0.5))) == ["input tap 320 360"]
    # The screenshot of other versions is the panel's, with the display between black bars.
    phone.answers["screencap"] = screenshot(Size(2400, 1080))
    assert look(env).size == Size(2400, 1080)
    assert sent(phone, env, Click(MIDDLE)) == ["input tap 640 360"]
    assert sent(phone, env, Click(Point(0.1, 0.5))) == ["input tap 0 360"]


def test_the_size_follows_a_screen_that_is_turned_between_screenshots() -> None:
    phone = ScriptedPhone()
    env = made(phone)
    look(env)
    phone.answers["dumpsys window"] = WINDOW.replace("cur=1080x2400", "cur=2400x1080").replace("_0", "_90")
    assert look(env, Modality.CONTEXT).size == Size(2400, 1080)
    assert sent(phone, env, Click(MIDDLE)) == ["input tap 1200 540"]


def test_older_phones_tell_their_size_elsewhere() -> None:
    phone = ScriptedPhone({"wm size": told.WM_SIZE_OVERRIDE, "dumpsys input": told.INPUT_13})
    phone.answers["dumpsys window"] = "  mCurrentFocus=Window{1 u0 com.a/.B}\n"
    phone.answers["screencap"] = screenshot(Size(1280, 720))
    env = made(phone)
    assert sent(phone, env, Click(Point(0.25, 0.5))) == ["input tap 320 360"]
    phone.answers["wm size"] = ""
    with pytest.raises(EnvLost, match="no size"):
        look(env)


def test_verbs_are_sent() -> None:
    phone = ScriptedPhone({"query-activities": told.LAUNCHABLES})
    env = made(phone)
    look(env)
    assert sent(phone, env, Click(MIDDLE, count=2)) == ["input tap 540 1200; input tap 540 1200"]
    assert sent(phone, env, LongPress(MIDDLE, 0.5)) == ["input swipe 540 1200 540 1200 500"]
    assert sent(phone, env, Drag(Point(0.5, 0.25), MIDDLE)) == ["input draganddrop 540 1200 540 600 1500"]
    assert sent(phone, env, System("recents")) == ["input keyevent 187"]
    assert sent(phone, env, Press(("enter",))) == ["input keyevent 66"]
    assert sent(phone, env, TypeText("a b", MIDDLE, clear=True, submit=True)) == [
        "input tap 540 1200",
        "input keycombination 113 29; input keyevent 67",
        "input text a%sb",
        "input keyevent 66",
    ]
    (opened,) = sent(phone, env, OpenApp("Clock"))
    assert opened.startswith("am start -a android.intent.action.MAIN -c android.intent.category.LAUNCHER")
    assert opened.endswith("-n com.google.android.deskclock/com.android.deskclock.DeskClock")
    assert sent(phone, env, OpenUrl("https://a.example/?q='x'&y=1")) == [
        "am start -a android.intent.action.VIEW -d 'https://a.example/?q='\"'\"'x'\"'\"'&y=1'"
    ]


def test_applications_are_listed_for_the_planner() -> None:
    phone = ScriptedPhone({"query-activities": told.LAUNCHABLES})
    env = made(phone)
    assert introduce(env).installed == env.installed == ("Clock", "Settings", "Simple Notes")
    assert introduce(env).description == "Pixel 6, Android 14 (API 34)" and introduce(env).applications == ()
    assert len([line for line in phone.sent if "query-activities" in line]) == 1, "the list is kept"
    assert not [line for line in phone.sent if "list packages -3" in line]
    env.restart()
    phone.answers["query-activities"] = told.LAUNCHABLES.replace("net.example.simple_notes", "org.new.paint")
    assert env.installed == ("Clock", "Paint", "Settings")


def test_of_many_applications_those_that_somebody_installed_are_listed_first() -> None:
    many = "".join(f"    com.many.app{number:02}/.Main\n" for number in range(90))
    phone = ScriptedPhone({"query-activities": many, "list packages -3": "package:com.many.app77\n"})
    listed = made(phone).installed
    assert len(listed) == MOST_NAMED and listed[:2] == ("App77", "App00")


@pytest.mark.parametrize("fault", [CommandTimeout("too slow"), EnvLost("it is gone"), "", "Error: no such command\n"])
def test_a_phone_that_does_not_list_its_applications_stops_nothing(fault: Exception | str) -> None:
    phone = ScriptedPhone()
    env = made(phone)
    phone.answers |= {"query-activities": fault, "list packages": fault}
    assert introduce(env).installed == ()
    before = len(phone.sent)
    assert env.installed == () and len(phone.sent) == before, "it is not asked again"


def test_an_old_phone_lists_what_somebody_installed() -> None:
    third = "package:org.tasks\npackage:com.some.keyboard\n"
    phone = ScriptedPhone({"query-activities": "Error\n", "list packages -3": third})
    phone.answers["pm list packages"] = f"{third}package:android\n"
    assert made(phone).installed == ("Keyboard", "Tasks")


def test_an_old_phone_empties_a_field_by_its_length() -> None:
    phone = ScriptedPhone(sdk=28)
    phone.answers["uiautomator dump"] = dump(
        node("[0,0][900,90]", class_="android.widget.EditText", text="four", focused="true")
    )
    env = made(phone)
    assert sent(phone, env, TypeText("x", clear=True)) == [
        "input keyevent 123; input keyevent 67 67 67 67",
        "input text x",
    ]


def test_other_characters_go_through_a_keyboard_that_is_put_back() -> None:
    phone = ScriptedPhone({"ime list": told.IME_LIST, "default_input_method": "com.a.keys/.Ime\n"})
    env = made(phone)
    lines = sent(phone, env, TypeText("Zoë 漢"))
    assert [lines[1], lines[2], lines[-1]] == [
        f"ime enable {ADB_KEYBOARD}",
        f"ime set {ADB_KEYBOARD}",
        "ime set com.a.keys/.Ime",
    ]
    assert lines[3].startswith("am broadcast -a ADB_INPUT_B64 --es msg ")
    # Also where the typing fails.
    phone.answers = {"am broadcast": "Error: no such receiver\n", **phone.answers}
    with pytest.raises(ActionRejected):
        env.act(TypeText("Zoë"))
    assert phone.inputs()[-1] == "ime set com.a.keys/.Ime"


def test_without_such_a_keyboard_nothing_is_typed_and_the_field_not_touched() -> None:
    phone = ScriptedPhone({"ime list": "com.a.keys/.Ime\n"})
    env = made(phone)
    del phone.sent[:]
    with pytest.raises(ActionRejected, match="ADBKeyBoard"):
        env.act(TypeText("Zoë", MIDDLE, clear=True))
    assert [line for line in phone.inputs() if line != "ime list -s -a"] == []


@pytest.mark.parametrize(
    ("answers", "action", "words"),
    [
        ({"input tap": "Error: Invalid arguments\nstatus=255"}, Click(MIDDLE), "Invalid arguments"),
        ({"input tap": "Unknown command: tap\n"}, Click(MIDDLE), "Unknown command"),
        ({"am start": "Error type 3\nError: Activity class does not exist.\n"}, OpenUrl("x:y"), "Error type 3"),
        (
            {"monkey": "** No activities found to run, monkey aborted.\n", "pm list": told.PACKAGES},
            OpenApp("Tasks"),
            "No act",
        ),
        (LISTED, OpenApp("Spotify"), "it has Settings, Tasks"),
        ({}, Click(), "no cursor"),
        ({}, Click(MIDDLE, "right"), "long_press"),
        ({}, Drag(MIDDLE), "where the drag starts"),
    ],
)
def test_what_the_phone_refuses_the_agent_is_told(answers: dict[str, str], action: Action, words: str) -> None:
    env = made(ScriptedPhone(answers))
    with pytest.raises(ActionRejected, match=words):
        env.act(action)


def test_a_phone_that_lets_nobody_operate_it_makes_the_episode_void() -> None:
    env = made(ScriptedPhone({"input tap": "java.lang.SecurityException: requires INJECT_EVENTS permission\n"}))
    with pytest.raises(EnvLost, match="Security settings"):
        env.act(Click(MIDDLE))


def test_a_dialog_of_the_system_is_answered_and_told() -> None:
    phone = ScriptedPhone()
    env = made(phone)
    shown = node("[0,0][900,90]", text="Mail isn't responding") + node(
        "[0,100][900,200]", text="Wait", class_="android.widget.Button", clickable="true"
    )

    def gone(command: str) -> str:
        phone.answers["dumpsys window"], phone.answers["uiautomator dump"] = WINDOW, TREE
        return ""

    phone.answers["dumpsys window"] = WINDOW.replace(
        "com.android.settings/com.android.settings.Settings", "Application Not Responding: com.example.mail"
    )
    phone.answers["uiautomator dump"] = dump(shown)
    phone.answers = {"input tap 450 150": gone, **phone.answers}
    seen = look(env)
    assert "input tap 450 150" in phone.inputs()
    assert seen.context and "'Wait' was pressed for you" in seen.context.title
    assert [(one.kind, one.pressed) for one in env.answered] == [("not_responding", "Wait")]
    assert isinstance(seen.elements, Elements) and [one.name for one in seen.elements] == ["Wi-Fi"]
    assert "pressed" not in look(env).context.title


def test_a_permission_is_left_to_the_agent_and_told() -> None:
    phone = ScriptedPhone()
    env = made(phone)
    phone.answers["dumpsys window"] = told.WINDOW_7.replace(
        "com.android.deskclock/com.android.deskclock.DeskClock}", "P}"
    ).replace("mCurrentFocus=Window{8d2c6b5 u0 P}", told.PERMISSION_14.strip())
    phone.answers["uiautomator dump"] = dump(
        node("[0,0][900,90]", text="Allow Mail to send notifications?")
        + node("[0,100][900,200]", text="Allow", class_="android.widget.Button", clickable="true")
    )
    del phone.sent[:]
    for _ in range(2):
        seen = look(env)
        assert seen.context and "it is yours to answer" in seen.context.title
    assert phone.inputs() == []
    assert len(env.answered) == 1


def test_a_dark_screen_is_woken_and_a_locked_one_told() -> None:
    phone = ScriptedPhone()
    env = made(phone)
    phone.answers["dumpsys window"] = WINDOW.replace("Awake", "Asleep")

    def wake(command: str) -> str:
        phone.answers["dumpsys window"] = WINDOW
        return ""

    phone.answers = {"keyevent 224": wake, **phone.answers}
    seen = look(env)
    assert phone.inputs()[-2:] == ["input keyevent 224", "wm dismiss-keyguard"]
    assert seen.context and "has been woken" in seen.context.title
    phone.answers["dumpsys window"] = told.WINDOW_15_LOCKED
    del phone.answers["keyevent 224"]
    seen = look(env)
    assert seen.context and "asks for its secret" in seen.context.title


def test_animations_are_switched_off_and_back_on() -> None:
    phone = ScriptedPhone()
    phone.answers = {
        "settings get global window_animation_scale": "0.5\n",
        "settings get global stay": "7\n",
        **phone.answers,
    }
    env = made(phone)
    assert [str(one) for one in env.changed] == [
        "global window_animation_scale: 0.5 -> 0",
        "global transition_animation_scale: unset -> 0",
        "global animator_duration_scale: unset -> 0",
    ]
    env.restart()
    assert len(env.changed) == len(STILL), "what was changed already is not taken for how it was found"
    del phone.sent[:]
    env.close()
    assert phone.sent == [
        "settings delete global animator_duration_scale",
        "settings delete global transition_animation_scale",
        "settings put global window_animation_scale 0.5",
    ]
    assert env.changed == ()
    with pytest.raises(EnvLost, match="closed"):
        look(env)


def test_what_could_not_be_restored_stays_in_the_record() -> None:
    phone = ScriptedPhone()
    env = made(phone)
    phone.gone = True
    env.close()
    assert len(env.changed) == 4


def test_a_phone_that_goes_is_lost() -> None:
    phone = ScriptedPhone()
    env = made(phone)
    phone.gone = True
    for call in (lambda: look(env), lambda: env.act(Click(MIDDLE)), env.ui_tree, lambda: env.shell("ls", 1)):
        with pytest.raises(EnvLost):
            call()


def test_judges_run_commands_and_read_files() -> None:
    phone = ScriptedPhone({"^id$": "uid=2000(shell)\n"})
    phone.files["/sdcard/a.txt"] = b"hello"
    env = made(phone)
    assert env.shell("id", 1.0) == "uid=2000(shell)\n"
    assert env.read_file("/sdcard/a.txt") == b"hello"
    with pytest.raises(FileNotFoundError):
        env.read_file("/sdcard/b.txt")


def test_text_is_put_on_the_clipboard_where_the_phone_has_clipper() -> None:
    assert made(ScriptedPhone()).custom == {}
    phone = ScriptedPhone(
        {"clipper$": "package:ca.zgrs.clipper\n", "clipper.set": 'result=-1, data="Text is copied"\n'}
    )
    env = made(phone)
    assert "custom" in env.verbs
    sent_lines = sent(phone, env, Custom("set_clipboard", {"text": "it's here"}))
    assert sent_lines == ["am broadcast -a clipper.set -e text 'it'\"'\"'s here'"]
    phone.answers["clipper.set"] = "result=0\n"
    for action in (Custom("set_clipboard", {"text": "a"}), Custom("set_clipboard", {"text": 1}), Custom("fly")):
        with pytest.raises(ActionRejected):
            env.act(action)


def test_verbs_can_be_withheld_but_not_invented() -> None:
    env = made(ScriptedPhone(), verbs=frozenset({"click"}))
    with pytest.raises(ActionRejected, match="it can: click"):
        env.act(System("back"))
    with pytest.raises(ConfigError, match="sound comes from auto"):
        made(ScriptedPhone(), sound="loud")
    with pytest.raises(ConfigError, match="no verbs move"):
        made(ScriptedPhone(), verbs=frozenset({"move"}))
