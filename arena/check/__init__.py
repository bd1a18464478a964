"""The conformance run of one bot: numbered steps in plain words, each tried on the real program.

`step` holds what a step is, `talk` the conversation with one launch, `cases` the games that questions
come from, `room` what all steps share, `run` the run, `report` its text and JSON. The steps themselves
stand in `begin`, `calls`, `forms`, `batches` and `manners`, in the order in which they are tried.
"""
