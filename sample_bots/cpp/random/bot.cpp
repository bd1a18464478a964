// The smallest bot: any legal call, all equally likely.
#include "perudo.hpp"

static std::string call(const perudo::Question &q) {
    const auto calls = q.legal_calls();
    return calls[static_cast<std::size_t>(q.random) % calls.size()];
}

int main() {
    return perudo::run({.name = "random-cpp", .games = 64, .call = call});
}
