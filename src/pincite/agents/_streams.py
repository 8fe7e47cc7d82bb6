"""What the streams of models without a connection have in common."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pydantic_ai.models import StreamedResponse


@dataclass
class LocalStream(StreamedResponse, ABC):
    """A response that was made here: of `model`, in the name of `provider`."""

    model: str = field(kw_only=True)
    provider: str = field(kw_only=True)
    made: datetime = field(default_factory=lambda: datetime.now(UTC))

    async def close_stream(self) -> None:
        """Close nothing: there is no connection."""

    @property
    def model_name(self) -> str:
        """Return the model's name without its provider's."""
        return self.model

    @property
    def provider_name(self) -> str:
        """Return the name of the provider."""
        return self.provider

    @property
    def provider_url(self) -> None:
        """Return None: there is no address."""
        return

    @property
    def timestamp(self) -> datetime:
        """Return when the response was made."""
        return self.made
