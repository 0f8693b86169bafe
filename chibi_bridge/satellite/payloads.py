"""What jailed children are handed, as data. Both sides know these; nothing here runs a program."""

from __future__ import annotations

import msgpack

from chibi_bridge.satellite.manifest import Manifest

__all__ = ["build_payload", "read_payload", "serve_payload"]


def rows(manifest: Manifest) -> dict[str, object]:
    """The tools and hooks, with their entries."""
    return {
        "tools": [[tool.name, tool.entry] for tool in manifest.tools],
        "hooks": [list(row) for row in manifest.hooks],
    }


def build_payload(manifest: Manifest, directory: str) -> bytes:
    """For the job "build": evaluate the entries below this directory."""
    packed: bytes = msgpack.packb({**rows(manifest), "directory": directory})
    return packed


def serve_payload(manifest: Manifest, image: bytes) -> bytes:
    """For the job "serve": serve the entries from this image."""
    packed: bytes = msgpack.packb({**rows(manifest), "image": image})
    return packed


def read_payload(data: bytes) -> dict[str, object]:
    """In the child: what it was handed."""
    made = msgpack.unpackb(data)
    assert isinstance(made, dict)
    return made
