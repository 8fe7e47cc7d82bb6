"""Who is at the other end of a request: the address that connects, or the one that a believed proxy names."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

from pincite.core.errors import SettingError

if TYPE_CHECKING:
    from starlette.requests import Request

    Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_HOPS = 20


def believed(written: str | None) -> tuple[Network, ...]:
    """Return the networks that `PINCITE_PROXIES` names.

    Raises:
        SettingError: one of them is none.
    """
    try:
        return tuple(ipaddress.ip_network(one.strip()) for one in (written or "").split(",") if one.strip())
    except ValueError as error:
        msg = "`PINCITE_PROXIES` are networks, as `10.0.0.0/8, ::1`."
        raise SettingError(msg, field="PINCITE_PROXIES") from error


def peer_of(request: Request, proxies: tuple[Network, ...]) -> str:
    """Return the address that a request is from: the last one in the chain that is no believed proxy."""
    address = request.client.host if request.client is not None else ""
    said = request.headers.get("x-forwarded-for", "").split(",")
    named = [one.strip() for one in said if one.strip()][-_HOPS:]
    while named and _among(address, proxies):
        address = named.pop()
    return address


def _among(address: str, proxies: tuple[Network, ...]) -> bool:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(found in network for network in proxies)
