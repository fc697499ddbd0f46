"""The grounder of a served model: any family, on vLLM or another server of the OpenAI chat protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from omnipilot.envs import ConfigError, Modality, Observation
from omnipilot.envs.types import Square
from omnipilot.envs.types.actions import Described
from omnipilot.grounders.base import Abstention, Grounder, Grounding
from omnipilot.grounders.families.family import Family
from omnipilot.grounders.families.point_query import KeptPictures, ask, from_square, picture_and_words
from omnipilot.grounders.families.table import find_asking, model_id
from omnipilot.memory import Message, Reply
from omnipilot.memory.models import Cassette, ChatModel, LlmEndpoint, Sampling


class VllmGrounder(Grounder):
    """Asks a served model for the position of a described element.

    Threads may share it. Questions about one screenshot resize and encode it once, and begin with the same bytes as
    far as the family's layout allows, so that the server's prefix cache has what the first one computed.

    Args:
        model: id of the model, or its last part ("uground-v1-7b").
        url: base URL of the server.
        family: its family, if the id does not tell.
        key_env: environment variable that holds the key, if the server needs one.
        timeout: seconds a question may take, retries included.
        retries: attempts after the first.
        concurrency: questions under way at the same time.
        structured: hold answers to a JSON schema, where the family allows it.
        served_name: the server's name for the model, where that is not the id.
        temperature: overrides the family's, to sample different answers to one question.
        template: path of the family's prompt, if it is only in its authors' files.
        prompt: path of a text that replaces the family's question; as `template` where the family needs one.
        cassette: folder of recorded calls, "" for none.
        replay: answer from the cassette alone; make no live call.
        square: the screen is fitted into a square of so many pixels a side, and padded; answers are mapped back to the
            screen. 0 for none.

    Raises:
        ConfigError: no family is known for the model (the message names the closest), the family does not answer
            over a chat server, or the endpoint cannot be.
        MissingExtra: urllib3 is not installed.
    """

    main_option = "model"
    needs: frozenset[Modality] = frozenset({Modality.SCREENSHOT})
    reads: frozenset[Modality] = needs

    def __init__(
        self,
        model: str,
        url: str = "http://127.0.0.1:8000/v1",
        family: str = "",
        key_env: str = "",
        timeout: float = 60.0,
        retries: int = 3,
        concurrency: int = 16,
        structured: bool = False,
        served_name: str = "",
        temperature: float | None = None,
        template: str = "",
        prompt: str = "",
        cassette: str = "",
        replay: bool = False,
        square: int = 0,
    ) -> None:
        record = find_asking(model, family, template, prompt)
        if set(record.backends) <= {"transformers"}:
            raise ConfigError(f"no chat server serves the family {record.name}; use the grounder 'local'")
        self.family: Family = record
        self.structured = structured
        if square < 0:
            raise ConfigError(f"grounder option square must be at least 0, not {square}")
        self._square = Square(square) if square else None
        if structured and self.family.schema is None:
            raise ConfigError(f"the family {self.family.name} answers in no JSON schema; leave structured out")
        price = None if key_env else 0.0
        self.client = ChatModel(
            LlmEndpoint(
                f"hosted_vllm/{served_name or model_id(model)}",
                url,
                key_env,
                timeout,
                attempt=timeout,
                retries=retries,
                price_in=price,
                price_out=price,
                concurrency=concurrency,
            ),
            Cassette(cassette, "replay" if replay else "record") if cassette else None,
        )
        own = self.family.sampling
        self._sampling = own if temperature is None else replace(own, temperature=temperature)
        self._pictures = KeptPictures()

    def identity(self) -> dict[str, str]:
        """What affects its results besides its options: the hash of the user's prompt, or that the prompt is ours."""
        return self.family.layout.identity()

    def ground(self, observation: Observation, target: Described) -> Grounding | Abstention:
        """Find a described place on the screenshot; `usage` says what the call cost, retries included.

        Raises:
            ModelUnavailable: the server did not answer in time.
            ConfigError: the server refuses the request.
        """
        asked = picture_and_words(observation, target)
        if isinstance(asked, Abstention):
            return asked
        picture, words = asked
        found = ask(
            self.family,
            self._complete,
            picture if self._square is None else self._square.fit(picture),
            words,
            structured=self.structured,
            sampling=self._sampling,
            prepared=self._pictures,
        )
        if self._square is None or isinstance(found, Abstention):
            return found
        return from_square(found, self._square, picture.size)

    def warm_up(self) -> None:
        """Connect to the server; it is asked nothing."""
        self.client.warm_up()

    def close(self) -> None:
        """Close the connections."""
        self.client.close()

    def _complete(self, messages: Sequence[Message], sampling: Sampling, schema: Mapping[str, Any] | None, /) -> Reply:
        return self.client.complete(messages, sampling=sampling, schema=schema)
