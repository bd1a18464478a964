// A bot to begin with: fill in call. The rest of the program, in perudo.hpp, talks to the arena.
#include "perudo.hpp"

// The answer to a question: a bid, such as perudo::bid(3, 5), or one of q.words.
//
// As it stands, it doubts a bid of more dice than it has to expect, and else makes the smallest
// bid that it may.
static std::string call(const perudo::Question &q) {
    const int expected = q.count(q.face) + q.unseen() / 3;
    if (q.may("dudo") && q.quantity > expected)
        return "dudo";
    int quantity = 0, face = 0;
    for (int on = 1; on <= 6; ++on) {
        const int least = q.minimum(on);
        if (least > 0 && (quantity == 0 || least < quantity)) {
            quantity = least;
            face = on;
        }
    }
    return quantity > 0 ? perudo::bid(quantity, face) : q.words.at(0);
}

int main() {
    return perudo::run({.name = "template-cpp", .version = "1", .games = 64, .call = call});
}
