"""`python -m benches [PART ...] [--json] [--seconds S]`: the table of ratios, by part (--help names them)."""

from __future__ import annotations

import argparse
import json
import shutil

from benches import bridge, broker, data, parallel, scaling, throughput

PARTS = {
    "create": bridge.creation,
    "call": bridge.calls,
    "load": bridge.loading,
    "http": broker.requests,
    "data": data.bulk,
    "threads": parallel.threads,
    "scaling": scaling.curves,
}
"""Each part's table; throughput has its own options."""


def _print_rows(rows: list[dict[str, object]]) -> None:
    if not rows:
        return
    names = list(dict.fromkeys(name for row in rows for name in row))
    cells = [names] + [[_cell(row.get(name)) for name in names] for row in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(names))]
    for line in cells:
        print("  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True)))
    print()


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _summary(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """Geometric means of the speed ratios, by class and in all."""
    groups: dict[str, list[dict[str, object]]] = {"all": rows}
    for row in rows:
        groups.setdefault(str(row["class"]), []).append(row)
    return [
        {"class": name}
        | {
            column: throughput.geometric_mean([float(str(r[column])) for r in group if r[column] is not None])
            for column in throughput.COLUMNS
        }
        for name, group in groups.items()
    ]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benches", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, "throughput"], default=[*PARTS, "throughput"])
    parser.add_argument("--json", action="store_true", help="one JSON object, for machines")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each program is repeated")
    parser.add_argument("--only", help="these throughput programs, comma-separated")
    options = parser.parse_args()
    missing = [name for name in ("guile", "lua5.4") if shutil.which(name) is None]
    results: dict[str, list[dict[str, object]]] = {}
    for part in options.parts:
        if part in PARTS:
            results[part] = PARTS[part]()
    if "throughput" in options.parts:
        names = options.only.split(",") if options.only else throughput.programs()
        results["throughput"] = list(throughput.measure(names, options.seconds))
        results["means"] = _summary(results["throughput"])
    if options.json:
        print(json.dumps({"missing": missing, **results}))
        return 0
    for rows in results.values():
        _print_rows(rows)
    if missing:
        print("not installed, skipped:", ", ".join(missing))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
