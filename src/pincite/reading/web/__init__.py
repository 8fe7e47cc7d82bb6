"""Pages of the web: fetched under rules that keep a server from being sent into its own network, then read as files."""

from __future__ import annotations

from pincite.reading.web.addresses import Network, networks, refusal
from pincite.reading.web.fetch import Fetcher, WebPage
from pincite.reading.web.sitemap import addresses_of

__all__ = ["Fetcher", "Network", "WebPage", "addresses_of", "networks", "refusal"]
