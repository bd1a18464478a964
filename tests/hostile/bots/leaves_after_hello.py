"""Says hello, hears the welcome, and exits."""

from tests.hostile.bots.raw import hello, leave

hello()
leave()
