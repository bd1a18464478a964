"""What goes for the tests of the game."""

import pytest

pytest.register_assert_rewrite("tests.game.people")  # so that its failures tell what differs
