"""Agents, workflows and their embeds: stored settings, and one way to ask."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Path, Response
from pydantic import Field

from pincite.citing import CitationConfiguration
from pincite.core.errors import InputError, SettingError
from pincite.core.highlight import HighlightPrecision
from pincite.server._shapes import Asked, Json, Shape, Text
from pincite.server.access import Manager, Reader
from pincite.server.faults import described

if TYPE_CHECKING:
    from pincite.library import Embed, StoredAgent

router = APIRouter(tags=["agents"], responses=described(401, 403, 429, 503))

AgentId = Annotated[str, Path(max_length=200, description="An agent's id.")]
EmbedId = Annotated[str, Path(max_length=200, description="An embed's id.")]
Kind = Literal["agent", "workflow"]
SETTING = "citations"
# What is kept in the agent's JSON of how citations come about: what is resolved, and whether packages are searched.
_PACKAGES = "moca"
_TOGETHER = ("citation_processor_configuration", "moca")
Name = Annotated[Text, Field(min_length=1, max_length=200)]
Names = Annotated[list[Annotated[Text, Field(max_length=200)]], Field(max_length=1_000)]


class InstructionSource(Asked):
    """What the instructions of the agent tell the model that it may cite."""

    citable_resources: Names | None = None


class Processor(Asked):
    """Whether the answers of the agent are resolved."""

    enabled: bool = True


class AgentBody(Shape):
    """An agent or a workflow."""

    agent_id: str
    kind: Kind
    name: str
    collections: list[str]
    wire_format: str
    model: str | None
    highlight: HighlightPrecision
    instructions: str
    citation_instruction_source_configuration: InstructionSource
    citation_processor_configuration: Processor
    moca: bool = Field(
        description="Whether it searches the MOCA packages of the server beside its collections."
    )
    created_at: datetime
    changed_at: datetime


class AgentList(Shape):
    """All agents and workflows."""

    agents: list[AgentBody]


class NewAgent(Asked):
    """An agent to be stored. A workflow is the fixed line: retrieve, answer, check, repair."""

    name: Name
    kind: Kind = "agent"
    collections: Names = Field(default_factory=list[str], description="Ids; none are all of the tenant's.")
    wire_format: Text = Field(default="ref", max_length=100)
    model: Text | None = Field(default=None, max_length=200, description="Null is the platform's model.")
    highlight: HighlightPrecision = HighlightPrecision.BEST_MATCH
    instructions: Text = Field(default="", max_length=20_000)
    citation_instruction_source_configuration: InstructionSource = InstructionSource()
    citation_processor_configuration: Processor = Processor()
    moca: bool = Field(
        default=False,
        description="Whether it searches the MOCA packages of the server too; `GET /api/manage/packages` lists them.",
    )


class AgentChange(Asked):
    """What is to be set; what is left out stays as it is."""

    name: Name | None = None
    kind: Kind | None = None
    collections: Names | None = None
    wire_format: Text | None = Field(default=None, max_length=100)
    model: Text | None = Field(default=None, max_length=200)
    highlight: HighlightPrecision | None = None
    instructions: Text | None = Field(default=None, max_length=20_000)
    citation_instruction_source_configuration: InstructionSource | None = None
    citation_processor_configuration: Processor | None = None
    moca: bool | None = None


class EmbedBody(Shape):
    """A place where visitors ask an agent."""

    embed_id: str
    agent_id: str
    name: str
    hint: str = Field(description="The last characters of its key.")
    allowed_origins: list[str]
    greeting: str
    theme: dict[str, Any]
    highlight: HighlightPrecision | None = Field(description="Null is the same as the agent's.")
    previews: bool
    created_at: datetime
    revoked_at: datetime | None


class NewEmbedBody(EmbedBody):
    """An embed with its new key."""

    key: str = Field(
        description="The publishable key: it is shown this once, and stands in the page's source."
    )


class EmbedList(Shape):
    """The embeds of an agent, revoked ones too."""

    embeds: list[EmbedBody]


class NewEmbed(Asked):
    """An embed to be made."""

    name: Name
    allowed_origins: Names = Field(default_factory=list[str], description="As `https://example.org`.")
    greeting: Text = Field(default="", max_length=2_000)
    theme: dict[Text, Json] = Field(default_factory=dict[Text, Json], max_length=100)
    highlight: HighlightPrecision | None = None
    previews: bool = True


class EmbedChange(Asked):
    """What is to be set; what is left out stays as it is. `highlight: null` is the same as the agent's."""

    name: Name | None = None
    allowed_origins: Names | None = None
    greeting: Text | None = Field(default=None, max_length=2_000)
    theme: dict[Text, Json] | None = Field(default=None, max_length=100)
    highlight: HighlightPrecision | None = None
    previews: bool | None = None


@router.post("/api/manage/agents", status_code=201, summary="Store an agent", responses=described(404, 422))
def create(caller: Manager, asked: NewAgent) -> AgentBody:
    """Store an agent or a workflow; settings that cannot work together are refused now and not in the first run."""
    given = asked.model_dump(mode="json")
    return _body(caller.desk.agents.create(**_settings(given)))


@router.get("/api/manage/agents", summary="List the agents")
def list_all(caller: Reader) -> AgentList:
    """List the agents and workflows."""
    return AgentList(agents=[_body(one) for one in caller.desk.agents.all()])


@router.get("/api/manage/agents/{agent_id}", summary="Read an agent", responses=described(404))
def read(caller: Reader, agent_id: AgentId) -> AgentBody:
    """Read an agent's settings."""
    return _body(caller.desk.agents.one(agent_id))


@router.patch("/api/manage/agents/{agent_id}", summary="Set what is given", responses=described(404, 422))
def change(caller: Manager, agent_id: AgentId, asked: AgentChange) -> AgentBody:
    """Set what is given."""
    given = asked.model_dump(mode="json", exclude_unset=True)
    _no_nulls(given, nullable=("model",))
    before = _as_given(_body(caller.desk.agents.one(agent_id)))
    _settings({**before, **given})
    if not given.keys().isdisjoint(_TOGETHER):
        # These are kept in one place, so what is not given goes along as it was.
        given = {**{name: before[name] for name in _TOGETHER}, **given}
    return _body(caller.desk.agents.change(agent_id, **_named(given)))


@router.delete(
    "/api/manage/agents/{agent_id}", status_code=204, summary="Delete an agent", responses=described(404)
)
def delete(caller: Manager, agent_id: AgentId) -> Response:
    """Delete an agent; its embeds end with this call."""
    caller.desk.agents.delete(agent_id)
    return Response(status_code=204)


@router.post(
    "/api/manage/agents/{agent_id}/embeds",
    status_code=201,
    summary="Make an embed",
    responses=described(404, 422),
)
def create_embed(caller: Manager, agent_id: AgentId, asked: NewEmbed) -> NewEmbedBody:
    """Make an embed; the answer is the one place where its key can be read."""
    made, key = caller.desk.embeds.create(agent_id, **asked.model_dump(mode="json"))
    return _with_key(made, key)


@router.get("/api/manage/agents/{agent_id}/embeds", summary="List its embeds", responses=described(404))
def list_embeds(caller: Reader, agent_id: AgentId) -> EmbedList:
    """List the embeds of an agent."""
    caller.desk.agents.one(agent_id)
    return EmbedList(embeds=[EmbedBody.model_validate(one) for one in caller.desk.embeds.all(agent_id)])


@router.patch("/api/manage/embeds/{embed_id}", summary="Set what is given", responses=described(404, 422))
def change_embed(caller: Manager, embed_id: EmbedId, asked: EmbedChange) -> EmbedBody:
    """Set what is given; visitors see it at their next look."""
    given = asked.model_dump(mode="json", exclude_unset=True)
    _no_nulls(given, nullable=("highlight",))
    return EmbedBody.model_validate(caller.desk.embeds.change(embed_id, **given))


@router.post("/api/manage/embeds/{embed_id}/key", summary="Change its key", responses=described(404))
def new_key(caller: Manager, embed_id: EmbedId) -> NewEmbedBody:
    """Give an embed a new key; the old one ends with this call."""
    made, key = caller.desk.embeds.new_key(embed_id)
    return _with_key(made, key)


@router.delete(
    "/api/manage/embeds/{embed_id}", status_code=204, summary="End an embed", responses=described(404)
)
def revoke_embed(caller: Manager, embed_id: EmbedId) -> Response:
    """End an embed: its key and its visitors' tokens open nothing from this call on."""
    caller.desk.embeds.revoke(embed_id)
    return Response(status_code=204)


def _settings(given: dict[str, Any]) -> dict[str, Any]:
    """Return the settings as they are stored, once they were seen to work together.

    Raises:
        InputError: there is no such wire format, or it cannot carry one of the resources.
    """
    resources = given["citation_instruction_source_configuration"]["citable_resources"]
    enabled = given["citation_processor_configuration"]["enabled"]
    said: dict[str, Any] = {"wire_format": given["wire_format"], "enabled": enabled}
    if resources is not None:
        said["citable_resources"] = resources
    try:
        CitationConfiguration.of({SETTING: said})
    except SettingError as error:
        # A setting of the server is its operator's fault; this one is the caller's.
        raise InputError(error.message, field=error.field) from error
    return _named(given)


def _named(given: dict[str, Any]) -> dict[str, Any]:
    """Return what was given under the names in which it is stored."""
    stored = dict(given)
    if "citation_instruction_source_configuration" in stored:
        source = stored.pop("citation_instruction_source_configuration")
        stored["citable_resources"] = source["citable_resources"]
    if "citation_processor_configuration" in stored:
        processor = stored.pop("citation_processor_configuration")
        is_searched = stored.pop("moca")
        stored["citation_processor"] = {**processor, _PACKAGES: True} if is_searched else processor
    return stored


def searches_packages(agent: StoredAgent) -> bool:
    """Say whether an agent searches the server's MOCA packages beside its collections."""
    return agent.citation_processor.get(_PACKAGES) is True


def _as_given(body: AgentBody) -> dict[str, Any]:
    return body.model_dump(mode="json", exclude={"agent_id", "created_at", "changed_at"})


def _no_nulls(given: dict[str, Any], *, nullable: tuple[str, ...]) -> None:
    for name, value in given.items():
        if value is None and name not in nullable:
            msg = f"`{name}` cannot be null."
            raise InputError(msg, field=name)


def _body(one: StoredAgent) -> AgentBody:
    resources = None if one.citable_resources is None else list(one.citable_resources)
    return AgentBody(
        agent_id=one.agent_id,
        kind=one.kind,
        name=one.name,
        collections=list(one.collections),
        wire_format=one.wire_format,
        model=one.model,
        highlight=HighlightPrecision(one.highlight),
        instructions=one.instructions,
        citation_instruction_source_configuration=InstructionSource(citable_resources=resources),
        citation_processor_configuration=Processor.model_validate(
            {name: value for name, value in one.citation_processor.items() if name != _PACKAGES}
        ),
        moca=searches_packages(one),
        created_at=one.created_at,
        changed_at=one.changed_at,
    )


def _with_key(made: Embed, key: str) -> NewEmbedBody:
    return NewEmbedBody(**EmbedBody.model_validate(made).model_dump(), key=key)
