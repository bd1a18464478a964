"""`arena verify`: a log against its rules and its dice."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.common import Whole


@click.command()
@click.argument("log", metavar="DIR|FILE", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--limit",
    type=Whole(1),
    default=20,
    show_default=True,
    help="How many problems to show.",
)
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.pass_context
def verify(ctx: click.Context, log: Path, limit: int, as_json: bool) -> None:
    """Play every game of a log again and compare: rules, dice, commitments, and what decided its test.

    The log is FILE, or that of the results folder DIR. The exit code is 1 if anything in it
    is not as it should be.
    """
    import json

    from arena.record.log import log_of, read_header
    from arena.record.replay import Problem
    from arena.record.verify import verify as verify_log

    log = log_of(log) if log.is_dir() else log
    report = verify_log(log, limit)
    if report.ok and read_header(log).sprt:
        from arena.report.sequential import check_decision

        if wrong := check_decision(log):
            report.problems.append(Problem(None, None, "decided", wrong))
    if as_json:
        told = {
            "ok": report.ok,
            "games": report.games,
            "finished": report.finished,
            "dice": report.dice,
            "notes": report.notes,
            "problems": [problem._asdict() for problem in report.problems],
            "more": report.more,
        }
        click.echo(json.dumps(told, indent=2))
    elif report.ok:
        checked = "rules, dice, commitments" if report.dice else "rules"
        click.echo("; ".join([f"{report.games} games verified: {checked}", *report.notes]))
    else:
        for problem in report.problems:
            click.echo(problem)
        if report.more:
            click.echo(f"... and {report.more} more")
        for note in report.notes:
            click.echo(f"note: {note}")
    if not report.ok:
        ctx.exit(1)
