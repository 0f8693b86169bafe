"""What a fresh context costs: what libraries compute when the image is made must not end up in each."""

from chibi_bridge import Context

MOST = 40 << 10


def test_a_fresh_context_is_small():
    with Context() as context:
        assert context._native.stats()["used"] < MOST


def test_so_is_one_with_the_prelude_of_tools():
    with Context(prelude="tools") as context:
        assert context._native.stats()["used"] < 2 * MOST
