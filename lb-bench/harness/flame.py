"""A flame graph as SVG: a frame is above its caller, and its width is its share of the time."""

from html import escape

_WIDTH = 1200
_ROW = 16
_MIN_PIXELS = 1
_PIXELS_A_LETTER = 6.5
_COLORS = (("io.ballast", "#f0a030"), ("io.netty", "#70b060"), ("java.", "#a0a0d0"), ("jdk.", "#a0a0d0"))
_KERNEL_COLOR, _OTHER_COLOR = "#d06050", "#c0c0c0"


class Frame:
    def __init__(self, symbol, is_kernel):
        self.symbol = symbol
        self.is_kernel = is_kernel
        self.samples = 0
        self.callees = {}

    def callee(self, symbol, is_kernel):
        return self.callees.setdefault(symbol, Frame(symbol, is_kernel))


def svg(stacks):
    root = Frame("all", False)
    for (thread, frames), count in stacks.items():
        at = root
        at.samples += count
        for symbol, library in ((thread, ""), *frames):
            at = at.callee(symbol, library.startswith("[kernel"))
            at.samples += count
    rows = []
    depth = _draw(root, 0.0, 0, root.samples / _WIDTH, rows)
    height = (depth + 1) * _ROW
    boxes = "\n".join(form.replace("{y}", str(height - (level + 1) * _ROW)) for level, form in rows)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" font-family="monospace"'
        f' font-size="11">\n{boxes}\n</svg>\n'
    )


def _draw(frame, left, level, samples_a_pixel, rows):
    """Draws a frame and its callees; returns the highest level."""
    width = frame.samples / samples_a_pixel
    if width < _MIN_PIXELS:
        return level
    share = frame.samples / (samples_a_pixel * _WIDTH)
    letters = int(width / _PIXELS_A_LETTER)
    label = _short(frame.symbol)[:letters] if letters > 2 else ""
    rows.append(
        (
            level,
            f'<svg x="{left:.1f}" y="{{y}}" width="{width:.1f}" height="{_ROW}"><title>{escape(frame.symbol)} {share:.1%}'
            f'</title><rect width="100%" height="{_ROW - 1}" fill="{_color(frame)}"/>'
            f'<text x="2" y="{_ROW - 4}">{escape(label)}</text></svg>',
        )
    )
    deepest = level
    for callee in sorted(frame.callees.values(), key=lambda each: each.symbol):
        deepest = max(deepest, _draw(callee, left, level + 1, samples_a_pixel, rows))
        left += callee.samples / samples_a_pixel
    return deepest


def _short(symbol):
    """Returns a method without return type, parameters and package."""
    name = symbol.split("(")[0].split(" ")[-1]
    return name.split(".")[-1] if "::" in name else name


def _color(frame):
    if frame.is_kernel:
        return _KERNEL_COLOR
    return next((color for package, color in _COLORS if package in frame.symbol), _OTHER_COLOR)
