"""The page in a real browser, opened as a file: what it shows agrees with the log, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from scipy import stats

from arena.record.columns import RoundText, read_rounds
from arena.record.schema import GameRecord, Header
from arena.report.page.build import visible, write_found
from arena.report.page.gather import Gathered
from arena.report.show import outcome
from tests.report.page.browser import MISSING, Browser, Keys, headless
from tests.report.page.logs import NAMES, TITLE, read

pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")

GAME = 17
SHOWN = [" ".join(visible(name).split()) for name in NAMES]


@pytest.fixture(scope="module")
def log(folder: Path) -> tuple[Header, dict[int, GameRecord]]:
    return read(folder)


@pytest.fixture(scope="module")
def large(found: Gathered, folder: Path) -> Path:
    """The same with the games beside it."""
    return write_found(found, folder / "report" / "large page.html", "beside").page


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with headless(tmp_path_factory.mktemp("chromium")) as browser:
        yield browser


@pytest.fixture
def browser(chromium: Browser, page: Path, large: Path) -> Iterator[Browser]:
    """Whatever a test does: no complaint in the console, nothing asked of any network."""
    chromium.complaints(), chromium.requests()
    yield chromium
    assert chromium.complaints() == []
    beside = f"{large.parent.as_uri()}/large%20page-games/"
    for address in chromium.requests():
        kept = address.split("#")[0]
        assert kept in (page.as_uri(), large.as_uri(), "about:blank") or kept.startswith(
            ("data:image/svg+xml;base64,", beside)
        ), kept


# -- replay -------------------------------------------------------------------------------------------


SEEN = """{
    round: document.querySelector('#replay-round').innerText,
    told: document.querySelector('#replay-told').innerText,
    hands: [...document.querySelectorAll('#replay-seats .hand')].map(e => e.innerText.trim()),
    mover: [...document.querySelectorAll('#replay-seats li')].findIndex(e => e.matches('.mover')),
    call: [...document.querySelectorAll('#replay-calls li')].findIndex(e => e.matches('[aria-current]')),
}"""


def told(browser: Browser) -> str:
    return " ".join(browser.find("#replay-told").text.split())


def shown_name(game: GameRecord, seat: int) -> str:
    return SHOWN[game.seats[seat]]


def open_game(browser: Browser, page: Path, address: str) -> None:
    browser.open(page, address)
    browser.wait("!document.querySelector('#replay').hidden")


def test_a_game_is_replayed_to_its_end_by_keyboard(
    browser: Browser, page: Path, log: tuple[Header, dict[int, GameRecord]]
) -> None:
    game = min(log[1].values(), key=lambda game: sum(map(len, game.timing.us)))
    rounds = read_rounds(game)
    open_game(browser, page, f"#game={game.game}")
    for played in rounds:
        for step, (seat, word, _) in enumerate(played.calls):
            now = browser.ask(SEEN)
            at = f"ound {played.number} of {len(rounds)}, {sum(map(len, played.hands))} dice, "
            assert at in now["round"]
            end = "forfeits." if word == "forfeit" else f"calls {word} after"
            assert f"{shown_name(game, seat)} {end}" in " ".join(now["told"].split())
            for other, (hand, shown) in enumerate(zip(played.hands, now["hands"], strict=True)):
                if hand and other == seat:
                    assert shown.startswith(f"holds {' '.join(map(str, hand))}")
                elif hand:
                    assert shown.endswith(", not seen"), "nobody sees another's dice"
            assert (now["mover"], now["call"]) == (seat, step)
            browser.type(Keys.ARROW_RIGHT)
        names = [f"<{seat}>" for seat in range(len(game.seats))]
        expected = outcome(played, names)
        for seat, name in enumerate(names):
            expected = expected.replace(name, shown_name(game, seat))
        assert expected in told(browser)
        assert "not seen" not in " ".join(browser.texts("#replay-seats .hand"))
        if played is not rounds[-1]:
            browser.type(Keys.ARROW_RIGHT)
    order = sorted(zip(game.places, range(len(game.seats)), strict=True))
    places = ", ".join(f"{place}. {shown_name(game, seat)}" for place, seat in order)
    assert f"The game is over: {places}" in told(browser)
    last = told(browser)
    browser.type(Keys.ARROW_RIGHT)
    assert told(browser) == last, "there is nothing after the end"


def test_keys_of_the_replay(
    browser: Browser, page: Path, log: tuple[Header, dict[int, GameRecord]]
) -> None:
    rounds = read_rounds(log[1][GAME])
    open_game(browser, page, f"#game={GAME}")

    def at() -> tuple[int, int]:
        found: list[int] = browser.ask("[replay.round + 1, replay.step]")
        return found[0], found[1]

    first, last = (1, 0), (len(rounds), len(rounds[-1].calls))
    for key, then in [
        (Keys.ARROW_LEFT, first),
        (Keys.ARROW_RIGHT, (1, 1)),
        (Keys.ARROW_LEFT, first),
        (Keys.END, last),
        (Keys.ARROW_DOWN, last),
        (Keys.ARROW_UP, (last[0], 0)),
        (Keys.ARROW_UP, (last[0] - 1, 0)),
        (Keys.ARROW_LEFT, (last[0] - 2, len(rounds[-3].calls))),
        (Keys.HOME, first),
        (Keys.ARROW_DOWN, (2, 0)),
    ]:
        browser.type(key)
        assert at() == then, key
    browser.find("#replay [data-do=last]").click()  # which puts itself out
    browser.type(Keys.HOME, Keys.ARROW_DOWN)
    assert at() == (2, 0), "the keys still work"
    hidden = len(browser.all("#replay-seats .die.hidden"))
    assert hidden
    browser.type("h")
    assert not browser.all("#replay-seats .die.hidden")
    browser.type("h")
    assert len(browser.all("#replay-seats .die.hidden")) == hidden
    for key, number in (("n", GAME + 1), ("p", GAME), ("p", GAME - 1)):
        browser.type(key)
        browser.wait(
            "document.querySelector('#replay-title').textContent === arguments[0]", f"Game {number}"
        )
    browser.type(Keys.ESCAPE)
    assert not browser.find("#replay").is_displayed()


def test_every_game_is_read_as_the_log_has_it(
    browser: Browser, page: Path, log: tuple[Header, dict[int, GameRecord]]
) -> None:
    browser.open(page)
    read_back = browser.ask(
        "Object.fromEntries([...records].map(([n, record]) => [n, readRounds(record).map(r =>"
        " [r.opener, r.palifico, r.hands, r.calls.map(c => [c.seat, c.word, c.us]),"
        " r.count, r.change])]))"
    )

    def plain(r: RoundText, seats: int) -> list[object]:
        change = [r.change.get(seat, 0) for seat in range(seats)]
        hands, calls = [list(hand) for hand in r.hands], [list(call) for call in r.calls]
        return [r.opener, r.palifico, hands, calls, r.count, change]

    assert read_back == {
        str(number): [plain(r, len(game.seats)) for r in read_rounds(game)]
        for number, game in log[1].items()
    }


def test_odds_are_exact(browser: Browser, page: Path, log: tuple[Header, dict[int, GameRecord]]) -> None:
    """Against scipy's binomial distribution, for every question of some games with a standing bid."""
    browser.open(page)
    kinds = set()
    for number in range(0, 140, 7):
        rounds = read_rounds(log[1][number])
        seen = browser.ask(
            "readRounds(records.get(arguments[0])).map(r => r.calls.map((c, k) => {"
            " const bid = standingBefore(r, k); return bid && odds(r, c.seat, bid); }))",
            number,
        )
        for played, row in zip(rounds, seen, strict=True):
            bid: tuple[int, int] | None = None
            for (seat, word, _), found in zip(played.calls, row, strict=True):
                if bid is None:
                    assert found is None
                else:
                    quantity, face = bid
                    wild = not played.palifico and face != 1
                    kinds.add((played.palifico, face == 1))
                    own = sum(die == face or (wild and die == 1) for die in played.hands[seat])
                    unseen = sum(map(len, played.hands)) - len(played.hands[seat])
                    law = stats.binom(unseen, 1 / 3 if wild else 1 / 6)
                    assert found["least"] == pytest.approx(law.sf(quantity - own - 1), abs=1e-12)
                    assert found["exact"] == pytest.approx(law.pmf(quantity - own), abs=1e-12)
                if "x" in word:
                    quantity, face = map(int, word.split("x"))
                    bid = quantity, face
    assert len(kinds) == 4, "palifico or not, aces or not"
    chances = (0, 1e-9, 0.5, 1 / 3, 0.99995, 1)
    words = [browser.ask("percent(arguments[0])", chance) for chance in chances]
    numbers = ["under 0.1 %", "50.0 %", "33.3 %", "over 99.9 %"]
    assert words == ["impossible", *(n.replace(" %", "\u00a0%") for n in numbers), "certain"]
    near = "odds({hands: [[2], Array(150).fill(3)], wild: 1}, 0, {quantity: 2, face: 2}).least"
    assert browser.ask(f"percent({near})") == words[4], "nearly certain is not certain"


def test_an_address_leads_to_a_step_again_after_a_reload(browser: Browser, page: Path) -> None:
    open_game(browser, page, f"#game={GAME}&round=3&step=1")
    where = browser.find("#replay-round").text
    assert "ound 3 of " in where
    browser.type(Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    browser.wait("location.hash === arguments[0]", f"#game={GAME}&round=4&step=1")
    before = told(browser)
    browser.driver.refresh()
    browser.wait("!document.querySelector('#replay').hidden")
    assert told(browser) == before
    open_game(browser, page, "#game=4711")
    assert browser.find("#replay-title").text == "Game 4711 is not in this page."
    open_game(browser, page, f"#game={GAME}&round=99&step=99")
    assert "The game is over" in told(browser)


# -- games beside the page ----------------------------------------------------------------------------


def test_games_beside_the_page_are_loaded_when_wanted(
    browser: Browser, large: Path, log: tuple[Header, dict[int, GameRecord]]
) -> None:
    browser.open(large)
    browser.wait("document.querySelectorAll('#games-table tbody tr').length > 0")
    assert browser.texts("#games-count") == ["140 of 140 games"]
    assert browser.ask("records.size") == 0
    open_game(browser, large, f"#game={GAME}")
    browser.type(Keys.END)
    assert "The game is over" in told(browser)
    assert browser.ask("records.size") == 140
    open_game(browser, large, "#game=4711")
    assert browser.find("#replay-title").text == "Game 4711 is not in this page."
    enabled = "[...document.querySelectorAll('#replay button:enabled')].map(button => button.dataset.do)"
    assert browser.ask(enabled) == ["close"]


def test_a_missing_file_is_named(chromium: Browser, large: Path, tmp_path: Path) -> None:
    alone = tmp_path / large.name
    alone.write_bytes(large.read_bytes())
    open_game(chromium, alone, f"#game={GAME}")
    told = "the file large%20page-games/index.js is missing beside this page"
    assert chromium.find("#replay-title").text == f"Game {GAME} cannot be shown: {told}."
    assert "No list of games" in chromium.find("#games-count").text


# -- tables -------------------------------------------------------------------------------------------


def test_standings_are_sorted_by_every_column(browser: Browser, page: Path) -> None:
    browser.open(page)
    heads = browser.all("#standings-table thead th")
    column = "#standings-table tbody tr > :nth-child({})"
    for number, head in enumerate(heads, 1):
        orders = []
        for _ in range(2):
            head.find_element("tag name", "button").click()
            up = head.get_attribute("aria-sort") == "ascending"
            assert browser.ask("document.querySelectorAll('#standings-table [aria-sort]').length") == 1
            texts = browser.texts(column.format(number))
            if head.text not in ("rating", "faults"):  # sorted by what their texts do not say
                cells = [text for text in texts if text != "-"]
                assert texts == cells + ["-"] * (len(texts) - len(cells)), "nothing is last"
                numbers = [text for text in cells if text[0].isdigit()]
                ordered = sorted(numbers, key=lambda text: float(text.split()[0]), reverse=not up)
                assert [float(t.split()[0]) for t in numbers] == [float(t.split()[0]) for t in ordered]
            orders.append(texts)
        assert sorted(orders[0]) == sorted(orders[1])
    browser.find("#standings-table th:nth-child(3) button").click()
    assert browser.texts(column.format(1)) == ["1", "2", "3", "4", "5"], "by rating, best first"


def test_standings_are_filtered_by_name(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.find("input[data-filter]").send_keys("SCRIPT>")
    rows = [row for row in browser.all("#standings-table tbody tr") if row.is_displayed()]
    assert [row.find_element("css selector", ".name").text for row in rows] == [SHOWN[0]]
    assert browser.texts("#standings-table-count") == ["1 of 5 bots"]


def test_the_cross_table_tells_its_intervals(browser: Browser, page: Path) -> None:
    browser.open(page)
    cells = browser.all("#cross tbody td")
    assert sum(cell.get_attribute("tabindex") == "0" for cell in cells) == 1, "one stop for the tab key"
    browser.ask("document.querySelector('#cross td[tabindex=\"0\"]').focus()")
    browser.type(Keys.ARROW_RIGHT)
    words = browser.find("#cross-told").text
    ranked = browser.texts("#standings-table .name")
    assert words.startswith(f"{ranked[0]} above {ranked[1]}: ")
    assert "95 % interval" in words.replace("\u00a0", " ")
    assert "over " in words
    browser.type(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert browser.find("#cross-told").text.startswith(f"{ranked[2]} above {ranked[1]}: ")


def test_games_are_filtered_by_bot_result_fault_and_length(
    browser: Browser, page: Path, log: tuple[Header, dict[int, GameRecord]]
) -> None:
    browser.open(page)
    games = [log[1][number] for number in sorted(log[1])]

    def listed() -> list[int]:
        found: list[int] = browser.ask("list.positions.map(p => index.numbers[p])")
        return found

    field = "#games-filter [name={}]"
    browser.choose(field.format("bot"), "2")
    assert listed() == [g.game for g in games if 2 in g.seats]
    browser.choose(field.format("place"), "1")
    won = [g for g in games if 2 in g.seats and g.places[g.seats.index(2)] == 1]
    assert 0 < len(won) < len(games)
    assert listed() == [g.game for g in won]
    browser.choose(field.format("fault"), "=timeout")
    late = [g for g in won if any(fault.cause == "timeout" for fault in g.faults)]
    assert listed() == [g.game for g in late]
    browser.find("#games-filter [type=reset]").click()
    browser.wait("list.positions.length === 140")
    browser.choose(field.format("fault"), "none")
    assert listed() == [g.game for g in games if not g.faults]
    browser.choose(field.format("fault"), "any")
    assert listed() == [g.game for g in games if g.faults]
    browser.choose(field.format("least"), "12")
    browser.choose(field.format("most"), "15")
    assert listed() == [g.game for g in games if g.faults and 12 <= len(g.calls) <= 15]
    browser.find("#games-filter [type=reset]").click()
    browser.wait("list.positions.length === 140")
    browser.find("#games-table th[data-by=rounds] button").click()
    browser.find("#games-table th[data-by=rounds] button").click()
    assert listed() == [g.game for g in sorted(games, key=lambda g: -len(g.calls))]
    shown = browser.texts("#games-table tbody th")
    browser.find("#games-pages [data-page='1']").click()
    assert not set(shown) & set(browser.texts("#games-table tbody th"))
    browser.find("#games-table tbody a").click()
    browser.wait("!document.querySelector('#replay').hidden")


def test_faults_are_filtered_and_lead_to_their_game(browser: Browser, page: Path) -> None:
    browser.open(page)
    every = browser.all("#faults-list > li")
    browser.choose("#faults-filter [name=bot]", "4")
    shown = [item for item in every if item.is_displayed()]
    assert len(shown) == 20
    assert all(f"{SHOWN[4]}: start" in " ".join(item.text.split()) for item in shown)
    browser.choose("#faults-filter [name=cause]", "timeout")
    assert not any(item.is_displayed() for item in every)
    browser.choose("#faults-filter [name=bot]", "")
    late = next(item for item in every if item.is_displayed())
    link = late.find_element("css selector", "a")
    number = link.text.removeprefix("Game ").partition(",")[0]
    link.click()
    browser.wait("!document.querySelector('#replay').hidden")
    assert browser.find("#replay-title").text == f"Game {number}"
    assert "timeout: no answer within 100 ms" in browser.find("#replay-faults").text


def test_a_link_to_a_bot_opens_it(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.find("#standings-table a[href='#bot-2']").click()
    browser.wait("document.querySelector('#bot-2').open")
    browser.find("#bot-2 [data-show-bot]").click()
    assert browser.ask("list.positions.every(p => seatsAt(p).includes(2))")


# -- hostile texts, screens ---------------------------------------------------------------------------


def test_hostile_texts_are_only_shown(browser: Browser, page: Path) -> None:
    for address in ("", f"#game={GAME}", "#game=<img src=x onerror=window.pwned=4>", "#bot-<b>"):
        browser.open(page, address)
        browser.wait("list.positions.length === 140")
        assert browser.ask("window.pwned === undefined")
        assert (
            browser.ask(
                "document.querySelectorAll('img:not([src^=\"data:\"]), main b, [onclick]').length"
            )
            == 0
        )
    browser.open(page)
    assert sorted(browser.texts("#standings-table .name")) == sorted(SHOWN)
    assert browser.find("h1").text == browser.driver.title.removesuffix(": Perudo tournament") == TITLE
    options = browser.texts("#games-filter [name=bot] option")
    assert sorted(" ".join(name.split()) for name in options[1:]) == sorted(SHOWN)


def test_the_policy_stops_what_is_not_ours(chromium: Browser, page: Path, large: Path) -> None:
    for each in (page, large):
        chromium.open(each)
        chromium.complaints()
        chromium.driver.execute_script(
            "const script = document.createElement('script'); script.textContent = 'window.pwned = 5';"
            "const image = document.createElement('img'); image.src = 'http://127.0.0.1:9/';"
            "document.body.append(script, image);"
            "document.body.setAttribute('onclick', 'window.pwned = 6');"
        )
        chromium.find("h1").click()
        complaints = chromium.complaints()
        assert chromium.ask("window.pwned === undefined")
        assert len(complaints) == 3
        assert all("Content Security Policy" in complaint for complaint in complaints)


@pytest.mark.parametrize("dark", [False, True])
def test_on_a_phone_nothing_is_wider_than_the_screen(browser: Browser, page: Path, dark: bool) -> None:
    try:
        browser.resize(390, dark=dark)
        open_game(browser, page, f"#game={GAME}&round=2&step=2")
        browser.ask("document.querySelectorAll('details').forEach(e => { e.open = true })")
        assert browser.ask("document.documentElement.scrollWidth") == 390
        paper = browser.ask("getComputedStyle(document.body).backgroundColor")
        assert (paper == "rgb(26, 26, 26)") is dark
    finally:
        browser.resize(1200)
