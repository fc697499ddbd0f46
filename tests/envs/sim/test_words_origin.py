"""The embedded world says where the words on its screens come from."""

from __future__ import annotations

from dataclasses import replace

import pytest

from omnipilot.envs import Elements, Modality, OpenApp
from omnipilot.envs.sim import SimWorld
from omnipilot.envs.sim.apps.desktop.video_player import play
from omnipilot.envs.sim.apps.registry import APPS
from omnipilot.envs.sim.shell.arrivals import NoticeArrives
from omnipilot.envs.sim.ui.navigation import show


def elements(world: SimWorld, device: str) -> dict[str, str]:
    found = world.envs[device].observe({Modality.ELEMENTS}, 0.0).elements
    assert isinstance(found, Elements) and all(one.origin for one in found)
    return {one.id: one.origin for one in found if one.id}


def opened(app: str, view: str, arg: str = "") -> SimWorld:
    world = SimWorld()
    world.envs["desktop"].act(OpenApp(APPS[app].title))
    world.prepare(show("desktop", app, view, arg))
    return world


def test_a_mail_is_of_its_sender_and_the_rest_of_the_application():
    mail = next(iter(SimWorld().state().account.folder("inbox")))
    found = elements(opened("mail", "inbox", mail.id), "desktop")
    assert found["mail/read/body"] == found[f"mail/list/{mail.id}"] == f"mail:{mail.sender}"
    assert found["mail/compose"] == "app:Mail"


def test_a_page_is_of_its_host_and_the_bars_of_the_browser():
    world = opened("browser", "page", "help.example")
    world.wait(3.0)
    found = elements(world, "desktop")
    assert found["browser/address"] == "app:Browser"
    assert "web:help.example" in found.values()


def test_files_are_of_their_paths():
    assert any(one.startswith("file:") for one in elements(opened("files", "folder"), "desktop").values())
    document = SimWorld().state().account.documents[0]
    found = elements(opened("editor", "edit", document.id), "desktop")
    assert f"file:{document.path}" in found.values()


@pytest.mark.parametrize("device", ["phone", "desktop"])
def test_a_banner_is_a_notification(device):
    world = SimWorld()
    app = "messages" if device == "phone" else "mail"
    world.prepare(lambda state: state.later(0.5, NoticeArrives(device, app, "Ann", "Call me")))
    world.wait(1.0)
    assert elements(world, device)["banner"] == f"notification:{'Messages' if device == 'phone' else 'Mail'}"


def test_a_subtitle_is_of_its_film():
    clip = SimWorld().state().account.clips[0]
    world = opened("player", "clip", clip.id)
    world.prepare(lambda state: state.own(state.account.put(replace(clip, subtitle="Come to the harbour"))))
    world.prepare(play(clip))
    world.wait(0.5)
    assert elements(world, "desktop")["player/clip/subtitle"] == f"film:{clip.name}"
