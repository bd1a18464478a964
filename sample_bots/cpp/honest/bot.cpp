// Honest bids what its own hand makes likely and doubts what its hand makes unlikely.
//
// It believes its own dice and the binomial distribution for all others, nothing else. Every
// language's honest decides alike, call by call, because the odds are computed with + - * / on
// 64-bit floats in the order below, and no product is ever an operand of a sum (so no compiler
// can fuse the two).
#include "perudo.hpp"

#include <map>
#include <tuple>

using perudo::Question;

constexpr double SURE = 0.75; // it raises the quantity of a bid while that stays as likely as this
constexpr double DOUBT = 0.5; // it doubts what is more likely false than its best bid is true, by more

/// P(exactly k dice count) and P(at least k do), k = 0, 1, 2 ...
struct Odds {
    std::vector<double> exactly, at_least;
};

/// Of `dice` hidden dice each counts with 1/`sides`.
static const Odds &odds(int dice, int sides) {
    static std::map<std::pair<int, int>, Odds> known;
    Odds &odds = known[{dice, sides}];
    if (!odds.exactly.empty())
        return odds;
    double chance = 1.0;
    for (int k = 0; k < dice; ++k)
        chance = chance * (sides - 1) / sides;
    odds.exactly.push_back(chance);
    for (int k = 0; k < dice; ++k) {
        chance = chance * (dice - k) / ((k + 1) * (sides - 1));
        odds.exactly.push_back(chance);
    }
    odds.at_least = odds.exactly;
    for (int k = dice - 1; k >= 0; --k)
        odds.at_least[k] = odds.at_least[k + 1] + odds.exactly[k];
    return odds;
}

/// P(exactly `quantity` dice count for `face`) and P(at least so many), given the own hand.
static std::pair<double, double> likely(const Question &q, int quantity, int face) {
    const int need = quantity - q.count(face);
    if (need > q.unseen())
        return {0.0, 0.0};
    if (need < 0)
        return {0.0, 1.0};
    const auto &[exactly, at_least] = odds(q.unseen(), q.wild == 0 || q.wild == face ? 6 : 3);
    return {exactly[need], need > 0 ? at_least[need] : 1.0};
}

/// Tabba and palifico whenever offered; else the best of bid, dudo and calza.
static std::string decide(const Question &q) {
    for (const char *word : {"tabba", "palifico"})
        if (q.may(word))
            return word;
    auto [exact, is_true] = q.quantity > 0 ? likely(q, q.quantity, q.face) : std::pair(0.0, 1.0);
    if (!q.may("calza"))
        exact = 0.0;
    if (q.may("pass"))
        return exact > 0.5 ? "calza" : "pass";

    // On each face the highest quantity it is sure of, or else the lowest; of these the likeliest,
    // then the highest quantity, then the highest face.
    std::tuple<double, int, int> best{-1.0, 0, 0};
    for (int face = 1; face <= 6; ++face) {
        int quantity = q.minimum(face);
        if (quantity == 0)
            continue;
        while (quantity < q.max_quantity && likely(q, quantity + 1, face).second >= SURE)
            ++quantity;
        best = std::max(best, {likely(q, quantity, face).second, quantity, face});
    }
    const auto [chance, quantity, face] = best;

    const double is_false = 1.0 - is_true;
    if (exact > 0.5 && exact > is_false && exact > chance)
        return "calza";
    if (q.may("dudo") && (quantity == 0 || is_false > chance + DOUBT))
        return "dudo";
    return perudo::bid(quantity, face);
}

int main() {
    return perudo::run(
        {.name = "honest-cpp", .version = "1", .games = 64, .out_of_turn = true, .call = decide});
}
