"""The MOCA packages of the server, for whoever sets up agents."""

from __future__ import annotations

from fastapi import APIRouter

from pincite.server._shapes import Shape
from pincite.server.access import Reader, Serving
from pincite.server.faults import described
from pincite.server.moca import PackageBody

router = APIRouter(tags=["packages"], responses=described(401, 403, 429, 503))


class PackageList(Shape):
    """The packages of the server, which every tenant's agents may search."""

    packages: list[PackageBody]


@router.get("/api/manage/packages", summary="List the MOCA packages of the server")
def list_all(caller: Reader, service: Serving) -> PackageList:  # noqa: ARG001 - asking for it is what checks it
    """List the packages that agents with `moca` search, and those that cannot be read, with what is wrong."""
    packages = service.packages
    return PackageList(packages=[] if packages is None else list(packages.told))
