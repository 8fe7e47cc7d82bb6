"""Models of pydantic-ai by name, with one sentence where one cannot be used."""

from __future__ import annotations

from pydantic_ai.models import Model, infer_model

from pincite.agents.offline_model import MODEL_NAME, OfflineModel
from pincite.agents.reasons import reason_of
from pincite.core.errors import ModelError


def model_of(model: str | Model) -> Model:
    """Return the pydantic-ai model of that name.

    Raises:
        ModelError: there is none, its SDK is not installed, or its key is not set.
    """
    if isinstance(model, Model):
        return model
    if model == MODEL_NAME:
        return OfflineModel()
    try:
        return infer_model(model)
    except ImportError as error:
        provider = model.partition(":")[0]
        msg = (
            f"The model {model!r} needs the SDK of its provider: pip install 'pydantic-ai-slim[{provider}]'."
        )
        raise ModelError(msg, field="model") from error
    except Exception as error:  # providers raise errors of their own when a key is missing
        msg = f"The model {model!r} cannot be used: {reason_of(error)}"
        raise ModelError(msg, field="model") from error
