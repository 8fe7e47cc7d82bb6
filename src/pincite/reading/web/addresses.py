"""Which addresses of the network are never opened: a table, and the two questions that are asked of it.

Whoever may have a page fetched could otherwise read what only this machine can reach: services on it, its neighbours,
and the address at which a cloud hands out the machine's own keys. So what is checked is not a name, which can be
spelt in many ways, but the number that the connection goes to, and the same number is connected to.

The table follows the registries of special-purpose addresses (RFC 6890 and what updates it), and adds what clouds put
on addresses that look public.
"""

from __future__ import annotations

import ipaddress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import TYPE_CHECKING

from pincite.core.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
"""A block of addresses."""

REFUSED: tuple[tuple[str, str], ...] = (
    ("0.0.0.0/8", "this host (RFC 1122)"),
    ("10.0.0.0/8", "a private network (RFC 1918)"),
    ("100.64.0.0/10", "a carrier's own network (RFC 6598)"),
    ("127.0.0.0/8", "this machine (RFC 1122)"),
    ("168.63.129.16/32", "a cloud's own service (Azure)"),
    ("169.254.0.0/16", "the local link, with the metadata of clouds (RFC 3927)"),
    ("172.16.0.0/12", "a private network (RFC 1918)"),
    ("192.0.0.0/24", "protocol assignments (RFC 6890)"),
    ("192.0.2.0/24", "documentation (RFC 5737)"),
    ("192.31.196.0/24", "AS112 (RFC 7535)"),
    ("192.52.193.0/24", "AMT (RFC 7450)"),
    ("192.88.99.0/24", "6to4 relays (RFC 7526)"),
    ("192.168.0.0/16", "a private network (RFC 1918)"),
    ("192.175.48.0/24", "AS112 (RFC 7534)"),
    ("198.18.0.0/15", "benchmarks (RFC 2544)"),
    ("198.51.100.0/24", "documentation (RFC 5737)"),
    ("203.0.113.0/24", "documentation (RFC 5737)"),
    ("224.0.0.0/4", "multicast (RFC 5771)"),
    ("240.0.0.0/4", "reserved (RFC 1112), and broadcast"),
    ("::/128", "this host (RFC 4291)"),
    ("::1/128", "this machine (RFC 4291)"),
    ("64:ff9b:1::/48", "translation inside of a network (RFC 8215)"),
    ("100::/64", "discarded (RFC 6666)"),
    ("100:0:0:1::/64", "a dummy prefix (RFC 9780)"),
    ("2001::/23", "protocol assignments, Teredo among them (RFC 2928)"),
    ("2001:db8::/32", "documentation (RFC 3849)"),
    ("2620:4f:8000::/48", "AS112 (RFC 7534)"),
    ("3fff::/20", "documentation (RFC 9637)"),
    ("5f00::/16", "segment routing (RFC 9602)"),
    ("fc00::/7", "a private network, with the metadata of clouds (RFC 4193)"),
    ("fe80::/10", "the local link (RFC 4291)"),
    ("fec0::/10", "a private network (RFC 3879)"),
    ("ff00::/8", "multicast (RFC 4291)"),
)
"""Networks that are not opened, and what they are."""

_GLOBAL = IPv6Network("2000::/3")
"""What IANA has given out of IPv6; nothing outside of it is public, but for what is taken apart below."""

_TABLE: tuple[tuple[Network, str], ...] = tuple(
    (ipaddress.ip_network(written), what) for written, what in REFUSED
)

# Forms of IPv6 in which an address of IPv4 stands: bits of it behind that address, and whether a public one may be
# reached so.
_CARRIERS: tuple[tuple[IPv6Network, int, bool], ...] = (
    (IPv6Network("::ffff:0:0/96"), 0, True),  # mapped (RFC 4291)
    (IPv6Network("64:ff9b::/96"), 0, True),  # NAT64 (RFC 6052)
    (IPv6Network("2002::/16"), 80, True),  # 6to4 (RFC 3056)
    (IPv6Network("::ffff:0:0:0/96"), 0, False),  # translated (RFC 2765)
    (IPv6Network("::/96"), 0, False),  # compatible (RFC 4291)
)
_ISATAP = (0x00005EFE, 0x02005EFE)
"""What stands before an address of IPv4 in the lower half of an ISATAP address (RFC 5214)."""

PORTS = frozenset(
    (
        1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
        109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
        526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
        3306, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
        10080, 11211, 27017,
    )
)  # fmt: skip
"""Ports at which something else than a web server answers: those that browsers do not open, and databases."""


def networks(written: str | Iterable[str]) -> tuple[Network, ...]:
    """Return networks that may be opened all the same, from `10.1.0.0/16, ::1` or a list of such.

    Raises:
        SettingError: one is no network.
    """
    parts = written.split(",") if isinstance(written, str) else list(written)
    found: list[Network] = []
    for part in (part.strip() for part in parts):
        if not part:
            continue
        try:
            found.append(ipaddress.ip_network(part))
        except ValueError as error:
            msg = f"{part[:60]!r} is no network: write one as 10.1.0.0/16."
            raise SettingError(msg, field="PINCITE_WEB_ALLOW") from error
    return tuple(found)


def refusal(address: Address | str, allow: Sequence[Network] = ()) -> str | None:
    """Say what an address is that is not opened, or None for a public one; `allow` goes before the table.

    An address of IPv4 inside one of IPv6 is judged as both. Text that is no address is refused.
    """
    if isinstance(address, str):
        try:
            address = ipaddress.ip_address(address)
        except ValueError:
            return "no address"
    inside, reaches = _inside(address)
    if any(_holds(network, one) for network in allow for one in (address, inside) if one is not None):
        return None
    what = _named(inside) if inside is not None else None
    return what if what is not None or reaches else _named(address)


def _inside(address: Address) -> tuple[IPv4Address | None, bool]:
    """Return the address of IPv4 that one of IPv6 carries, and whether it is that which is reached."""
    if isinstance(address, IPv4Address):
        return None, False
    number = int(address)
    if number > 1:  # `::` and `::1` are themselves
        for network, shift, reaches in _CARRIERS:
            if address in network:
                return IPv4Address(number >> shift & 0xFFFFFFFF), reaches
    if number >> 32 & 0xFFFFFFFF in _ISATAP:
        return IPv4Address(number & 0xFFFFFFFF), False
    return None, False


def _named(address: Address) -> str | None:
    for network, what in _TABLE:
        if _holds(network, address):
            return what
    if isinstance(address, IPv6Address) and address not in _GLOBAL:
        return "no public address (RFC 4291)"
    return None


def _holds(network: Network, address: Address) -> bool:
    return network.version == address.version and address in network
