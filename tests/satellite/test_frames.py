"""The codec and the envelopes, by their bytes."""

from __future__ import annotations

import random
import struct
import tracemalloc

import msgpack
import pytest

from chibi_bridge.satellite.envelope import (
    Cancel,
    CapCall,
    CapResult,
    ErrorFrame,
    Fault,
    Heartbeat,
    HookCall,
    HookResult,
    Ok,
    OutcomeFrame,
    from_wire,
)
from chibi_bridge.satellite.frames import MAX_DEPTH, MAX_FRAME, FrameError, Stream, decode, encode, frame
from tests.satellite.vectors import VECTORS, vector

T9 = b"\x09\x09"
EVENT = {"kind": "event", "deadline_ms": 5000}


def read(data: bytes) -> object:
    """The value of the one frame in these bytes."""
    stream = Stream()
    stream.feed(data)
    (value,) = stream.values()
    return value


def fault_of(data: bytes) -> str:
    """The fault of these bytes, fed as a stream."""
    stream = Stream()
    stream.feed(data)
    with pytest.raises(FrameError) as caught:
        list(stream.values())
    return caught.value.fault


def payload_fault(payload: str | bytes) -> str:
    """The fault of a payload, with the right length in front."""
    raw = bytes.fromhex(payload) if isinstance(payload, str) else payload
    return fault_of(struct.pack(">I", len(raw)) + raw)


# -- SATELLITE.md section 9, D ---------------------------------------------------------


def test_sat_d1_a_frame_is_the_same_whole_and_byte_by_byte() -> None:
    """D1 V03 fed whole, and byte by byte: the same single frame."""
    whole = read(vector("V03"))
    stream, seen = Stream(), []
    for byte in vector("V03"):
        stream.feed(bytes([byte]))
        seen += list(stream.values())
    assert seen == [whole]
    assert from_wire(whole, strict=True) == HookCall(1, T9, "event", "session_start", "{}", 5000)


def test_sat_d2_two_frames_in_one_chunk_come_in_order() -> None:
    """D2 V03 followed by V02 in one chunk: two frames in order."""
    stream = Stream()
    stream.feed(vector("V03") + vector("V02"))
    assert [value["kind"] for value in stream.values()] == ["hook_call", "heartbeat"]


def test_sat_d3_what_was_complete_before_a_fault_is_delivered() -> None:
    """D3 V03 followed by V36: the first frame is delivered, then Oversized fault."""
    stream = Stream()
    stream.feed(vector("V03") + vector("V36") + vector("V02"))
    values = stream.values()
    assert next(values)["kind"] == "hook_call"
    for _ in range(2):
        with pytest.raises(FrameError) as caught:
            list(stream.values())
        assert caught.value.fault == "oversized"
        stream.feed(vector("V02"))


def test_sat_d4_an_oversized_prefix_is_a_fault_by_itself() -> None:
    """D4 V36 alone: Oversized before any payload arrives."""
    assert fault_of(vector("V36")) == "oversized"
    assert fault_of(b"\xff\xff\xff\xff") == "oversized"


def test_sat_d5_the_largest_frame_is_waited_for_and_accepted() -> None:
    """D5 prefix 16 777 216: waits for the payload, no fault."""
    stream = Stream()
    stream.feed(struct.pack(">I", 16_777_216))
    assert list(stream.values()) == []
    assert stream.wants() == 16_777_216
    body = b"\xc6" + struct.pack(">I", MAX_FRAME - 5)
    stream.feed(body)
    for _ in range(15):
        stream.feed(bytes(1 << 20))
    assert list(stream.values()) == []
    stream.feed(bytes((1 << 20) - 5))
    (value,) = stream.values()
    assert isinstance(value, bytes)
    assert len(value) == MAX_FRAME - 5


def test_sat_d6_another_version_is_a_fault_of_its_own() -> None:
    """D6 V33: BadVersion fault."""
    for strict in (True, False):
        with pytest.raises(FrameError) as caught:
            from_wire(read(vector("V33")), strict=strict)
        assert caught.value.fault == "bad_version"


def test_sat_d7_a_payload_that_is_no_envelope_is_malformed() -> None:
    """D7 V34: malformed."""
    for strict in (True, False):
        with pytest.raises(FrameError) as caught:
            from_wire(read(vector("V34")), strict=strict)
        assert caught.value.fault == "malformed"


def test_sat_d8_an_empty_frame_is_malformed() -> None:
    """D8 prefix 0: malformed."""
    assert fault_of(bytes(4)) == "malformed"


def test_sat_d9_an_unknown_kind_is_dropped() -> None:
    """D9 V35 (unknown kind): dropped, the channel stays usable for the next frame."""
    stream = Stream()
    stream.feed(vector("V35") + vector("V02"))
    assert [from_wire(value, strict=True) for value in stream.values()] == [None, Heartbeat(4)]
    assert from_wire({"v": 1, "id": 9, "kind": "nudge", "body": [1, {"x": None}]}, strict=True) is None


def test_sat_d10_a_key_that_is_there_twice_is_malformed() -> None:
    """D10 V39: malformed (duplicate key)."""
    assert fault_of(vector("V39")) == "malformed"
    assert payload_fault("82a16101d9016102") == "malformed"  # the same key in two encodings


def test_sat_d11_a_byte_after_the_value_is_malformed() -> None:
    """D11 a valid value with one trailing byte inside the length: malformed."""
    assert payload_fault(encode({"a": 1}) + b"\xc0") == "malformed"
    assert payload_fault(encode([1.5]) + b"\xc0") == "malformed"


def test_sat_d12_a_longer_encoding_of_an_integer_is_accepted() -> None:
    """D12 integer 5 encoded as cd0005 inside an envelope: accepted."""
    payload = vector("V02")[4:].replace(bytes.fromhex("a2696404"), bytes.fromhex("a26964cd0005"))
    assert from_wire(decode(payload), strict=True) == Heartbeat(5)


def test_sat_d13_a_float32_is_malformed_anywhere() -> None:
    """D13 float32 (ca...) anywhere: malformed."""
    for payload in ("ca3f800000", "91ca3f800000", "81a161ca3f800000", "dc0001ca3f800000"):
        assert payload_fault(payload) == "malformed"


def test_sat_d14_text_that_is_no_utf8_is_malformed() -> None:
    """D14 str with invalid UTF-8: malformed."""
    for payload in ("a1ff", "a3eda080", "81a1ff01", "92a1c3a1a9", "a2c080", "a4f4908080"):
        assert payload_fault(payload) == "malformed"


def test_sat_d15_nesting_ends_at_256() -> None:
    """D15 nesting 257 deep: malformed; 256: accepted."""
    assert payload_fault(b"\x91" * 257 + b"\xc0") == "malformed"
    assert payload_fault(b"\x81\xa1a" * 257 + b"\xc0") == "malformed"
    for head in (b"\x91", b"\x81\xa1a", b"\xdc\x00\x01", b"\xdf\x00\x00\x00\x01\xa1a"):
        value = decode(head * 256 + b"\xc0")
        for _ in range(256):
            (value,) = value.values() if isinstance(value, dict) else value
        assert value is None
    deepest: object = None
    for _ in range(256):
        deepest = [deepest]
    assert encode(deepest) == b"\x91" * 256 + b"\xc0"
    with pytest.raises(FrameError) as caught:
        encode([deepest])
    assert caught.value.fault == "unencodable"


def test_sat_d16_an_envelope_with_a_key_too_many() -> None:
    """D16 envelope with an extra key x: HARNESS: malformed, node destroyed; NODE: tolerated."""
    wire = {**Heartbeat(1).to_wire(), "x": 1}
    assert from_wire(wire, strict=False) == Heartbeat(1)
    with pytest.raises(FrameError, match="field too many: 'x'"):
        from_wire(wire, strict=True)


def test_sat_d17_a_hook_result_has_no_usage() -> None:
    """D17 hook_result body with an extra key usage: HARNESS: malformed."""
    wire = HookResult(1, Ok("{}")).to_wire()
    wire["body"]["usage"] = {}
    with pytest.raises(FrameError, match="field too many: 'usage'"):
        from_wire(wire, strict=True)


def test_sat_d18_a_nil_token_is_an_empty_one() -> None:
    """D18 V37 (nil token): accepted as empty token."""
    call = from_wire(read(vector("V37")), strict=True)
    assert isinstance(call, HookCall)
    assert call.token == b""


def test_sat_d19_ids_are_64_bits_and_not_negative() -> None:
    """D19 id 2^64-1 accepted; negative id: malformed on HARNESS."""
    assert from_wire(decode(encode(Heartbeat((1 << 64) - 1).to_wire())), strict=True) == Heartbeat((1 << 64) - 1)
    with pytest.raises(FrameError) as caught:
        from_wire(Heartbeat(-1).to_wire(), strict=True)
    assert caught.value.fault == "malformed"


def tool_value(kind: str, text: str, end: bool) -> dict[str, object]:
    return {"content": [{"type": kind, kind: text}], "terminate": end}


PRODUCED = {
    "V01": Cancel(0),
    "V02": Heartbeat(4),
    "V03": HookCall(1, T9, "event", "session_start", "{}", 5000),
    "V04": HookResult(1, Ok("{}")),
    "V05": HookCall(2, T9, "event", "before_agent_start", '{"op_id":"op-1","strand":"main"}', 5000),
    "V06": HookResult(2, Ok('{"inject":"main"}')),
    "V07": HookCall(
        3,
        T9,
        "event",
        "tool_call",
        '{"op_id":"op-1","tool":"bash","arguments":{"command":"ls"},"source_index":0}',
        5000,
    ),
    "V08": HookResult(3, Ok('{"verdict":"block","reason":"no shells today"}')),
    "V09": HookResult(3, Ok('{"verdict":"allow"}')),
    "V10": HookResult(6, Fault("unhandled", "no handler")),
    "V11": HookCall(11, T9, "tool", "echo_tool", {"args": '{"say": "first"}', "strand": "main"}, 5000),
    "V12": HookResult(11, Ok(tool_value("text", "first", False))),
    "V13": HookResult(11, Ok(tool_value("json", '{"n":1}', True))),
    "V14": HookResult(11, Fault("refused", "no such city")),
    "V15": HookResult(12, Fault("busy", "x")),
    "V16": HookResult(12, Fault("crashed", "program crashed: abnormal")),
    "V17": HookResult(12, Fault("bad_kind", "poll")),
    "V18": CapCall(
        0,
        b"\x2a\x2a",
        "report.emit",
        {"name": "partial", "content_type": "text/plain", "bytes": b"narrating"},
        30_000,
    ),
    "V19": CapResult(0, Ok({"id": "a1"})),
    "V20": CapCall(3, T9, "fs.read", {"path": "/data/a"}, 1000),
    "V21": CapResult(3, Ok({"contents": "file body"})),
    "V22": CapResult(3, Fault("denied", "no token")),
    "V23": CapCall(4, T9, "kv.get", {"key": "k"}, 30_000),
    "V24": CapResult(4, Ok({"found": False, "value": b""})),
    "V25": CapCall(
        5,
        T9,
        "net.request",
        {"method": "GET", "url": "https://api.example.test/x", "headers": {}, "body": b""},
        30_000,
    ),
    "V26": CapResult(5, Ok({"status": 200, "headers": {"content-type": "text/plain"}, "body": b"hi"})),
    "V27": CapResult(5, Fault("network_off", "off")),
    "V28": CapCall(6, T9, "ext.remember", {"key": "seen", "value": "1"}, 30_000),
    "V29": CapCall(7, T9, "ext.recall", {"key": "seen"}, 30_000),
    "V30": CapResult(7, Ok({"found": True, "value": "1"})),
    "V31": CapCall(
        8, T9, "proc.run", {"argv": ["echo", "hi"], "cwd": None, "env": {}, "stdin": None, "timeout_ms": None}, 30_000
    ),
    "V32": OutcomeFrame(0, False, message="boom", details=None),
    "V38": CapResult(0, Ok(None)),
    "V40": ErrorFrame(0, "protocol", "x"),
}
"""V33 to V37 and V39 are what only a peer in error sends."""


@pytest.mark.parametrize("name", PRODUCED)
def test_sat_d20_encoders_reproduce_the_vectors(name: str) -> None:
    """D20 encoders reproduce V01-V40 bit-exactly (where they are producible)."""
    assert frame(PRODUCED[name].to_wire()).hex() == VECTORS[name][1]
    for strict in (True, False):
        assert from_wire(read(vector(name)), strict=strict) == PRODUCED[name]


# -- DEMAND.md section 5 ----------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        "00000005ddffffffff",
        "00000005dfffffffff",
        "00000005c6ffffffff",
        "00000005dbffffffff",
        "00000005c9ffffffff",
        "00000001c1",
        "000000020102",
        "0000000192",
        "00000002a1ff",
        "00000004a3eda080",
        "00000003d40500",
        "00000006d6ff00000000",
        "00000005820102" + "0103",
        "00000005" + "8190c0a100",
        "0000000281c0",
        "0000000381c0c0",
        "000000048101a161",
        "0000000481c4016101",
        "00000003dc0001",
        "0000000ac70c05000000000000",
    ],
)
def test_bytes_that_are_no_value_are_malformed(data: str) -> None:
    assert payload_fault(data[8:]) == "malformed"


@pytest.mark.parametrize("head", ["dd", "df", "c6", "db", "c9"])
def test_an_announcement_allocates_nothing(head: str) -> None:
    payload = bytes.fromhex(head + "ffffffff")
    tracemalloc.start()
    try:
        with pytest.raises(FrameError):
            decode(payload)
        assert tracemalloc.get_traced_memory()[1] < 1 << 16
    finally:
        tracemalloc.stop()


def test_containers_that_announce_the_rest_each_allocate_nothing() -> None:
    """Each fits by itself, all together do not: the sum is what counts."""
    payload = (b"\xdd\x00\x00\x40\x00" * 200).ljust(1 << 15, b"\xc0")
    tracemalloc.start()
    try:
        with pytest.raises(FrameError):
            decode(payload)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_a_frame_of_empty_containers_ends_at_their_bound() -> None:
    count = 1 << 20
    with pytest.raises(FrameError, match="arrays and maps"):
        decode(b"\xdd" + struct.pack(">I", count) + b"\x90" * count)


def test_a_hundred_thousand_arrays_deep_is_a_fault_and_no_crash() -> None:
    assert payload_fault(b"\x91" * 100_000 + b"\xc0") == "malformed"


@pytest.mark.parametrize(
    ("payload", "value"),
    [
        ("cf8000000000000000", 1 << 63),
        ("cfffffffffffffffff", (1 << 64) - 1),
        ("d38000000000000000", -(1 << 63)),
        ("cb8000000000000000", -0.0),
        ("cb3ff8000000000000", 1.5),
        ("cc80", 128),
        ("a568656c6c6f", "hello"),
        ("c403010203", b"\x01\x02\x03"),
        ("81a16101", {"a": 1}),
        ("81a16b93c0c3ff", {"k": [None, True, -1]}),
        ("dc0010" + "".join(f"{n:02x}" for n in range(16)), list(range(16))),
        ("e0", -32),
        ("d0df", -33),
        ("d1ff7f", -129),
        ("d2ffff7fff", -32769),
        ("ce00010000", 65536),
        ("d920" + "61" * 32, "a" * 32),
        ("a2c3a9", "é"),
        ("90", []),
        ("80", {}),
    ],
)
def test_values_have_their_shortest_bytes(payload: str, value: object) -> None:
    assert encode(value).hex() == payload
    assert repr(decode(bytes.fromhex(payload))) == repr(value)


@pytest.mark.parametrize("number", ["7ff8000000000000", "7ff0000000000000", "fff0000000000000"])
def test_numbers_that_are_not_finite_are_refused_in_frames(number: str) -> None:
    assert payload_fault("cb" + number) == "malformed"
    assert payload_fault("81a16192c0cb" + number) == "malformed"
    (value,) = struct.unpack(">d", bytes.fromhex(number))
    for holder in (value, [value], {"a": [1, value]}):
        with pytest.raises(FrameError) as caught:
            encode(holder)
        assert caught.value.fault == "unencodable"


@pytest.mark.parametrize("value", [1 << 64, -(1 << 63) - 1, "\ud800", {1: 2}, {b"a": 1}, {"a": (1,)}, object(), {1}])
def test_values_outside_the_subset_are_unencodable(value: object) -> None:
    with pytest.raises(FrameError) as caught:
        encode(value)
    assert caught.value.fault == "unencodable"


def test_a_value_that_holds_itself_is_refused() -> None:
    cycle: list[object] = []
    cycle += [cycle, cycle]
    with pytest.raises(FrameError):
        encode(cycle)


def test_a_value_that_is_too_large_is_refused() -> None:
    encode(b"x" * (MAX_FRAME - 5))
    with pytest.raises(FrameError) as caught:
        encode(b"x" * (MAX_FRAME - 4))
    assert caught.value.fault == "oversized"


def test_a_header_and_a_body_may_come_in_pieces() -> None:
    data = frame({"a": 1}) + frame([1, 2]) + frame("end")[:3]
    for cut in range(len(data)):
        stream, seen = Stream(), []
        for piece in (data[:cut], data[cut:]):
            stream.feed(piece)
            seen += list(stream.values())
        assert seen == [{"a": 1}, [1, 2]]
        with pytest.raises(FrameError) as caught:
            stream.end()
        assert caught.value.fault == "truncated"


@pytest.mark.parametrize(("data", "fault"), [(b"\x00\x00", "truncated"), (b"\x00\x00\x00\x05\xc0", "truncated")])
def test_the_end_inside_a_frame_is_a_fault(data: bytes, fault: str) -> None:
    stream = Stream()
    stream.feed(data)
    assert list(stream.values()) == []
    with pytest.raises(FrameError) as caught:
        stream.end()
    assert caught.value.fault == fault


def test_the_end_between_frames_is_none() -> None:
    stream = Stream()
    stream.feed(frame(1))
    assert list(stream.values()) == [1]
    stream.end()


def test_the_token_is_in_no_repr() -> None:
    assert "secret" not in repr(HookCall(1, b"secret", "tool", "t", {}, 1)) + repr(CapCall(0, b"secret", "c", {}, 1))


# -- envelopes ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", PRODUCED)
def test_an_envelope_without_one_of_its_fields_is_malformed(name: str) -> None:
    for strict in (True, False):
        for key in ("v", "id", "kind", "body"):
            wire = PRODUCED[name].to_wire()
            del wire[key]
            with pytest.raises(FrameError):
                from_wire(wire, strict=strict)
        for key in list(PRODUCED[name].to_wire()["body"]):
            wire = PRODUCED[name].to_wire()
            if key != "usage":
                del wire["body"][key]
                with pytest.raises(FrameError):
                    from_wire(wire, strict=strict)


@pytest.mark.parametrize("name", PRODUCED)
def test_a_harness_refuses_a_field_too_many_in_any_body(name: str) -> None:
    wire = PRODUCED[name].to_wire()
    wire["body"]["extra"] = 1
    assert from_wire(wire, strict=False) == PRODUCED[name]
    with pytest.raises(FrameError):
        from_wire(wire, strict=True)


@pytest.mark.parametrize("wrong", [1.0, True, "1", None, b"1", [1], {}])
def test_numbers_are_not_coerced(wrong: object) -> None:
    for key in ("v", "id"):
        with pytest.raises(FrameError):
            from_wire({**Heartbeat(1).to_wire(), key: wrong}, strict=False)
    wire = PRODUCED["V20"].to_wire()
    wire["body"]["deadline_ms"] = wrong
    with pytest.raises(FrameError):
        from_wire(wire, strict=False)


# -- random bytes ---------------------------------------------------------------------------


def reference(payload: bytes) -> object:
    """What an independent reading of the subset gives for a payload; ValueError where nothing."""

    def value(at: int, depth: int) -> tuple[object, int]:
        head, at = payload[at], at + 1
        if head < 0x80:
            return head, at
        if head >= 0xE0:
            return head - 256, at
        if head in (0xC0, 0xC2, 0xC3):
            return {0xC0: None, 0xC2: False, 0xC3: True}[head], at
        if 0xCC <= head <= 0xD3:
            width = 1 << (head & 3)
            return int.from_bytes(take(at, width), "big", signed=head >= 0xD0), at + width
        if head == 0xCB:
            (number,) = struct.unpack(">d", take(at, 8))
            if number != number or number in (float("inf"), float("-inf")):
                raise ValueError
            return number, at + 8
        if 0xA0 <= head < 0xC0 or head in (0xD9, 0xDA, 0xDB, 0xC4, 0xC5, 0xC6):
            if head < 0xC0:
                size = head & 0x1F
            else:
                width = {0xD9: 1, 0xDA: 2, 0xDB: 4, 0xC4: 1, 0xC5: 2, 0xC6: 4}[head]
                size, at = int.from_bytes(take(at, width), "big"), at + width
            raw = take(at, size)
            return raw if head in (0xC4, 0xC5, 0xC6) else raw.decode(), at + size
        if head < 0xA0:
            size, pairs = head & 0x0F, head < 0x90
        elif head in (0xDC, 0xDD, 0xDE, 0xDF):
            width = 2 if head in (0xDC, 0xDE) else 4
            size, at, pairs = int.from_bytes(take(at, width), "big"), at + width, head >= 0xDE
        else:
            raise ValueError
        if depth == MAX_DEPTH:
            raise ValueError
        items: list[object] = []
        for _ in range(size * (2 if pairs else 1)):
            item, at = value(at, depth + 1)
            items.append(item)
        if not pairs:
            return items, at
        keys = items[::2]
        if not all(type(key) is str for key in keys) or len(set(keys)) != size:
            raise ValueError
        return dict(zip(keys, items[1::2], strict=True)), at

    def take(at: int, size: int) -> bytes:
        if at + size > len(payload):
            raise ValueError
        return payload[at : at + size]

    made, end = value(0, 0)
    if end != len(payload):
        raise ValueError
    return made


def mutated(source: random.Random) -> bytes:
    """Bytes that are almost a frame's payload, or none at all."""
    if source.random() < 0.3:
        return source.randbytes(source.randint(1, 40))
    data = bytearray(vector(source.choice(list(VECTORS)))[4:] or b"\xc0")
    for _ in range(source.randint(0, 3)):
        at = source.randrange(len(data))
        data[at : at + source.randint(0, 2)] = source.randbytes(source.randint(0, 2))
        data = data or bytearray(b"\xc0")
    return bytes(data)


def test_a_hundred_thousand_random_frames_read_as_an_independent_reader_does() -> None:
    source = random.Random(20261201)
    good = 0
    for _ in range(100_000):
        payload = mutated(source)
        try:
            wanted = reference(payload)
        except (ValueError, IndexError):
            with pytest.raises(FrameError):
                decode(payload)
        else:
            good += 1
            value = decode(payload)
            assert repr(value) == repr(wanted)
            assert decode(encode(value)) == value
            try:
                from_wire(value, strict=True)
            except FrameError as fault:
                assert fault.fault in ("malformed", "bad_version")
    assert 10_000 < good < 90_000


def test_what_we_write_another_library_reads() -> None:
    for made in PRODUCED.values():
        assert msgpack.unpackb(frame(made.to_wire())[4:], timestamp=0) == made.to_wire()
