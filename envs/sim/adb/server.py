"""Serves the embedded phone as an ADB device on a port of this machine."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable
from contextlib import suppress

from omnipilot.envs.admission import Admission
from omnipilot.envs.sim.adb.connection import HostConnection
from omnipilot.envs.sim.adb.display import Rotation
from omnipilot.envs.sim.adb.phone import ServedPhone, ServedWorld
from omnipilot.envs.sim.adb.properties import DEVICE, MODEL, PRODUCT
from omnipilot.envs.sim.adb.services import PhoneServices
from omnipilot.envs.types.errors import ConfigError, EnvLost

FEATURES = ("shell_v2", "cmd", "stat_v2", "ls_v2", "sendrecv_v2", "fixed_push_mkdir")
EMULATOR_PORTS = range(5555, 5586, 2)
"""Ports that every adb server of this machine looks at when it starts: whoever listens there is an emulator."""
TICK = 0.25
MOST_CONNECTIONS = 32
"""Hosts at a time."""
MOST_STRANGERS = 64
"""Connections that have not introduced themselves yet; a further one takes the place of the oldest."""
SILENT_SECONDS = 10.0
"""Within which a connection has to introduce itself."""
END_SECONDS = 10.0
"""Within which a phone that is to end has finished what it does; then it is left to end with its process."""


class PhoneServer:
    """The phone of a world, reachable by `adb connect`, in a thread of this process.

    While it is served, the world's clock runs as on the wall. Whoever changes the world meanwhile holds `phone.lock`.
    A context manager: `with PhoneServer(world) as server: …`.

    Args:
        world: a `SimWorld`, or another world with such a phone.
        port: to listen on; 0 for any that is free.
        host: address to listen on; there is no authentication, so it has to be one of this machine's own.
        emulator: take a free port of those at which adb servers look for emulators; the serial is then
            `emulator-PORT`.
        rate: seconds of the world's clock a second.
        rotation: quarter turns in which the phone lies.
        features: of the protocol, that the phone offers.

    Raises:
        ConfigError: the address is none of this machine's own, or the port belongs to emulators or is taken.
    """

    def __init__(
        self,
        world: ServedWorld,
        port: int = 0,
        host: str = "127.0.0.1",
        *,
        emulator: bool = False,
        rate: float = 1.0,
        rotation: Rotation = 0,
        features: Iterable[str] = FEATURES,
    ) -> None:
        if host not in ("127.0.0.1", "::1", "localhost"):
            raise ConfigError(f"the phone has no password, so it is served on 127.0.0.1 or ::1 only, not on {host}")
        if port and not emulator and 5555 <= port <= 5585:
            raise ConfigError(
                f"port {port} is one at which adb looks for emulators by itself; take another one, or ask for an "
                "emulator (--emulator)"
            )
        if port and emulator and port not in EMULATOR_PORTS:
            raise ConfigError(f"adb looks for emulators at the odd ports 5555 to 5585, not at {port}; leave it out")
        self.phone = ServedPhone(world, rate, rotation=rotation)
        self.host = host
        self.port = port
        self._emulator = emulator
        self._features = tuple(features)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._stop: asyncio.Event | None = None
        self._connections: set[asyncio.Task[None]] = set()

    @property
    def serial(self) -> str:
        """What `adb devices` calls it: `127.0.0.1:PORT`, or `emulator-PORT` where it is taken for one."""
        if self._emulator:
            return f"emulator-{self.port - 1}"
        return f"{'[::1]' if self.host == '::1' else self.host}:{self.port}"

    @property
    def banner(self) -> bytes:
        """How the phone introduces itself."""
        told = f"ro.product.name={PRODUCT};ro.product.model={MODEL};ro.product.device={DEVICE}"
        return f"device::{told};features={','.join(self._features)}".encode()

    def start(self) -> PhoneServer:
        """Listen; returns once hosts can connect.

        Raises:
            ConfigError: the port is taken.
        """
        started: list[BaseException | None] = []
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(started, ready), name="phone-server", daemon=True)
        self._thread.start()
        ready.wait()
        if started[0] is not None:
            self._thread.join()
            self._thread = None
            raise ConfigError(f"port {self.port} cannot be listened on: {started[0]}") from started[0]
        return self

    def stop(self) -> None:
        """Close all connections and stop listening. May be called twice."""
        thread, self._thread = self._thread, None
        if thread is not None and self._loop is not None and self._stop is not None:
            with suppress(RuntimeError):  # it has just ended by itself, as with its world
                self._loop.call_soon_threadsafe(self._stop.set)
            thread.join(END_SECONDS)

    def __enter__(self) -> PhoneServer:
        return self.start()

    def __exit__(self, *problem: object) -> None:
        self.stop()

    def _run(self, started: list[BaseException | None], ready: threading.Event) -> None:
        asyncio.run(self._serve(started, ready))

    async def _listen(self, services: PhoneServices) -> asyncio.Server:
        admission = Admission(MOST_CONNECTIONS, MOST_STRANGERS, SILENT_SECONDS)

        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            peer = writer.get_extra_info("peername")
            if peer is None:  # it has gone already
                writer.close()
                return
            admission.enter(writer.get_extra_info("socket"), peer)
            self._connections.add(task)
            try:
                await HostConnection(reader, writer, self.banner, services, lambda: admission.admit(peer)).run()
            except asyncio.CancelledError:
                writer.close()
            finally:
                self._connections.discard(task)

        ports = EMULATOR_PORTS if self._emulator and not self.port else (self.port,)
        problem: OSError | None = None
        for port in ports:
            try:
                server = await asyncio.start_server(accept, self.host, port)
            except OSError as error:
                problem = error
                continue
            if not port and 5555 <= server.sockets[0].getsockname()[1] <= 5585:
                server.close()
                return await self._listen(services)
            return server
        assert problem is not None
        raise problem

    async def _serve(self, started: list[BaseException | None], ready: threading.Event) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        services = PhoneServices(self.phone, self.host)
        try:
            server = await self._listen(services)
        except OSError as error:
            started.append(error)
            ready.set()
            return
        self.port = server.sockets[0].getsockname()[1]
        started.append(None)
        ready.set()
        ticking = asyncio.create_task(self._tick())
        try:
            await self._stop.wait()
        finally:
            server.close()
            services.close()
            for task in [ticking, *self._connections]:
                task.cancel()
            await asyncio.gather(ticking, *self._connections, return_exceptions=True)

    async def _tick(self) -> None:
        """Keep the world's clock going while nobody asks; a world that is closed is a phone that is gone."""
        assert self._stop is not None
        try:
            while True:
                self.phone.tick()
                await asyncio.sleep(TICK)
        except EnvLost:
            self._stop.set()
