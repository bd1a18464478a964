// What a bot needs to talk to the Perudo Arena; perudo.c is the rest of it.
// Copy both to write a bot of your own; SPEC.md in protocol/ describes every message.
#ifndef PERUDO_H
#define PERUDO_H

#include <stdbool.h>

// Lists are `size` items from `at[0]` on. What is in a message lasts until your function returns.
typedef struct {
    int size;
    const int *at;
} perudo_ints;

typedef struct {
    int size;
    const char *const *at;
} perudo_texts;

// A call as text: see perudo_bid and perudo_word.
typedef struct {
    char text[24];
} perudo_call;

// A call of a seat.
typedef struct {
    int seat;
    const char *call;
} perudo_said;

typedef struct {
    int size;
    const perudo_said *at;
} perudo_calls;

// A round that is over. Hands are empty where nobody showed dice, and then `count` is 0.
typedef struct {
    int round, opener;
    bool palifico;
    int seats;
    const perudo_ints *hands; // of each of the seats
    perudo_calls calls;
    int count;
    perudo_ints dice_after;
} perudo_past;

typedef struct {
    int size;
    const perudo_past *at;
} perudo_pasts;

// An act of an ask: what to call now. Everything needed to answer is in here.
typedef struct {
    int game;
    int seat;         // yours
    perudo_ints dice; // that each seat holds, by seat; 0 = out
    int round;        // from 1
    perudo_ints hand; // your dice, sorted
    bool palifico;
    int wild;            // the face that counts as any other, 0 = none
    int quantity, face;  // of the standing bid, 0 and 0 = there is none
    perudo_calls calls;  // of this round, passes too, oldest first
    int min_quantity[6]; // per face, 1 first; see perudo_minimum
    int max_quantity;    // the dice in play
    perudo_texts words;  // other calls that you may make
    int random;          // the only source of chance to use
    int bank_ms;         // left of the bank in this game
    bool has_min_tabba;
    int min_tabba[6];  // see SPEC.md
    perudo_pasts past; // rounds that ended since the last question
    int time_ms;       // for this call: its share of the time for the whole answer
} perudo_question;

// The rules of a game, option by option as in SPEC.md.
typedef struct {
    const char *name;
    int players[2];
    int dice;
    const char *opener, *bidding_rule, *ace_bids, *palifico, *palifico_change;
    int palifico_min_players;
    const char *tabba, *calza;
    bool calza_at_cap;
    int wild_face;
    const char *loss, *next_opener, *calza_reward;
    bool calza_in_palifico, palifico_once, one_round;
} perudo_ruleset;

// A game begins: your seat in it, the players' names and dice by seat, the rules.
typedef struct {
    int game, seat;
    perudo_texts names;
    const char *commitment;
    perudo_ruleset ruleset;
    perudo_ints dice;
} perudo_start;

// A game is over. Places are by seat, 1 = winner; `fault` is "" unless you forfeited it.
typedef struct {
    int game;
    perudo_ints places;
    const char *fault, *detail;
    perudo_pasts past;
} perudo_end;

// The answer to the hello. Times are in milliseconds, 0 = there is none.
typedef struct {
    const char *name; // of the bot, as the host lists it
    int games;
    const char *arena; // version of its software
    int move_ms, bank_ms, increment_ms;
} perudo_welcome;

// What perudo_run plays. `call` is all that it must have.
typedef struct {
    const char *name;    // as the bot calls itself
    const char *version; // as its author numbers it
    int games;        // most games it plays at once, 1 to 64 (0 is 1); question->game tells them apart
    bool out_of_turn; // whether it wants to be asked when another seat is on turn (calza, tabba)
    bool past;        // whether it wants to be told the rounds that are over

    perudo_call (*call)(const perudo_question *); // a bid, or one of `words`
    void (*welcomed)(const perudo_welcome *);
    void (*started)(const perudo_start *);
    void (*ended)(const perudo_end *);
} perudo_bot;

// Play until the referee says bye. What to end the program with: 0, or 1 where something went
// wrong, or 2 where the arena did not start it.
int perudo_run(const perudo_bot *bot);

// The call that claims `quantity` dice of `face`: perudo_bid(3, 5) is "3x5".
perudo_call perudo_bid(int quantity, int face);

// The call that is a word, such as "dudo".
perudo_call perudo_word(const char *word);

// Whether `call` is a bid, and if so its quantity and face.
bool perudo_parse_bid(const char *call, int *quantity, int *face);

// Dice in play that are not yours.
int perudo_unseen(const perudo_question *q);

// Your own dice that count for a bid on `face` in this round.
int perudo_count(const perudo_question *q, int face);

// The smallest quantity you may bid on `face`, 0 where no bid on it is legal.
int perudo_minimum(const perudo_question *q, int face);

// Whether `word` ("dudo", "calza" ...) is a legal call.
bool perudo_may(const perudo_question *q, const char *word);

// How many legal calls there are, at least 1, and one of them, from 0; words come first. Tabba
// bids are not among them.
int perudo_legal_calls(const perudo_question *q);
perudo_call perudo_legal_call(const perudo_question *q, int number);

#endif
