"""What an agent and the sites that it visits try to make a browser show or give away: files of this machine, and pages
of the browser itself."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from web_pages import Site, serve

from omnipilot.envs import ActionRejected, Browser, Click, Elements, Modality, Observation, OpenUrl, Size
from omnipilot.envs.web import BrowserEnv, Chromium

pytestmark = pytest.mark.web

SECRET = "the words that nobody may read"


@pytest.fixture
def env(chromium: Chromium) -> Iterator[BrowserEnv]:
    made = BrowserEnv(chromium, size=Size(400, 300), load=3.0)
    yield made
    made.close()


@pytest.fixture
def site() -> Iterator[Site]:
    with serve() as made:
        yield made


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    file = tmp_path / "outside" / "secret.html"
    file.parent.mkdir()
    file.write_text(f"<title>{SECRET}</title><p>{SECRET}")
    return file


def look(env: BrowserEnv) -> Observation:
    return env.observe({Modality.ELEMENTS, Modality.CONTEXT}, 0.0)


def gives_away(env: BrowserEnv) -> bool:
    """Whether what the agent is told has the secret, or another page than those of sites."""
    seen = look(env)
    assert isinstance(seen.elements, Elements) and seen.context is not None
    return SECRET in str(seen) or "secret.html" in (seen.context.url or "")


def click(env: BrowserEnv, name: str) -> None:
    elements = look(env).elements
    assert isinstance(elements, Elements)
    env.act(Click(next(one for one in elements if one.name == name).box.center))


@pytest.mark.slow
@pytest.mark.parametrize("form", ["{}", " {}", "{}#x", "view-source:{}", "about:{}", "https:{}", "filesystem:{}"])
def test_an_agent_opens_no_file(env: BrowserEnv, secret: Path, form: str) -> None:
    for address in (
        secret.as_uri(),
        secret.as_uri().upper(),
        f"file:{secret}",
        str(secret),
        f"file://localhost{secret}",
    ):
        with contextlib.suppress(ActionRejected):
            env.act(OpenUrl(form.format(address)))
        assert not gives_away(env) and env.downloaded() == ()


@pytest.mark.parametrize("address", ["about:version", "about:settings", "chrome://version", "devtools://devtools/x"])
def test_an_agent_opens_no_page_of_the_browser(env: BrowserEnv, address: str) -> None:
    try:
        env.act(OpenUrl(address))
    except ActionRejected:
        return
    elements = look(env).elements
    assert isinstance(elements, Elements) and len(elements) == 0


WAYS = {
    "location": "<button onclick='location = `{}`'>go</button>",
    "link": "<a href='{}'>go</a>",
    "new tab": "<a href='{}' target=_blank>go</a>",
    "window": "<button onclick='window.open(`{}`)'>go</button>",
    "form": "<form action='{}'><button>go</button></form>",
    "download": "<a href='{}' download=got.html>go</a>",
    "frame": "<button onclick='f.src = `{}`'>go</button><iframe id=f></iframe>",
    "object": "<button onclick='o.data = `{}`'>go</button><object id=o></object>",
    "source": "<a href='view-source:{}'>go</a>",
    "browser": "<a href='chrome://version'>go</a>",
    "fetch": "<button onclick='fetch(`{}`).then(r => r.text()).then(t => document.body.append(t))'>go</button>",
    "upload": "<button onclick='i.value = `{}`'>go</button><input type=file id=i>",
}


@pytest.mark.parametrize("way", WAYS)
def test_a_site_leads_to_no_file(env: BrowserEnv, site: Site, secret: Path, way: str) -> None:
    site.pages["/"] = WAYS[way].format(secret.as_uri())
    env.act(OpenUrl(site.url()))
    click(env, "go")
    assert not gives_away(env)
    assert look(env).context.url in (site.url(), "about:blank", "")  # type: ignore[union-attr]
    assert all(SECRET.encode() not in env.read_file(name) for name in env.downloaded())


def test_a_redirect_leads_to_no_file(env: BrowserEnv, site: Site, secret: Path) -> None:
    site.pages["/"] = ({"Refresh": f"0; url={secret.as_uri()}"}, b"moved")
    env.act(OpenUrl(site.url()))
    assert not gives_away(env)


@pytest.mark.parametrize(
    "way", ["location", "link", "new tab", "window", "form", "download", "source", "fetch", "browser"]
)
def test_a_local_page_leads_to_its_own_folder_alone(env: BrowserEnv, tmp_path: Path, secret: Path, way: str) -> None:
    """Chromium lets one local file open any other; a world starts on one only if its file says so."""
    start, inside = tmp_path / "pages" / "start.html", tmp_path / "pages" / "more" / "inside.html"
    inside.parent.mkdir(parents=True)
    inside.write_text("<p>inside")
    start.write_text(f"<a href=more/inside.html>in</a> {WAYS[way].format(secret.as_uri())}")
    env.load(start.as_uri())
    click(env, "in")
    assert look(env).context.url == inside.as_uri()  # type: ignore[union-attr]
    env.act(Browser("back"))
    try:
        click(env, "go")
    except ActionRejected as refusal:
        assert "does not show" in str(refusal)
    assert not gives_away(env)
    assert all(SECRET.encode() not in env.read_file(name) for name in env.downloaded())
    with pytest.raises(ActionRejected, match="opens http"):
        env.act(OpenUrl(secret.as_uri()))


def test_a_local_page_that_goes_on_by_itself_is_left(env: BrowserEnv, tmp_path: Path, secret: Path) -> None:
    start = tmp_path / "pages" / "start.html"
    start.parent.mkdir()
    start.write_text(f"<script>setTimeout(() => location = '{secret.as_uri()}', 300)</script>")
    env.load(start.as_uri())
    for _ in range(4):
        assert not gives_away(env)
        env.pause(0.2)
