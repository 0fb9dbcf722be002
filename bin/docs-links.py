"""A hook of mkdocs: links to files outside of docs/, such as reports and examples, become plain text in the site."""

import re
from pathlib import PurePosixPath

_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#:\s]+)(#[^)\s]*)?\)")


def on_page_markdown(markdown, page, config, files):
    folder = PurePosixPath(page.file.src_uri).parent

    def replace(match):
        path = _normalize(folder / match.group(2))
        return match.group(1) if path is None else match.group(0)

    return _LINK.sub(replace, markdown)


def _normalize(path):
    """Returns the path without '..', or None if it leaves docs/."""
    parts = []
    for part in path.parts:
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part != ".":
            parts.append(part)
    return parts
