"""Configuration files of the peers: text with {{names}} to replace."""

import re

from harness.workplace import BENCH


def fill(text, values):
    """Replaces every {{name}}; a name without a value or an unused value is an error."""
    unused = set(values)

    def value(match):
        unused.discard(match[1])
        return str(values[match[1]])

    filled = re.sub(r"\{\{(\w+)\}\}", value, text)
    if unused:
        raise KeyError(f"not in the template: {', '.join(sorted(unused))}")
    return filled


def fill_peer(file, values):
    """Fills a template of lb-bench/peers."""
    return fill((BENCH / "peers" / file).read_text(), values)
