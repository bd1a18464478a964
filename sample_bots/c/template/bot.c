// A bot to begin with: fill in call. The rest of the program, in perudo.c, talks to the arena.
#include "perudo.h"

// The answer to a question: a bid, such as perudo_bid(3, 5), or a word, such as perudo_word("dudo").
//
// As it stands, it doubts a bid of more dice than it has to expect, and else makes the smallest
// bid that it may.
static perudo_call call(const perudo_question *q) {
    int expected = perudo_count(q, q->face) + perudo_unseen(q) / 3;
    if (perudo_may(q, "dudo") && q->quantity > expected)
        return perudo_word("dudo");
    int quantity = 0, face = 0;
    for (int on = 1; on <= 6; on++) {
        int least = perudo_minimum(q, on);
        if (least > 0 && (quantity == 0 || least < quantity)) {
            quantity = least;
            face = on;
        }
    }
    return quantity > 0 ? perudo_bid(quantity, face) : perudo_word(q->words.at[0]);
}

int main(void) {
    return perudo_run(&(perudo_bot){.name = "template-c", .version = "1", .games = 64, .call = call});
}
