"""What the HTTP broker costs over bare urllib3, against a server process on loopback."""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Callable
from time import perf_counter

import urllib3

from chibi_bridge import Policy
from chibi_bridge.host.base import Host
from chibi_bridge.host.http import http_request

SERVER = """
import socket, sys, threading
body = b"x" * int(sys.argv[1])
answer = b"HTTP/1.1 200 OK\\r\\nContent-Type: text/plain\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(body) + body
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)

def serve(connection):
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    data = b""
    while piece := connection.recv(65536):
        data += piece
        while b"\\r\\n\\r\\n" in data:
            data = data.partition(b"\\r\\n\\r\\n")[2]
            connection.sendall(answer)

while True:
    threading.Thread(target=serve, args=listener.accept()[:1], daemon=True).start()
"""


def measured(size: int, rounds: int) -> dict[str, object]:
    """Medians of requests in turn, of a body of this size."""
    server = subprocess.Popen([sys.executable, "-c", SERVER, str(size)], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        origin = f"http://127.0.0.1:{int(server.stdout.readline())}/v1/"
        url = f"{origin}items?x=1"
        pool, host = urllib3.PoolManager(), Host(Policy(http_allow=(origin,)))
        ways: dict[str, Callable[[], object]] = {
            "urllib3": lambda: pool.request("GET", url, retries=False, redirect=False).data,
            "broker": lambda: http_request(host, ["GET", url, [], None, 30, True]),
        }
        seconds: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(rounds):
            for name, way in ways.items():
                start = perf_counter()
                way()
                seconds[name].append(perf_counter() - start)
        host.close()
        pool.clear()
    finally:
        server.kill()
        server.communicate()
    middle = {name: statistics.median(times) for name, times in seconds.items()}
    micros = {f"{name} us": round(value * 1e6) for name, value in middle.items()}
    return {"body bytes": size, **micros, "ratio": middle["broker"] / middle["urllib3"]}


def requests() -> list[dict[str, object]]:
    """A row per size of the body."""
    return [measured(size, rounds) for size, rounds in ((100, 1000), (10_000, 1000), (1_000_000, 100))]
