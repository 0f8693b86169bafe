"""What a fresh context costs: what libraries compute when the image is made must not end up in each."""

from pathlib import Path

from chibi_bridge import Context

MOST = 40 << 10
SCHEME = Path(__file__).parents[2] / "scheme" / "lib"
GRANTED = {"(tein http)", "(tein modules)", "(harness io)"}
"""Those that a policy names are compiled where they are imported."""
REFUSED = {
    "(chibi syntax-case)",
    "(srfi 211 identifier-syntax)",
    "(srfi 211 variable-transformer)",
    "(tein macro)",
    "(tein reader)",
}
"""Those that say what the engine does not have."""


def test_a_fresh_context_is_small():
    with Context() as context:
        assert context._native.stats()["used"] < MOST


def test_so_is_one_with_the_prelude_of_tools():
    with Context(prelude="tools") as context:
        assert context._native.stats()["used"] < 2 * MOST


def test_almost_every_library_is_in_the_image():
    """One that is not in the manifest is read and compiled by each context that imports it."""
    written = {name for name in (SCHEME / "manifest").read_text(encoding="utf-8").splitlines() if name}
    there = {f"({' '.join(path.relative_to(SCHEME).with_suffix('').parts)})" for path in SCHEME.rglob("*.sld")}
    assert written <= there
    assert {name for name in there - written if not name.startswith("(chibi-bridge ")} == GRANTED | REFUSED
