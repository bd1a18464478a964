"""Results of chess engine tests with the numbers that other programs give for them.

fastchess, app/tests/sprt_test.cpp and elo_test.cpp; cutechess, projects/lib/tests/sprt/tst_sprt.cpp
(both compare with the tolerances stated here); fishtest, server/fishtest/stats/stat_util.py, and
OpenBench, OpenBench/stats.py: what the examples at the end of these files print when they are run, and
what OpenBench's function Elo returns.

Counts go from the worst result to the best.
"""

from __future__ import annotations

FASTCHESS_SPRT: list[tuple[tuple[int, ...], str, float, float, float]] = [
    ((36027, 68692, 36433), "normalized", 0, 2, 0.92),
    ((10650, 20431, 10871), "normalized", -1.75, 0.25, 2.30),
    ((0, 0, 4250), "normalized", 0, 10, 120.56),
    ((21184, 40708, 21404), "logistic", 0.5, 2.5, -1.57),
    ((57030, 106593, 57433), "logistic", 0, 2, -2.59),
    ((365, 16618, 36029 + 200, 16974, 390), "normalized", 0, 2, 2.25),
    ((127, 4883, 10311 + 401, 5150, 104), "normalized", -1.75, 0.25, 3.01),
    ((0, 0, 0, 0, 5550), "normalized", 0, 5, 111.82),
    ((223, 9863, 20279 + 1000, 10037, 246), "logistic", 0.5, 2.5, -3.07),
    ((871, 26175, 55003 + 980, 26678, 821), "logistic", 0, 2, -4.98),
]
"""Counts, model, elo0, elo1, LLR to 1 % (and half a unit of its last digit)."""

FASTCHESS_BAYESIAN: list[tuple[tuple[int, int, int], float, float, float]] = [
    ((68526, 128429, 68965), 0, 2, -1.26),
    ((21484, 41111, 21629), 0.5, 2.5, -1.13),
]
"""Counts, elo0, elo1, LLR to 1 %."""

FASTCHESS_ELO: list[tuple[tuple[int, ...], float, float, float | None, float | None, str, float]] = [
    ((89, 123, 76), -20.76, 40.13, None, None, "15.53", 0.477),
    ((96, 111, 136), 49.77, 36.77, 40.70, 30.43, "99.60", 0.558),
    ((356, 0, 34), -508.44, 34.48, None, None, "0.00", 0.087),
    ((34, 54, 31 + 32, 64, 75), 57.94, 28.28, 55.58, 27.65, "100.00", 0.579),
    ((332, 433, 457 + 41, 333, 334), -9.17, 10.96, -8.64, 10.33, "5.05", 0.488),
    ((7895, 8757, 5485 + 200, 568, 9999), -19.01, 2.65, -21.04, 2.95, "0.00", 0.470),
]
"""Counts, nElo, its half interval, Elo, its half interval (to 1 %), LOS in percent as printed, score."""

CUTECHESS_SPRT: list[tuple[tuple[int, int, int], float]] = [
    ((1351, 2942, 1477), 2.52),
    ((555, 298, 555), -0.74),
    ((149, 1, 3), -4.69),
]
"""Counts, LLR of 0 against 10 with alpha = beta = 0.01, to 0.01; bounds -4.6 and 4.6."""

FISHTEST_SPRT: list[tuple[tuple[int, ...], str, float, float, float]] = [
    ((10789, 19328, 33806, 19402, 10543), "logistic", -3, 1, 2.1310678117940807),
    ((39, 2226, 31451, 2412, 40), "logistic", 0.2, 0.9, 2.1625425800483593),
    ((39, 2226, 31451, 2412, 40), "normalized", 0.764, 3.439, 2.162940869584568),
]
"""Counts, model, elo0, elo1, LLR."""

FISHTEST_BAYESELO: list[tuple[tuple[int, int, int], float, float, float]] = [
    ((5026, 15699, 5019), 0, 5, -2.8576679634940083),
    ((1500, 4000, 1450), 0, 6, -2.4516259587766775),
    ((591, 2163, 716), 0, 6, 2.9861739745734006),
    ((13624, 34333, 13543), -3, 1, 0.7327597994352493),
    ((65804, 56553, 65388), -3, 1, 1.128646965177422),
]
"""Counts, elo0, elo1, LLR of the scores at these BayesElo: not quite that of the model, to 0.01."""

OPENBENCH_SPRT: tuple[tuple[int, ...], float, float, float] = (
    (39, 8843, 26675, 9240, 44),
    0.5,
    2.5,
    2.9416752079894044,
)
OPENBENCH_TRINOMIAL: tuple[tuple[int, int, int], float, float, float] = (
    (22569, 44137, 22976),
    0.5,
    2.5,
    0.9757721682721865,
)
OPENBENCH_ELO: list[tuple[tuple[int, ...], float, float, float]] = [
    ((111, 96, 136), -5.873955649321776, 25.368279475634004, 57.0266339011968),
    ((75, 64, 63, 54, 34), -83.7028131610243, -55.579780420445815, -28.16230080967746),
]
"""Counts, low, Elo, high: Student's t, but the variance divided by N, not by N - 1."""

FISHTEST_STOPPED: list[tuple[tuple[int, ...], str, float, float, tuple[float, float, float]]] = [
    (
        (10789, 19328, 33806, 19402, 10543),
        "logistic",
        -3,
        1,
        (-0.9925365594552716, -3.488492131294004, 1.4885858954857965),
    ),
    (
        (39, 2226, 31451, 2412, 40),
        "logistic",
        0.2,
        0.9,
        (0.8651827882599539, 0.1683070591217059, 1.5405993355073948),
    ),
    (
        (39, 2226, 31451, 2412, 40),
        "normalized",
        0.764,
        3.439,
        (0.8651598534526277, 0.16827135251642789, 1.5405826879352602),
    ),
]
"""Counts, model, elo0, elo1, Elo and its 95 % interval, allowing for the stop."""
