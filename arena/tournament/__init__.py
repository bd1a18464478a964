"""A tournament: its configuration, its schedule, and the coordinator that runs and resumes it."""
