"""Who may ask which endpoint when, on a clock that the tests set."""

from __future__ import annotations

import heapq
import itertools
from collections import Counter
from collections.abc import Callable

import pytest

from omnipilot.envs import ConfigError
from omnipilot.memory.models.broker.broker import Ask, Broker
from omnipilot.memory.models.broker.limits import EndpointLimits, LimitTable, parse_limits
from omnipilot.memory.models.broker.permits import EndpointId, RequestOutcome

HERE, THERE = EndpointId("http://here/v1", "hosted_vllm"), EndpointId("http://there/v1", "hosted_vllm")
MINUTE = 60.0


def limited(**limits: int) -> Broker:
    return Broker(LimitTable((("", EndpointLimits(**limits)),)))


def asked(broker: Broker, number: int, now: float = 0.0, where: EndpointId = HERE, owner: str = "a") -> list[int]:
    """Ask for permits numbered from 1; the numbers of those that are given at once."""
    for one in range(1, number + 1):
        broker.ask(Ask(owner, one, where, 100))
    return [ask.number for ask in broker.grant(now)]


def test_without_limits_everybody_is_let_through() -> None:
    broker = limited()
    assert asked(broker, 100) == list(range(1, 101)) and broker.next_grant(0.0) is None


def test_no_more_are_in_flight_than_allowed_and_first_come_is_first_served() -> None:
    broker = limited(in_flight=2)
    assert asked(broker, 5) == [1, 2]
    assert broker.grant(1000.0) == [] and broker.next_grant(0.0) is None
    broker.tell("a", 1, RequestOutcome(), 5.0)
    assert [ask.number for ask in broker.grant(5.0)] == [3]
    (standing,) = broker.standing()
    assert (standing.base, standing.in_flight, standing.waiting, standing.window) == (HERE.base, 2, 2, 2)


def test_who_dies_or_no_longer_wants_one_keeps_no_permit() -> None:
    broker = limited(in_flight=2)
    broker.ask(Ask("dead", 1, HERE))
    broker.ask(Ask("dead", 2, HERE))
    broker.ask(Ask("dead", 3, HERE))
    broker.ask(Ask("alive", 1, HERE))
    broker.ask(Ask("alive", 2, HERE))
    assert len(broker.grant(0.0)) == 2
    broker.tell("alive", 1, RequestOutcome(), 0.0)
    broker.drop("dead", 0.0)
    assert [(ask.owner, ask.number) for ask in broker.grant(0.0)] == [("alive", 2)]
    broker.tell("alive", 2, RequestOutcome(), 0.0)
    broker.tell("alive", 2, RequestOutcome(), 0.0)
    (standing,) = broker.standing()
    assert (standing.in_flight, standing.waiting) == (0, 0)


def test_one_limit_for_a_server_and_a_key() -> None:
    broker = limited(in_flight=1)
    mine, other = EndpointId("http://here/v1", "openai", "1a2b"), EndpointId("http://here/v1", "openai", "3c4d")
    assert [asked(broker, 2, where=where) for where in (mine, other, HERE)] == [[1], [1], [1]]


def test_many_429s_at_once_are_one_sign_and_a_clean_minute_gives_one_more() -> None:
    broker = limited()
    assert len(asked(broker, 16)) == 16
    for number in range(1, 9):
        broker.tell("a", number, RequestOutcome(429), 1.0)
    assert broker.standing()[0].window == 8
    for number in range(9, 17):
        broker.tell("a", number, RequestOutcome(), 2.0)
    assert len(asked(broker, 20, 3.0)) == 8
    broker.tell("a", 1, RequestOutcome(529), 4.0)
    assert broker.standing()[0].window == 4, "these were asked after the first sign"
    for number in range(2, 9):
        broker.tell("a", number, RequestOutcome(), 5.0)
    assert len(broker.grant(5.0)) == 4
    assert broker.next_grant(5.0) == pytest.approx(4.0 + MINUTE - 5.0)
    assert len(broker.grant(4.0 + MINUTE)) == 1
    assert len(broker.grant(4.0 + 3 * MINUTE)) == 2


def test_the_window_grows_no_further_than_the_limit_and_shrinks_to_one_at_least() -> None:
    broker = limited(in_flight=2)
    for now in (0.0, 1.0, 2.0):
        (first, *_) = asked(broker, 1, now)
        broker.tell("a", first, RequestOutcome(429), now)
    assert broker.standing()[0].window == 1
    broker.grant(10 * MINUTE)
    assert broker.standing()[0].window == 2


def test_an_endpoint_that_asks_to_be_left_alone_is() -> None:
    broker = limited()
    asked(broker, 1)
    broker.tell("a", 1, RequestOutcome(503, wait=7.0), 10.0)
    assert asked(broker, 1, 16.9) == [] and broker.next_grant(16.0) == pytest.approx(1.0)
    assert asked(broker, 0, 17.0) == [1]
    broker.tell("a", 1, RequestOutcome(429, wait=86_400.0), 20.0)
    assert asked(broker, 1, 20.0 + 299.0) == [] and asked(broker, 0, 20.0 + 300.0) == [1], "it is asked again some day"


def test_what_a_server_counts_replaces_what_was_estimated() -> None:
    broker = limited(tpm=60_000)
    assert asked(broker, 12) == [1], "100 tokens are estimated, which is a tenth of a second"
    broker.tell("a", 1, RequestOutcome(tokens=1_000), 0.1)
    # It was a second, and each of the others is now taken to need one.
    times = [now / 10 for now in range(300) if broker.grant(now / 10)]
    assert times[0] == pytest.approx(1.0, abs=0.11) and times[-1] - times[0] == pytest.approx(10.2, abs=0.3)


class Server:
    """Refuses what comes beyond so many requests in any minute, and says when to come back; each takes its seconds.

    Attributes:
        answered: when each answer was given.
    """

    def __init__(self, rpm: int, seconds: float) -> None:
        self.rpm, self.seconds = rpm, seconds
        self.taken: list[float] = []
        self.answered: list[float] = []
        self.refused = self.under_way = self.most = 0

    def ask(self, now: float) -> tuple[float, RequestOutcome]:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        lately = [one for one in self.taken if one > now - MINUTE]
        if len(lately) >= self.rpm:
            self.refused += 1
            return now + 0.05, RequestOutcome(429, wait=lately[0] + MINUTE - now)
        self.taken.append(now)
        self.answered.append(now + self.seconds)
        return now + self.seconds, RequestOutcome(tokens=500)


def play(
    broker: Broker, servers: dict[EndpointId, Server], workers: int, calls: int, dies: Callable[[int, float], bool]
) -> Counter[int]:
    """Let workers make calls one after the other, each at its own endpoint, in time that is only counted.

    Args:
        dies: whether a worker is killed when its call ends, in place of giving its permit back; another replaces it.

    Returns:
        Calls that were answered, by worker.
    """
    done: Counter[int] = Counter()
    order = itertools.count()
    events: list[tuple[float, int, int, int, RequestOutcome]] = []
    names = list(servers)
    numbers = {worker: worker for worker in range(workers)}

    def ask(worker: int) -> None:
        broker.ask(Ask(numbers[worker], done[worker], names[worker % len(names)]))

    def grant(now: float) -> None:
        for one in broker.grant(now):
            worker = int(str(one.owner)) % workers
            ends, outcome = servers[one.endpoint].ask(now)
            heapq.heappush(events, (ends, next(order), worker, one.number, outcome))

    now = 0.0
    for worker in range(workers):
        ask(worker)
    grant(now)
    while sum(done.values()) < workers * calls:
        wait = broker.next_grant(now)
        ticks = [] if wait is None else [now + max(wait, 1e-6)]
        now = min([*ticks, *(event[0] for event in events[:1])])
        assert now < float("inf"), "everybody waits and nobody may ask: a permit is lost"
        while events and events[0][0] <= now:
            _, _, worker, number, outcome = heapq.heappop(events)
            servers[names[worker % len(names)]].under_way -= 1
            if dies(worker, now):
                broker.drop(numbers[worker], now)
                numbers[worker] += workers
                ask(worker)
                continue
            broker.tell(numbers[worker], number, outcome, now)
            done[worker] += not outcome.status
            if done[worker] < calls:
                ask(worker)
        grant(now)
    return done


def test_what_is_asked_comes_within_a_tenth_of_what_is_allowed() -> None:
    server, broker = Server(600, 3.0), limited(rpm=600)
    play(broker, {HERE: server}, 64, 40, lambda *_: False)
    minutes = (server.answered[-1] - server.answered[0]) / MINUTE
    assert len(server.answered) / minutes == pytest.approx(600, rel=0.1)
    assert server.refused < 0.01 * len(server.answered)


def test_a_limit_that_nobody_told_is_found_and_no_permit_is_lost() -> None:
    server, broker = Server(600, 3.0), limited()
    done = play(broker, {HERE: server}, 64, 40, lambda *_: False)
    assert set(done.values()) == {40}
    assert server.refused < 0.2 * len(server.answered)
    (standing,) = broker.standing()
    assert (standing.in_flight, standing.waiting) == (0, 0) and standing.window is not None and standing.window < 64


def test_a_slow_replica_holds_nobody_of_the_other_and_workers_may_die() -> None:
    quick, slow, broker = Server(6000, 1.0), Server(6000, 20.0), limited(in_flight=8)
    killed = Counter[int]()

    def dies(worker: int, now: float) -> bool:
        killed[worker] += 1
        return killed[worker] == 3

    done = play(broker, {HERE: quick, THERE: slow}, 32, 20, dies)
    assert set(done.values()) == {20} and (quick.most, slow.most) == (8, 8)
    assert quick.answered[-1] == pytest.approx(16 * 21 / 8, rel=0.1)
    assert slow.answered[-1] == pytest.approx(20 * 16 * 21 / 8, rel=0.1)
    assert all((one.in_flight, one.waiting) == (0, 0) for one in broker.standing())


def test_limits_as_they_are_written() -> None:
    table = parse_limits(["http://here/v1/=rpm:60+tpm:90000", "openai=in-flight:8", "rpm:600"])
    assert table.find("http://here/v1", "hosted_vllm") == EndpointLimits(60, 90_000)
    assert table.find("https://api.openai.com/v1", "openai") == EndpointLimits(in_flight=8)
    assert table.find("http://there/v1", "hosted_vllm") == EndpointLimits(600)
    assert LimitTable().find("http://here/v1", "openai") == EndpointLimits()


def test_a_place_is_one_however_it_is_written() -> None:
    table = parse_limits(["HTTP://Here:8000/V1/ = rpm:60", "OpenAI=in-flight:8"])
    assert table.find("http://here:8000/V1", "hosted_vllm") == EndpointLimits(60)
    assert table.find("http://HERE:8000/V1/", "openai") == EndpointLimits(60)
    assert table.find("http://here:8000/v1", "openai") == EndpointLimits(in_flight=8), "a path has its letters"
    assert table.places == ("http://here:8000/V1", "openai")
    for other in ("http://a/v1/=rpm:50", "HTTP://A/v1=rpm:50"):
        with pytest.raises(ConfigError, match="two limits of http://a/v1"):
            parse_limits(["http://a/v1=rpm:5", other])


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("http://here/v1=60", "rpm:N"),
        ("rpm:0", "1 or more"),
        ("rps:3", "rpm:N"),
        ("rpm:1+rpm:2", "rpm:N"),
        ("http://user:pass@here/v1=rpm:3", "a user or password"),
        ("", "rpm:N"),
    ],
)
def test_limits_that_are_none(written: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        parse_limits([written])
    with pytest.raises(ConfigError, match="two limits of all endpoints"):
        parse_limits(["rpm:3", "tpm:4"])
