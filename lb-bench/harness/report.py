"""The result of a comparison as Markdown."""

COLUMNS = (
    ("rate", None, "{:,.0f}"),
    ("cpu", "CPU µs", "{:.1f}"),
    ("p50", "p50 ms", "{:.2f}"),
    ("p99", "p99 ms", "{:.2f}"),
    ("p99_9", "p99.9 ms", "{:.2f}"),
    ("max", "max ms", "{:.1f}"),
    ("rss", "RSS MB", "{:.0f}"),
)
FIGURE_NAMES = {"cpu": "CPU", "p99": "p99 at a fixed rate"}


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def conditions(pairs):
    return "\n".join(f"- {name}: {value}" for name, value in pairs)


def medians(samples, unit, columns=COLUMNS):
    """Medians, with the lowest and the highest value where they matter most."""
    used = [c for c in columns if any(c[0] in sample.figures for sample in samples)]
    header = ["load", "peer", "runs"] + [name or unit for _, name, _ in used]
    rows = []
    for load in samples.loads():
        for peer in samples.peers():
            runs = samples.good(peer, load)
            cells = [_spread(samples.spread(peer, load, figure), form) for figure, _, form in used]
            rows.append([load, peer, str(len(runs)), *cells])
    return table(header, rows)


def _spread(spread, form):
    if spread is None:
        return "–"
    return f"{form.format(spread.middle)} ({form.format(spread.low)}–{form.format(spread.high)})"


def bars(samples, scenario_bars, unit, ours="ballast"):
    """Ballast beside each bar of the specification, for every load."""
    rows = []
    for bar in scenario_bars:
        for load in samples.loads():
            ratio = samples.ratio(ours, bar.peer, load, bar.figure)
            if ratio is not None:
                rows.append([load, bar.peer, _figure_name(bar.figure, unit), *judged(bar, ratio)])
    return table(["load", "against", "figure", "ratio", "bar", "aim", ""], rows) if rows else "No peer to compare with."


def judged(bar, ratio):
    spread = f"{ratio.middle:.2f} ({ratio.low:.2f}–{ratio.high:.2f})"
    return [spread, str(bar), f"{bar.aim:.2f}", "met" if bar.is_met(ratio.middle) else "**not met**"]


def _figure_name(figure, unit):
    return unit if figure == "rate" else FIGURE_NAMES.get(figure, figure)


def excluded(samples):
    """Runs that count for nothing, and why. Empty if there are none."""
    lines = [f"- round {s.round}, {s.peer}, {s.load}: {'; '.join(s.faults)}" for s in samples.faulty()]
    return "\n".join(["**Runs excluded**, because they are no results:", *lines]) if lines else ""


def every_run(samples, unit, columns=COLUMNS):
    used = [c for c in columns if any(c[0] in sample.figures for sample in samples)]
    header = ["round", "load", "peer", "requests"] + [name or unit for _, name, _ in used]
    rows = []
    for sample in samples:
        cells = [form.format(sample.figures[figure]) if figure in sample.figures else "–" for figure, _, form in used]
        mark = " (excluded)" if sample.faults else ""
        requests = f"{sample.figures.get('requests', 0):,.0f}"
        rows.append([str(sample.round), sample.load, sample.peer + mark, requests, *cells])
    return table(header, rows)
