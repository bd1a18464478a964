"""A headless Chromium for the tests of the page, and what is asked of it again and again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

MISSING = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
)


class Browser:
    """A window of 1200 by 900 points."""

    def __init__(self, driver: Chrome) -> None:
        self.driver = driver

    def open(self, page: Path, address: str = "") -> None:
        """Load the page anew."""
        self.driver.get("about:blank")
        self.driver.get(page.as_uri() + address)

    def ask(self, expression: str, *values: object) -> Any:
        """The value of a JavaScript expression in the page; `arguments` holds the values."""
        return self.driver.execute_script(f"return {expression}", *values)

    def find(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def texts(self, selector: str) -> list[str]:
        """What the elements show, in one go."""
        found: list[str] = self.ask(
            "[...document.querySelectorAll(arguments[0])].map(e => e.innerText.trim())", selector
        )
        return found

    def type(self, *keys: str) -> None:
        """Type into whatever has the focus."""
        self.driver.switch_to.active_element.send_keys(*keys)

    def choose(self, selector: str, value: str) -> None:
        """Set a field of a form as a user does, with its events."""
        self.driver.execute_script(
            "const field = document.querySelector(arguments[0]); field.value = arguments[1];"
            "for (const kind of ['input', 'change'])"
            "  field.dispatchEvent(new Event(kind, {bubbles: true}))",
            selector,
            value,
        )

    def wait(self, expression: str, *values: object) -> None:
        """Until it is true; the limit is only there so that a failing test ends."""
        WebDriverWait(self.driver, 60, 0.02).until(lambda _: self.ask(expression, *values))

    def resize(self, width: int, *, dark: bool = False) -> None:
        """Look like a screen of that width, with the scheme that its owner prefers."""
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})

    def complaints(self) -> list[str]:
        """What stands in the console since last asked."""
        log: list[dict[str, Any]] = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in log]

    def requests(self) -> list[str]:
        """Every address that was asked for since last asked."""
        log: list[dict[str, Any]] = self.driver.get_log("performance")  # type: ignore[no-untyped-call]
        messages = [json.loads(entry["message"])["message"] for entry in log]
        return [
            message["params"]["request"]["url"]
            for message in messages
            if message["method"] == "Network.requestWillBeSent"
        ]


@contextmanager
def headless(home: Path) -> Iterator[Browser]:
    """A browser that keeps its profile in `home`."""
    options = ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in (*FLAGS, f"--user-data-dir={home}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        browser = Browser(driver)
        browser.resize(1200)
        yield browser
    finally:
        driver.quit()


__all__ = ["MISSING", "Browser", "Keys", "headless"]
