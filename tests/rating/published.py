"""Results of chess engine tests with the numbers that other programs give for them.

fastchess, app/tests/sprt_test.cpp and elo_test.cpp; cutechess, projects/lib/tests/sprt/tst_sprt.cpp
(both compare with the tolerances stated here); fishtest, server/fishtest/stats/stat_util.py, and
OpenBench, OpenBench/stats.py: what the examples at the end of these files print when they are run, and
what OpenBench's function Elo returns. Stockfish: tests on fishtest that its commit messages quote, each
with the commit.

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

STOCKFISH_SPRT: list[tuple[str, tuple[int, ...], str, float, float, float]] = [
    ("b52f01471", (1721, 77704, 208246, 77189, 1732), "normalized", -1.75, 0.25, 3.19),
    ("218c74ec4", (39, 11353, 31686, 11822, 33), "normalized", 0.5, 2.5, 2.96),
    ("a169c78b6", (0, 1, 56, 82, 0), "normalized", 0, 10, 2.95),
    ("675f6a038", (857, 17346, 41642, 17833, 866), "normalized", 0, 2.5, 2.95),
    ("18389e269", (1344, 31488, 81366, 31213, 1373), "normalized", -2.25, 0.25, 2.96),
    ("11c6cf720", (41, 8404, 27650, 8760, 53), "normalized", 0.5, 3.5, 2.96),
    ("385deefd8", (421, 14817, 38894, 14817, 407), "normalized", -2.5, 0.5, 2.95),
    ("6ad4f485d", (23, 1079, 15473, 1255, 14), "logistic", 0.2, 0.9, 2.94),
    ("6ad4f485d", (2, 245, 4962, 291, 4), "logistic", -0.7, 0.2, 2.95),
    ("508906165", (13, 1176, 17184, 1178, 21), "logistic", 0.25, 1.25, -3.00),
    ("84f3e8679", (571, 4082, 8434, 3861, 520), "logistic", -6, -4, 2.94),
    ("dd1adce74", (2567, 13420, 24118, 13319, 2564), "logistic", -2, 0, 2.94),
]
"""Commit, counts, model, elo0, elo1, LLR as printed."""

STOCKFISH_ELO: list[tuple[str, tuple[int, ...], float, float, float, float, float]] = [
    ("f030a1c59", (27, 5831, 18366, 5750, 26), -0.48, 1.2, 22.2, -1.08, 2.8),
    ("78532af9d", (123, 4580, 10875, 4305, 117), -2.49, 1.7, 0.2, -5.03, 3.4),
    ("154e7afed", (96, 1426, 13277, 30130, 5071), 141.66, 1.2, 100.0, 284.13, 3.3),
    ("154e7afed", (94, 1537, 13098, 29771, 5500), 143.26, 1.2, 100.0, 281.70, 3.3),
    ("85f8ee619", (31, 686, 2804, 1355, 124), 29.78, 3.4, 100.0, 59.24, 6.9),
    ("85f8ee619", (51, 636, 2266, 1779, 268), 55.25, 3.9, 100.0, 96.95, 7.2),
    ("85f8ee619", (10, 403, 3727, 831, 29), 16.20, 2.5, 100.0, 44.12, 6.7),
    ("85f8ee619", (10, 410, 3053, 1451, 76), 40.94, 3.0, 100.0, 92.77, 6.9),
    ("5372f81cc", (8, 3534, 12648, 3799, 11), 2.35, 1.5, 99.9, 5.47, 3.4),
]
"""Commit, counts, Elo, its half interval, LOS in percent, nElo, its half interval, all as printed."""

STOCKFISH_BAYESELO: list[tuple[str, tuple[int, int, int], float, float, float]] = [
    ("bae019b53", (60075, 154677, 59700), -3, 1, 2.95),
    ("13f70d039", (9138, 23435, 9094), 0, 3.5, -2.95),
    ("80d59eea3", (7777, 20650, 7790), 0.5, 4.5, -2.94),
    ("411e704fd", (11185, 36049, 11530), -0.5, 4.5, 3.11),
    ("3b1f552b0", (3508, 10745, 3740), -0.5, 3.5, 3.35),
    ("eb50793cf", (12381, 57402, 12122), -6, 0, 2.96),
    ("7ff865b92", (16584, 89956, 17292), 1, 6, 2.95),
    ("2c825294e", (4580, 17244, 4477), -3, 3, -2.94),
]
"""Commit, counts, elo0, elo1, LLR as printed: from before fishtest counted pairs."""
