"""The report: one page that a browser shows without any network, made from a log alone.

    write_page(Path("results/example"), Path("report/index.html"))

`build` writes the page, `gather` reads what it needs from the log, `sections` and `play` turn that into
the words and cells that `page.html` shows, `games` decides which games it holds and where they lie.
`page.css` and the three scripts (`tables.js`, `games.js`, `replay.js`) are copied into the page.

What a page promises: the same log gives the same bytes; every text of a bot is escaped, and what the
scripts show is set as text, never as markup; the page's own policy forbids every connection.
"""

from arena.report.page.build import Built, write_page

__all__ = ["Built", "write_page"]
