"""Suspended runs as bytes: what Run.snapshot and Run.restore do.

The engine saves a run as what differs from the image its context was made of, so
the same image has to be there: that of a prelude is made again, any other one is
found where it is alive, or given. This file adds what lives on the Python side:
names of host procedures, objects with a reducer, source texts, time and output.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import msgpack

from chibi_bridge._driver import SYNC_SLICE
from chibi_bridge._native import lib as native
from chibi_bridge._native.lib import NO_LIMIT, RefusedObject, Snapshot
from chibi_bridge._run import Run
from chibi_bridge._sealing import find_reducer, named_reducer, seal, unpack_sealed
from chibi_bridge.context import Context, Image, prelude_image
from chibi_bridge.errors import ImageError
from chibi_bridge.policy import Policy

MAGIC = b"CHIBIBRIDGE-RUN1"
SHAPE = (list, dict, dict, int, int, dict, float, str, str, list, bytes)


def save(run: Run, key: bytes | None) -> bytes:
    """The bytes of a run that waits or paused."""
    context = run._context
    assert isinstance(context, Context)
    if not context._enter():
        raise ImageError("a run cannot be saved from inside a run of its context")
    try:
        raw, foreign = take(context, run)
        body = msgpack.packb(
            [
                recipe_of(context._image),
                {identity: name for identity, (name, _) in context._callables.items()},
                foreign,
                context._codec.next_id,
                context._number,
                sources_of(context),
                spent_by(run),
                run.stdout,
                run.stderr,
                [os.fsdecode(folder) for folder in context._module_path],
                raw,
            ]
        )
    finally:
        context._lock.release()
    return seal(MAGIC, body, key)


def take(context: Context, run: Run) -> tuple[bytes, dict[int, list[object]]]:
    """What the engine has of the run, and the objects with a reducer that may be in it."""
    if run._run is None:
        raise RuntimeError("the run has ended")
    if run in context._on_loop:
        raise ImageError("a run that an event loop drives cannot be saved")
    run._settle()
    objects = {identity: (item, find_reducer(item)) for identity, item in context._codec.foreign.items()}
    known = {identity: (item, reducer) for identity, (item, reducer) in objects.items() if reducer is not None}
    try:
        raw = context._native.snapshot(run._run, list(known))
    except RefusedObject as error:
        kind = type(context._codec.foreign.get(error.identity)).__name__
        raise ImageError(f"a Python object ({kind}) without a registered reducer: {error.path}") from None
    foreign = {}
    for identity, (item, reducer) in known.items():
        reduced = reducer.reduce(item)
        try:
            msgpack.packb(reduced)
        except (TypeError, ValueError, OverflowError) as problem:
            raise ImageError(f"the reducer of {reducer.name} gave what cannot be saved: {problem}") from problem
        foreign[identity] = [reducer.name, reduced]
    return raw, foreign


def recipe_of(image: Image | None) -> list[object]:
    """How the image of a context is found again."""
    if image is None:
        return [None]
    if image.recipe is None:
        return [image.native.identity]
    prelude, modules, allow = image.recipe
    return [prelude, modules if isinstance(modules, str) else sorted(modules), sorted(allow)]


def sources_of(context: Context) -> dict[str, str]:
    """The texts that the image does not bring."""
    known = {} if context._image is None else context._image.sources
    return {name: text for name, text in context._sources.items() if known.get(name) != text}


def spent_by(run: Run) -> float:
    """Seconds the run took so far."""
    whole = run._context.policy.limits.timeout
    return 0.0 if whole is None or run._left is None else max(0.0, float(whole - run._left))


def restore(
    data: bytes,
    policy: Policy | None,
    *,
    key: bytes | None,
    trusted: bool,
    bindings: Mapping[str, Callable[..., object]] | None,
    image: Image | None,
    transport: Callable[..., object] | None,
) -> Run:
    """The run of a snapshot, in a context of its own."""
    items = unpack_sealed(MAGIC, data, key, trusted, "snapshot")
    if len(items) != len(SHAPE) or not all(map(isinstance, items, SHAPE)):
        raise ImageError("the snapshot is damaged")
    recipe, names, foreign, next_id, number, sources, spent, stdout, stderr, folders, raw = items
    policy = Policy() if policy is None else policy
    fuel, output = (NO_LIMIT if most is None else most for most in (policy.limits.fuel, policy.limits.output))
    saved = Snapshot(raw, policy.limits.memory, fuel, output, SYNC_SLICE)
    base = base_image(recipe, saved.base, image)
    objects = made_again(foreign)
    context = Context.__new__(Context)
    context._open(policy, base, tuple(map(str, folders)), transport, saved)
    context.owned = True  # freed with its run
    bound = {} if bindings is None else bindings
    context._callables = {int(i): (str(name), bound.get(name)) for i, name in names.items()}
    context._codec.foreign.update(objects)
    context._codec.next_id = next_id
    context._number = number
    context._sources.update(sources)
    return resumed(context, spent, stdout, stderr)


def resumed(context: Context, spent: float, stdout: str, stderr: str) -> Run:
    """The Run for what the engine restored."""
    engine = context._native
    assert context._restored is not None
    run, kind, used, long = context._restored
    made = Run(context, run, kind)
    made._long = long
    made.fuel_used = used
    made.stdout, made.stderr = stdout, stderr
    if made._left is not None:
        made._left -= spent
    if kind == native.HOST_CALL:
        made._pending = lambda piece: engine.advance(run, 0)
    return made


def base_image(recipe: list[Any], identity: int, given: Image | None) -> Image | None:
    """The image that a snapshot was made over; None is the built-in one."""
    if given is not None:
        if given.native.identity != identity:
            raise ImageError("the snapshot was made over another image than the one given")
        return given
    found: Image | None = None
    if len(recipe) == 3:
        found = image_of_prelude(recipe)
    elif len(recipe) == 1 and recipe[0] is not None:
        found = Image.find(identity)
        if found is None:
            raise ImageError(
                f"the snapshot was made over an image ({identity:016x}) that is not there: load it with "
                "Image.from_bytes and pass image=..."
            )
    made = native.engine().boot if found is None else found.native
    if made is None or made.identity != identity:
        raise ImageError("the snapshot was made over an image that this installation makes otherwise")
    return found


def image_of_prelude(recipe: list[Any]) -> Image | None:
    """The image with a prelude that a recipe names."""
    prelude, modules, allow = recipe
    try:
        return prelude_image(Policy(modules=modules, allow=allow), prelude)
    except (TypeError, ValueError, LookupError) as error:
        raise ImageError("the snapshot is damaged: bad prelude") from error


def made_again(foreign: Mapping[object, object]) -> dict[int, object]:
    """The Python objects that a snapshot has reduced."""
    objects: dict[int, object] = {}
    for identity, item in foreign.items():
        if not isinstance(identity, int) or not isinstance(item, list) or len(item) != 2:
            raise ImageError("the snapshot is damaged: bad object")
        objects[identity] = named_reducer(item[0]).make(item[1])
    return objects


Run._snapshots = (save, restore)
