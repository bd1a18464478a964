"""The worked examples of the four rule texts, in their order, played through the game.

`docs/rules/` tells every rule of each text and what had to be decided; the names of decisions (S1,
D4 ...) are from there. Where a text's own example contradicts its rules, a comment says so.
"""

from __future__ import annotations

import pytest

from arena.game import first_opener, preset
from tests.game.people import Table, after, opening, showing

# ====================================================================================================
# santaba: the FISA "Perudo Santaba" basic rules
# ====================================================================================================


class TestSantaba:
    def test_example_1_who_goes_first(self) -> None:
        a, b, c = 4, 3, None  # C rolls all dice and loses the right to roll
        assert preset("santaba").opener == "roll"
        assert first_opener([[a, b, c]]) == 0  # A has the highest die

    def test_a_tie_is_rolled_again_by_the_tied(self) -> None:
        assert first_opener([[5, 2, 5], [3, None, 6]]) == 2

    # The text gives C six dice in examples 2 and 3. One of them must go; whichever it is, both
    # examples come out as printed.
    SIX_DICE_OF_C = pytest.mark.parametrize("c", ["2 2 4 4 4", "3 2 4 4 4", "3 2 2 4 4"])

    @SIX_DICE_OF_C
    def test_example_2_basic_bidding_and_doodoo(self, c: str) -> None:
        table = Table("santaba", "A: 2 2 2 6 6", "B: 2 5 5 5 5", f"C: {c}")
        table.play("A: 3x2")
        table.play("B: 4x2")  # raises the quantity
        table.play("C: 4x4")  # raises the face
        table.play("A: 5x2")  # raises the quantity, and the face falls (S1)
        table.play("B: 6x5")  # raises both
        table.play("C: doodoo")
        table.ends(count=4, loses="B", opens="B")

    def test_a_raise_never_lowers_the_quantity(self) -> None:
        """ "Either ... or both" read word by word would let it fall: 1x3, 2x2, 1x3 for ever (S1)."""
        table = after("santaba", "3x4")
        table.may("B: 3x5 3x6 4x2 4x4 4x6 9x3 doodoo")
        table.may_not("B: 2x5 2x6 1x6 3x4 3x3")

    def test_wild_aces(self) -> None:
        """Three players with an ace and a two each: a bid of six twos is right."""
        assert showing(2, "1 2", "1 2", "1 2") == 6
        table = Table("santaba", "A: 1 2", "B: 1 2", "C: 1 2")
        table.play("A: 6x2", "B: doodoo")
        table.ends(count=6, loses="B", opens="B", next_round="may")

    def test_a_valid_bid_is_one_that_the_dice_reach(self) -> None:
        table = Table("santaba", "A: 2 2 2 6 6", "B: 2 5 5 5 5", "C: 3 2 2 4 4")
        table.play("A: 3x2", "B: doodoo")  # six twos are there
        table.ends(count=6, loses="B", opens="B")

    @pytest.mark.parametrize(
        ("bid", "enough", "too_few"),
        [
            ("2x2", "1x1", "0x1"),
            ("3x4", "2x1", "1x1"),  # half of the next even quantity
            ("4x4", "2x1", "1x1"),
            ("3x1", "7x4", "6x4"),  # back: twice and one more
            ("3x1", "7x2", "6x6"),
            ("1x1", "3x6", "2x6"),
            ("3x1", "4x1", "3x1"),  # aces after aces: more of them (S4)
        ],
    )
    def test_ace_conversion(self, bid: str, enough: str, too_few: str) -> None:
        table = after("santaba", bid)
        table.may(f"B: {enough}")
        table.may_not(f"B: {too_few}")

    def test_the_two_formulas_of_the_text(self) -> None:
        for bid in range(1, 15):
            into = (bid + 1) // 2
            table = after("santaba", f"{bid}x5")
            table.may(f"B: {into}x1 {into + 1}x1")  # a minimum (S3)
            table.may_not(f"B: {into - 1}x1")
            back = after("santaba", f"{bid}x1")
            back.may(f"B: {2 * bid + 1}x2 {2 * bid + 1}x6")  # any other face is higher (S2)
            back.may_not(f"B: {2 * bid}x2 {2 * bid}x6")

    def test_no_limit_on_conversions(self) -> None:
        table = opening("santaba")
        table.play("A: 1x2", "B: 1x1", "C: 3x2", "D: 2x1", "E: 5x6", "F: 3x1", "A: 7x2", "B: 4x1")

    def test_no_opening_on_aces(self) -> None:
        table = opening("santaba")
        table.may("A: 1x2 5x6")
        table.may_not("A: 1x1 5x1")

    @pytest.mark.parametrize(
        ("c", "twos"),
        [("2 2 4 4 4", 8), ("3 2 2 4 4", 8), ("3 2 4 4 4", 7)],  # five of the six printed dice
    )
    def test_example_3_integrating_ace_bids(self, c: str, twos: int) -> None:
        table = Table("santaba", "A: 2 2 6 6 1", "B: 2 5 5 1 1", f"C: {c}")
        table.play("A: 2x6")
        table.play("B: 3x5")
        table.play("C: 4x5")  # the text calls it raising the face; it is the quantity that rises
        table.play("A: 5x2")
        table.play("B: 3x1")  # half of five, rounded up
        table.play("C: 7x2")  # twice three and one more
        table.play("A: doodoo")
        table.ends(count=twos, loses="A", opens="A")

    def test_example_3_could_have_supported_eight_twos(self) -> None:
        a, b, c = "2 2 6 6 1", "2 5 5 1 1", "3 2 2 4 4 4"
        twos_without_aces, aces = showing(2, a, b, c, wild=False), showing(1, a, b, c)
        assert (twos_without_aces, aces, showing(2, a, b, c)) == (5, 3, 8)

    def test_who_may_call_calzone(self) -> None:
        """Whoever has just lost a die and has one left: before any bid, and only if he likes."""
        table = Table("santaba", "A: 2 2 1", "B: 2", "C: 3 3")
        table.play("A: 2x2", "B: 3x2", "C: 6x2", "A: doodoo")
        table.ends(count=4, loses="C", opens="C", next_round="may")
        table.may("C: calzone 1x2")
        table.may_not("C: 1x1")
        table.play("C: 1x2")  # no Calzone
        assert table.game.palifico == "no"

    def test_in_a_calzone_round_the_opener_may_bid_aces(self) -> None:
        table = Table("santaba", "A: 2 2 1", "B: 2", "C: 3", opens="C", palifico="may")
        table.play("C: calzone")
        table.may("C: 1x1 5x1 1x2")
        table.may_not("C: calzone")

    # Examples 4 and 5 have the turns C, B, C, A, which three people cannot take in either direction.
    # Here C opens one lower and A says what the text has C open with; then B, C and A follow as printed.

    def test_example_4_calzone_rounds(self) -> None:
        table = Table("santaba", "A: 2 2 1", "B: 2", "C: 3", opens="C", palifico="may")
        table.play("C: calzone")
        table.play("C: 1x3", "A: 2x3")
        table.play("B: 3x2")  # changes the face, having one die
        # The text says that C "must follow the face value"; by its own rules C, with one die, need not.
        table.may("C: 3x3 4x1 4x2 4x6")
        table.play("C: 4x2")
        table.play("A: doodoo")
        # A's ace is not wild. The text then lets C, who has lost the only die, start the next round:
        # C is out, and the next player starts.
        table.ends(count=3, loses="C", out="C", opens="A")

    def test_example_5_making_a_tabba(self) -> None:
        table = Table("santaba", "A: 2 2 2 2 1", "B: 2", "C: 3", opens="C", palifico="may")
        table.play("C: calzone")
        table.play("C: 1x3", "A: 2x3")
        table.play("B: 3x2")  # one die: may change the face
        table.play("C: 3x3")  # so may C
        table.may("A: 4x3 doodoo")
        table.may_not("A: 4x2")  # and yet it can be said:
        table.play("A: 4x2")
        assert table.who_may("tabba") == "BC"
        table.play("B: tabba")
        table.ends(count=None, loses="A", opens="A")  # no dice are counted
        assert table.dice("A") == 4

    def test_a_tabba_that_nobody_calls_stands(self) -> None:
        table = Table("santaba", "A: 2 2 2 2 1", "B: 2", "C: 3", opens="C", palifico="may")
        table.play("C: calzone", "C: 3x3", "A: 4x2", "B: 5x2", "C: doodoo")
        table.ends(count=5, loses="C", out="C", opens="A")

    @pytest.mark.parametrize(
        ("third", "twos", "right"),
        [("6 6 6 5", 3, True), ("6 6 6 2", 4, False), ("6 6 6 1", 4, False)],
    )
    def test_jonti_is_right_on_exactly_three_twos(self, third: str, twos: int, right: bool) -> None:
        """A bids 3x2; the text has "Player B" call, who must not be the next one (S5): here it is C."""
        table = Table("santaba", "A: 2 2 3 4", "B: 1 4 5 6", f"C: {third}")
        table.play("A: 3x2", "C: jonti")
        table.ends(count=twos, opens="C", gains="C" if right else "", loses="" if right else "C")

    def test_who_may_call_jonti(self) -> None:
        three = Table("santaba", "A: 2 2 2", "B: 3 3 3", "C: 4 4 4")
        three.play("A: 2x2")
        assert three.who_may("jonti") == "C"  # not the next player
        two = Table("santaba", "A: 2 2 2", "B: 3 3 3")
        two.play("A: 2x2")
        assert two.who_may("jonti") == ""  # never with two
        full = Table("santaba", "A: 2 2 2", "B: 3 3 3", "C: 4 4 4 4 4", "D: 5")
        full.play("A: 2x2")
        assert full.who_may("jonti") == "D"  # C has all five dice (S6)
        full.play("B: 3x2")
        assert full.who_may("jonti") == "AD"  # only before the next bid, now on B's

    def test_example_6_jonti(self) -> None:
        # B's dice are "one Two" in words and 2 x 2 in numbers; the numbers make the five dice.
        table = Table("santaba", "A: 2 2 1", "B: 2 2 1 1 1", "C: 3 5 5 5 5")
        table.play("A: 3x6")
        table.play("B: 4x6")
        table.play("A: jonti")  # A sits before B: only C, the next player, could not call
        table.ends(count=4, gains="A", opens="A")  # no sixes, and four aces
        assert table.dice("A") == 4


# ====================================================================================================
# standard: the dice-app site's "How to Play Perudo"
# ====================================================================================================


class TestStandard:
    def test_seven_are_there_and_three_were_bid(self) -> None:
        """A bid is never an exact claim."""
        table = Table("standard", "A: 4 4 4 2 6", "B: 4 1 1 3 5", "C: 4 2 3 5 6")
        table.play("A: 3x4", "B: dudo")
        table.ends(count=7, loses="B", opens="B")

    def test_the_two_ways_to_raise(self) -> None:
        table = after("standard", "3x4")
        table.may("B: 4x2 3x5 dudo")
        table.may_not("B: 3x2 2x6")

    def test_bids_on_ones_are_bids_like_any_other(self) -> None:
        """The text has no word about them (D1)."""
        opening("standard").may("A: 1x1 4x1")
        after("standard", "3x6").may("B: 4x1")
        after("standard", "3x6").may_not("B: 3x1 2x1")
        after("standard", "3x1").may("B: 3x2 4x1")

    def test_two_fives_and_two_ones_are_four_fives(self) -> None:
        assert showing(5, "5 1 2", "5 1 3") == 4

    @pytest.mark.parametrize(("a", "count", "loser"), [("3 3 1 6 6", 3, "D"), ("3 3 2 6 6", 2, "C")])
    def test_a_typical_exchange(self, a: str, count: int, loser: str) -> None:
        """Players 1 to 4; the text gives no dice, so here both ways it could end."""
        table = Table("standard", f"A: {a}", "B: 3 2 2 4 6", "C: 5 5 2 4 6", "D: 2 4 4 6 6")
        table.play("A: 2x3", "B: 3x3", "C: 3x5", "D: dudo")
        table.ends(count=count, loses=loser, opens=loser)

    def test_only_the_player_on_turn_may_challenge(self) -> None:
        table = opening("standard")
        table.may_not("A: dudo")
        table.play("A: 3x4")
        assert table.who_may("dudo") == "B"

    def test_who_loses_the_last_die_sits_out_and_the_next_opens(self) -> None:
        table = Table("standard", "A: 2 3 4", "B: 6", "C: 5 5 5")
        table.play("A: 1x2", "B: dudo")
        table.ends(count=1, loses="B", out="B", opens="C")  # who opens is D4

    def test_palifico_follows_when_a_player_is_knocked_down_to_one_die(self) -> None:
        table = Table("standard", "A: 4 4", "B: 1 4 1", "C: 4 2 6")
        table.play("A: 1x4", "B: 2x4", "C: 8x4", "A: dudo")
        table.ends(count=6, loses="C", opens="C")  # two dice left
        table = Table("standard", "A: 4 4", "B: 1 4 1", "C: 4 2 6")
        table.play("A: 8x4", "B: dudo")
        table.ends(count=6, loses="A", opens="A", next_round="yes")

    def test_a_palifico_round(self) -> None:
        """Ones are not wild, and the face of the opening bid is locked for everybody."""
        table = Table("standard", "A: 4", "B: 1 4 1", "C: 4 2 6", palifico="yes")
        table.may("A: 1x1 1x4")  # the opener picks the face
        table.play("A: 2x4")
        table.may("B: 3x4 7x4 dudo")
        table.may_not("B: 3x5 2x5 2x4 1x1")
        table.play("B: 3x4", "C: 4x4")
        table.may_not("A: 5x3 4x5")  # A's one die is no exception
        table.play("A: dudo")
        table.ends(count=3, loses="C", opens="C")

    def test_without_agreement_there_is_no_calza(self) -> None:
        table = opening("standard")
        table.play("A: 3x4")
        assert table.who_may("calza") == ""

    @pytest.mark.parametrize(
        ("b", "count", "change"), [("3 2", 3, "gains"), ("3 1", 4, "loses"), ("2 2", 2, "loses")]
    )
    def test_calza_where_it_is_agreed_on(self, b: str, count: int, change: str) -> None:
        table = Table("standard", "A: 3 1 5", f"B: {b}", "C: 6 6 6", calza="turn")
        table.play("A: 3x3")
        assert table.who_may("calza") == "B"  # instead of raising or doubting (D5)
        table.play("B: calza")
        knocked_down = "yes" if change == "loses" else "no"
        if change == "gains":
            table.ends(count=count, gains="B", opens="B", next_round=knocked_down)
        else:
            table.ends(count=count, loses="B", opens="B", next_round=knocked_down)

    def test_calza_never_leads_past_the_starting_five(self) -> None:
        table = Table("standard", "A: 3 1 5 6 6", "B: 3 2 2 4 4", calza="turn")
        table.play("A: 3x3", "B: calza")
        table.ends(count=3, opens="B")
        assert table.dice("B") == 5

    def test_the_last_player_holding_dice_wins(self) -> None:
        table = Table("standard", "A: 2", "B: 3")
        table.play("A: 1x2", "B: dudo")
        assert table.game.over
        assert table.game.places == [1, 2]


# ====================================================================================================
# pacos: the Pacos text (Pacos are ones)
# ====================================================================================================


class TestPacos:
    def test_eight_sixes_may_open_but_no_pacos(self) -> None:
        table = opening("pacos")
        table.may("A: 8x6 8x5 1x2")
        table.may_not("A: 8x1 1x1")

    def test_the_hand_of_two_fours_two_pacos_and_a_five(self) -> None:
        """Four fours, three fives, two of the values it does not have (P6)."""
        hand = "4 4 1 1 5"
        assert [showing(face, hand) for face in (4, 5, 2, 3, 6)] == [4, 3, 2, 2, 2]
        assert showing(1, hand) == 2

    def test_the_blue_player_announces_eight_fives(self) -> None:
        table = Table("pacos", "A: 5 5 1 1 2", "B: 5 3 3 4 1", "C: 5 1 6 6 2")
        table.play("A: 8x5", "B: dudo")
        table.ends(count=8, loses="B", opens="B")

    def test_outbidding_eight_fours(self) -> None:
        table = after("pacos", "8x4")
        table.may("B: 9x4")  # more dice
        table.may("B: 8x5")  # a higher value
        table.may("B: 9x2 9x6")  # more dice of any value (P2)
        table.may_not("B: 8x4 8x3 7x5 7x6")  # fewer dice never (P3)

    def test_out_of_nine_fours_five_pacos(self) -> None:
        table = after("pacos", "9x4")
        table.may("B: 5x1 6x1")  # 9 / 2 = 4.5, so five at least
        table.may_not("B: 4x1")

    def test_on_five_pacos_eleven_threes(self) -> None:
        table = after("pacos", "5x1")
        table.may("B: 11x3 12x3")  # 5 x 2 and one more, at least (P4)
        table.may_not("B: 10x3")
        table.may("B: 6x1")  # more Pacos
        table.may_not("B: 5x1")

    def test_the_orange_player_doubts_ten_fives(self) -> None:
        """The text ends here; a surviving fragment has exactly ten fives, so orange loses a die (P5)."""
        people = ["A: 5 5 1 1 2", "B: 5 5 1 3 3", "C: 5 5 1 4 4", "D: 2 3 4 6 6"]
        table = Table("pacos", *people)
        table.play("A: 8x5", "B: 9x5", "C: 10x5")
        table.play("D: dudo")  # orange, without a five
        table.ends(count=10, loses="D", opens="D")

    def test_had_there_been_nine_the_bidder_would_have_lost(self) -> None:
        people = ["A: 5 5 1 1 2", "B: 5 5 1 3 3", "C: 5 1 4 4 4", "D: 2 3 4 6 6"]
        table = Table("pacos", *people)
        table.play("A: 8x5", "B: 9x5", "C: 10x5", "D: dudo")
        table.ends(count=9, loses="C", opens="C")

    def test_palifico_as_its_relatives_have_it(self) -> None:
        """Only the number of dice can rise, the opener may bet on Pacos, Pacos are no jokers (P5)."""
        table = Table("pacos", "A: 4", "B: 1 4 1", "C: 4 2 6", palifico="yes")
        table.may("A: 1x1 2x4")
        table.play("A: 2x4")
        table.may("B: 3x4")
        table.may_not("B: 2x5 3x5 1x1")
        table.play("B: 4x4", "C: dudo")
        table.ends(count=3, loses="B", opens="B")


# ====================================================================================================
# palafico: "Peruvian Liars Dice", University Games style
# ====================================================================================================


class TestPalafico:
    def test_six_fives_without_a_five(self) -> None:
        """Players may bluff; here the others have them."""
        table = Table("palafico", "A: 2 2 3 3 4", "B: 5 5 1 1 6", "C: 5 5 3 2 2")
        table.play("A: 6x5", "B: dudo")
        table.ends(count=6, loses="B", opens="B")

    def test_nobody_may_pass(self) -> None:
        table = opening("palafico")
        table.may_not("A: pass dudo")  # the first player bids
        table.play("A: 3x4")
        table.may("B: dudo 4x4")
        table.may_not("B: pass")

    def test_the_three_ways_to_increase(self) -> None:
        table = after("palafico", "3x4")
        table.may("B: 4x4 5x4")  # 1) a higher quantity of the same number
        table.may("B: 3x5 3x6")  # 2) a higher number
        table.may("B: 4x5 9x6")  # 3) both higher
        table.may_not("B: 4x3 5x2")  # the number never falls
        table.may_not("B: 2x5 2x6")  # nor does the quantity (L1)
        table.may_not("B: 3x4 3x3")

    def test_dudo_only_to_the_player_on_your_right(self) -> None:
        table = opening("palafico")
        table.play("A: 3x4")
        assert table.who_may("dudo") == "B"

    def test_a_total_equal_to_the_bid_is_enough(self) -> None:
        for bid, loser in (("3x4", "B"), ("4x4", "B"), ("5x4", "A")):
            table = Table("palafico", "A: 4 4 2 2 3", "B: 4 1 3 3 6", "C: 2 2 3 5 6")
            table.play(f"A: {bid}", "B: dudo")
            table.ends(count=4, loses=loser, opens=loser)  # aces are wild (L3)

    def test_who_is_out_leaves_the_first_bid_to_his_left(self) -> None:
        table = Table("palafico", "A: 2 3 4", "B: 6", "C: 5 5 5")
        table.play("A: 1x2", "B: dudo")
        table.ends(count=1, loses="B", out="B", opens="C")

    def test_aces_are_half_rounded_up(self) -> None:
        table = after("palafico", "7x3")
        table.may("B: 4x1 5x1")  # at least half (L2)
        table.may_not("B: 3x1")
        opening("palafico").may_not("A: 1x1 3x1")

    def test_after_aces_more_aces_or_double_plus_one(self) -> None:
        table = after("palafico", "4x1")
        table.may("B: 5x1 9x2 9x6 dudo")
        table.may_not("B: 4x1 8x2 8x6")

    def test_a_doubted_bid_of_aces_counts_aces(self) -> None:
        table = Table("palafico", "A: 2 2 3 3 4", "B: 1 1 5 5 6", "C: 1 2 3 4 5")
        table.play("A: 6x3", "B: 3x1", "C: dudo")
        table.ends(count=3, loses="C", opens="C")

    def test_who_loses_the_fourth_die_is_palafico_and_starts(self) -> None:
        table = Table("palafico", "A: 2 3", "B: 5 5 5", "C: 6 6")
        table.play("A: 5x2", "B: dudo")
        table.ends(count=1, loses="A", opens="A", next_round="yes")
        table.may("A: 1x1 1x5")  # the only time that a round may start on aces

    def test_a_palafico_round(self) -> None:
        """A is Palafico for the first time, C has been before, B never was."""
        table = Table("palafico", "A: 4", "B: 2 4 1", "C: 2", palifico="yes", former="AC")
        table.play("A: 1x4")
        table.may("B: 2x4 dudo")
        table.may_not("B: 2x5 1x5 1x1")  # the same number, more dice; aces are no way out (L6)
        table.play("B: 2x4")
        table.may("C: 3x4 3x2 3x6 3x1")  # a former Palafico: any number, but more dice (L4)
        table.may_not("C: 2x5 2x6 2x4 1x1")
        table.play("C: 3x2")
        table.may("A: 4x2 4x6")  # the present Palafico is none of "the rest" (L5)
        table.play("A: 4x2")
        table.may_not("B: 5x4 4x4")  # others bid the number that stands
        table.play("B: dudo")
        table.ends(count=2, loses="A", out="A", opens="B")  # B's ace is not wild

    def test_not_when_only_two_players_are_left(self) -> None:
        table = Table("palafico", "A: 2 3", "B: 5 5 5")
        table.play("A: 5x2", "B: dudo")
        table.ends(count=1, loses="A", opens="A", next_round="no")  # judged when it would begin (L7)
        table.may_not("A: 1x1")

    def test_the_last_player_left_with_dice_wins(self) -> None:
        table = Table("palafico", "A: 2", "B: 3")
        table.play("A: 1x3", "B: dudo")
        assert table.game.over
        assert table.game.places == [1, 2]
