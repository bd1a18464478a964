"""What holds for all tests."""

from hypothesis import settings

# No test may depend on the speed of the machine.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
