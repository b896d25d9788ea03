"""Markdown rendered as an HTML page."""

import re
from functools import lru_cache
from html import escape
from itertools import pairwise

from markdown_it import MarkdownIt

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto;
  padding: 0 1rem; }}
pre, table {{ overflow-x: auto; display: block; }} code {{ font-size: 0.9em; }}
th, td {{ text-align: left; vertical-align: top; padding: 0.2rem 0.6rem 0.2rem 0; }}
img {{ max-width: 100%; }}
</style></head>
<body>
{body}</body></html>
"""
TITLE = re.compile("^# (.+)$", re.MULTILINE)
READER = MarkdownIt("commonmark", {"html": False}).enable("table")


@lru_cache(64)
def page_of(text: str) -> str:
    """Return a Markdown text as an HTML page. The id of each heading is its words, joined by
    dashes."""
    tokens = READER.parse(text)
    for token, inner in pairwise(tokens):
        if token.type == "heading_open":
            words = re.sub(r"[^\w\- ]", "", inner.content.lower())
            token.attrSet("id", words.replace(" ", "-"))
    title = TITLE.search(text)
    return PAGE.format(
        title=escape(title[1] if title else "Fogg"),
        body=READER.renderer.render(tokens, READER.options, {}),
    )
