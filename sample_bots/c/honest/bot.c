// Honest bids what its own hand makes likely and doubts what its hand makes unlikely.
//
// It believes its own dice and the binomial distribution for all others, nothing else. Every
// language's honest decides alike, call by call, because the odds are computed with + - * / on
// 64-bit floats in the order below, and no product is ever an operand of a sum (so no compiler
// can fuse the two).
#include "perudo.h"

#include <float.h>

_Static_assert(FLT_EVAL_METHOD == 0, "doubles are computed as doubles; on old x86: -msse2 -mfpmath=sse");

#define SURE 0.75 // it raises the quantity of a bid while the bid stays at least as likely as this
#define DOUBT 0.5 // it doubts what is more likely false than its best bid is true, by more than this
#define DICE 1000 // more than any table has

// P(exactly k dice count) and P(at least k do), k = 0, 1, 2 ...
static double exactly[DICE + 1], at_least[DICE + 1];

// Of `dice` hidden dice each counts with 1/`sides`.
static void odds(int dice, int sides) {
    static int known_dice = -1, known_sides;
    if (dice == known_dice && sides == known_sides)
        return;
    known_dice = dice;
    known_sides = sides;
    double chance = 1.0;
    for (int k = 0; k < dice; k++)
        chance = chance * (sides - 1) / sides;
    exactly[0] = chance;
    for (int k = 0; k < dice; k++) {
        chance = chance * (dice - k) / ((k + 1) * (sides - 1));
        exactly[k + 1] = chance;
    }
    at_least[dice] = exactly[dice];
    for (int k = dice - 1; k >= 0; k--)
        at_least[k] = at_least[k + 1] + exactly[k];
}

typedef struct {
    double exact, at_least;
} likelihood;

// P(exactly `quantity` dice count for `face`) and P(at least so many), given the own hand.
static likelihood likely(const perudo_question *q, int quantity, int face) {
    int unseen = perudo_unseen(q), need = quantity - perudo_count(q, face);
    if (need > unseen || unseen > DICE)
        return (likelihood){0.0, 0.0};
    if (need < 0)
        return (likelihood){0.0, 1.0};
    odds(unseen, q->wild == 0 || q->wild == face ? 6 : 3);
    return (likelihood){exactly[need], need > 0 ? at_least[need] : 1.0};
}

// Tabba and palifico whenever offered; else the best of bid, dudo and calza.
static perudo_call decide(const perudo_question *q) {
    if (perudo_may(q, "tabba"))
        return perudo_word("tabba");
    if (perudo_may(q, "palifico"))
        return perudo_word("palifico");
    likelihood standing = q->quantity > 0 ? likely(q, q->quantity, q->face) : (likelihood){0.0, 1.0};
    double exact = perudo_may(q, "calza") ? standing.exact : 0.0;
    if (perudo_may(q, "pass"))
        return perudo_word(exact > 0.5 ? "calza" : "pass");

    // On each face the highest quantity it is sure of, or else the lowest; of these the likeliest,
    // then the highest quantity, then the highest face.
    double best = -1.0;
    int most = 0, on = 0;
    for (int face = 1; face <= 6; face++) {
        int quantity = perudo_minimum(q, face);
        if (quantity == 0)
            continue;
        while (quantity < q->max_quantity && likely(q, quantity + 1, face).at_least >= SURE)
            quantity++;
        double chance = likely(q, quantity, face).at_least;
        if (chance > best || (chance == best && quantity >= most)) {
            best = chance;
            most = quantity;
            on = face;
        }
    }

    double is_false = 1.0 - standing.at_least;
    if (exact > 0.5 && exact > is_false && exact > best)
        return perudo_word("calza");
    if (perudo_may(q, "dudo") && (most == 0 || is_false > best + DOUBT))
        return perudo_word("dudo");
    return perudo_bid(most, on);
}

int main(void) {
    return perudo_run(&(perudo_bot){
        .name = "honest-c", .version = "1", .games = 64, .out_of_turn = true, .call = decide});
}
