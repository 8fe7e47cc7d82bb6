"""Which numbers a connection may go to: the table, every spelling of what is in it, and its edges."""

from __future__ import annotations

import ipaddress
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import SettingError
from pincite.reading.web.addresses import REFUSED, networks, refusal

PUBLIC = """
1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 93.184.216.34 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0
192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0
223.255.255.255
2001:200::1 2001:4860:4860::8888 2606:4700:4700::1111 2a00:1450:4001:81b::200e 2620:4f:7fff::1 3ffe:ffff::1
::ffff:8.8.8.8 64:ff9b::8.8.8.8 2002:808:808::1
""".split()

INSIDE = """
0.0.0.0 0.0.0.1 0.255.255.255 10.0.0.0 10.1.2.3 10.255.255.255 100.64.0.0 100.100.100.200 100.127.255.255 127.0.0.1
127.0.0.53 127.1.1.1 127.255.255.255 168.63.129.16 169.254.0.1 169.254.169.253 169.254.169.254 169.254.170.2
169.254.255.255 172.16.0.0 172.17.0.1 172.31.255.255 192.0.0.0 192.0.0.192 192.0.0.255 192.0.2.1 192.31.196.1
192.52.193.1 192.88.99.1 192.168.0.0 192.168.1.1 192.168.255.255 192.175.48.1 198.18.0.0 198.19.255.255 198.51.100.7
203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.254 255.255.255.255
:: ::1 ::2 ::7f00:1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:169.254.169.254
::ffff:0.0.0.0 ::ffff:0:127.0.0.1 ::ffff:0:8.8.8.8 64:ff9b::127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b::10.0.0.1
64:ff9b:1::1 64:ff9b:1::7f00:1 100::1 100:0:0:1::1 2001::1 2001:0:7f00:1::1 2001:1ff::1 2001:db8::1 2002:7f00:1::
2002:a00:1::1 2002:a9fe:a9fe::1 2002:c0a8:101::1 2620:4f:8000::1 3fff::1 3fff:fff::1 5f00::1 fc00::1 fd00::1
fd00:ec2::254 fdff:ffff::1 fe80::1 fe80::1%eth0 febf::1 fec0::1 feff::1 ff02::1 ff0e::1 2001:4860::5efe:10.0.0.1
2001:4860::200:5efe:192.168.0.1 1::1 4000::1 8000::1 e000::1
""".split()


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_opened(address: str) -> None:
    """Also those next to a network of the table."""
    assert refusal(address) is None


@pytest.mark.parametrize("address", INSIDE)
def test_addresses_that_are_not_public_are_refused(address: str) -> None:
    """First, last and well-known ones of each network, and the same inside of addresses of IPv6."""
    assert refusal(address) is not None


@pytest.mark.parametrize(("network", "what"), REFUSED)
def test_each_row_of_the_table(network: str, what: str) -> None:
    """Its first and its last address are refused as what the row says they are."""
    row = ipaddress.ip_network(network)
    assert refusal(row[0]) == what
    assert refusal(row[-1]) == what


@pytest.mark.parametrize(
    "written",
    "127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0177.0.0.1 0177.1 017700000001 0 0x0 0.0.0.0 00.0".split(),
)
def test_numbers_in_every_spelling_are_the_same_address(written: str) -> None:
    """The system reads decimal, octal, hexadecimal and short forms; what it reads is what is judged."""
    found = socket.getaddrinfo(written, 80, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    assert all(refusal(str(row[4][0])) is not None for row in found)


@pytest.mark.parametrize(
    "text", ["", "localhost", "127.0.0.1:80", "[::1]", "1.2.3", "１２７.0.0.1", "::1::", "x" * 99]
)
def test_text_that_is_no_address_is_refused(text: str) -> None:
    """It is judged as a number or not at all."""
    assert refusal(text) == "no address"


@given(st.integers(0, 2**32 - 1))
def test_carried_addresses_are_judged_as_what_they_carry(number: int) -> None:
    """Mapped, NAT64 and 6to4 are opened exactly when the address in them is."""
    inner = ipaddress.IPv4Address(number)
    mapped = ipaddress.IPv6Address((0xFFFF << 32) | number)
    nat64 = ipaddress.IPv6Address((0x0064FF9B << 96) | number)
    sixto4 = ipaddress.IPv6Address((0x2002 << 112) | (number << 80))
    refused = refusal(inner) is not None
    assert [refusal(one) is not None for one in (mapped, nat64, sixto4)] == [refused] * 3


@given(st.integers(0, 2**128 - 1))
def test_nothing_outside_of_what_is_given_out_is_opened(number: int) -> None:
    """An address of IPv6 is opened under 2000::/3 alone, but for those that carry one of IPv4."""
    address = ipaddress.IPv6Address(number)
    carriers = [ipaddress.IPv6Network(written) for written in ("::ffff:0:0/96", "64:ff9b::/96")]
    if refusal(address) is None:
        assert address in ipaddress.IPv6Network("2000::/3") or any(address in one for one in carriers)


def test_what_an_operator_allows_goes_before_the_table() -> None:
    """And nothing next to it."""
    allow = networks("10.1.0.0/16, ::1")
    assert refusal("10.1.2.3", allow) is None
    assert refusal("::ffff:10.1.2.3", allow) is None
    assert refusal("::1", allow) is None
    assert refusal("10.2.0.1", allow) is not None
    assert refusal("127.0.0.1", allow) is not None


@pytest.mark.parametrize("written", ["10.1.2.3/16", "localhost", "10.0.0.0/33", "::/129", "*"])
def test_what_is_no_network_is_told(written: str) -> None:
    """A setting that means less than it says would be a hole."""
    with pytest.raises(SettingError, match="is no network"):
        networks(written)


def test_no_network_is_allowed_by_default() -> None:
    """An empty setting is none."""
    assert networks("") == networks(" , ") == networks([]) == ()
