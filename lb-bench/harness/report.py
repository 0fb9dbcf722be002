"""The result of a comparison as Markdown."""

COLUMNS = (
    ("rate", None, "{:,.0f}"),
    ("cpu", "CPU µs", "{:.1f}"),
    ("p50", "p50 ms", "{:.2f}"),
    ("p99", "p99 ms", "{:.2f}"),
    ("p99_9", "p99.9 ms", "{:.2f}"),
    ("max", "max ms", "{:.1f}"),
    ("rss", "RSS MB", "{:.0f}"),
    # The client's own delay: response times below it do not show the balancer's delay.
    ("late", "client's own p99 lateness ms", "{:.2f}"),
)
FIGURE_NAMES = {"cpu": "CPU", "p99_9": "p99.9", "rss": "RSS"}


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def conditions(pairs):
    return "\n".join(f"- {name}: {value}" for name, value in pairs)


def medians(samples, unit, columns=COLUMNS):
    """Returns the medians, with the lowest and highest value of the main figures."""
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


def ratios(samples, scenario_bars, unit, figures, ours="ballast", against=None):
    """Compares Ballast with every peer, or those of `against`; with the bar and whether it is met."""
    rows = []
    for figure in figures:
        for peer in samples.peers():
            if against is not None and peer not in against:
                continue
            for load in samples.loads():
                ratio = samples.ratio(ours, peer, load, figure)
                if peer != ours and ratio is not None:
                    bar = next((bar for bar in scenario_bars if bar.is_for(peer, figure, load)), None)
                    rows.append([load, peer, _figure_name(figure, unit), _ratio(ratio), *_result(bar, ratio.middle)])
    return table(["load", "against", "figure", "ratio", "bar", "aim", ""], rows) if rows else "No peer to compare with."


def ceilings(samples, limits, ours="ballast"):
    """Checks Ballast's absolute limits. Empty if there are none."""
    rows = []
    for limit in limits:
        for load in samples.loads():
            spread = samples.spread(ours, load, limit.figure)
            if spread is not None:
                rows.append([load, limit.label, _spread(spread, "{:.0f}"), *_result(limit, spread.middle)])
    return table(["load", "figure", ours, "bar", "aim", ""], rows) if rows else ""


def _ratio(ratio):
    return f"{ratio.middle:.2f} ({ratio.low:.2f}–{ratio.high:.2f})"


def _result(bar, value, form="{:.2f}"):
    if bar is None:
        return ["–", "–", ""]
    return [str(bar), form.format(bar.aim), "met" if bar.is_met(value) else "**not met**"]


def _figure_name(figure, unit):
    return unit if figure == "rate" else FIGURE_NAMES.get(figure, figure)


def excluded(samples):
    """Returns the invalid runs with their faults. Empty if there are none."""
    lines = [f"- round {s.round}, {s.peer}, {s.load}: {'; '.join(s.faults)}" for s in samples.faulty()]
    return "\n".join(["**Excluded runs**, because they are invalid:", *lines]) if lines else ""


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
