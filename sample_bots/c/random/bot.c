// The smallest bot: any legal call, all equally likely.
#include "perudo.h"

static perudo_call call(const perudo_question *q) {
    return perudo_legal_call(q, q->random % perudo_legal_calls(q));
}

int main(void) {
    return perudo_run(&(perudo_bot){.name = "random-c", .games = 64, .call = call});
}
