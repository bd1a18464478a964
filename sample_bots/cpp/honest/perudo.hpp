// The conversation with the referee: hello, welcome, then an answer to every ask until bye.
// Copy this file to write a bot of your own; SPEC.md in protocol/ describes every message.
#pragma once

#define MSGPACK_NO_BOOST // the msgpack headers alone
#include <msgpack.hpp>
#include <zmq.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Each MSGPACK_DEFINE_MAP lists the keys of a map of the wire; keys that it does not list are skipped.
namespace perudo {

/// The call that claims `quantity` dice of `face`: bid(3, 5) is "3x5".
inline std::string bid(int quantity, int face) {
    return std::to_string(quantity) + "x" + std::to_string(face);
}

/// Quantity and face of a call that is a bid, 0 and 0 for any other call.
inline std::pair<int, int> parse_bid(const std::string &call) {
    int quantity = 0, face = 0;
    if (std::sscanf(call.c_str(), "%dx%d", &quantity, &face) != 2)
        return {0, 0};
    return {quantity, face};
}

/// A seat and what it called.
using Said = std::pair<int, std::string>;

/// A round that is over. Hands are empty where nobody showed dice, and then `count` is 0.
struct Past {
    int round = 0;
    int opener = 0;
    bool palifico = false;
    std::vector<std::vector<int>> hands;
    std::vector<Said> calls;
    int count = 0;
    std::vector<int> dice_after;
    MSGPACK_DEFINE_MAP(round, opener, palifico, hands, calls, count, dice_after)
};

/// An act of an ask: what to call now. Everything needed to answer is in here.
struct Question {
    int game = 0;
    int seat = 0;          // yours
    std::vector<int> dice; // that each seat holds, by seat; 0 = out
    int round = 0;         // from 1
    std::vector<int> hand; // your dice, sorted
    bool palifico = false;
    int wild = 0;     // the face that counts as any other, 0 = none
    int quantity = 0; // of the standing bid, 0 = there is none
    int face = 0;
    std::vector<Said> calls;                   // of this round, passes too, oldest first
    std::vector<int> min_quantity;             // per face, 1 first; see minimum()
    int max_quantity = 0;                      // the dice in play
    std::vector<std::string> words;            // other calls that you may make
    int random = 0;                            // the only source of chance to use
    int bank_ms = 0;                           // left of the bank in this game
    std::optional<std::vector<int>> min_tabba; // see SPEC.md
    std::vector<Past> past;                    // rounds that ended since the last question
    MSGPACK_DEFINE_MAP(game, seat, dice, round, hand, palifico, wild, quantity, face, calls,
                       min_quantity, max_quantity, words, random, bank_ms, min_tabba, past)

    int time_ms = 0; // for this call: its share of the time for the whole answer

    /// Dice in play that are not yours.
    int unseen() const { return max_quantity - static_cast<int>(hand.size()); }

    /// Your own dice that count for a bid on `on` in this round.
    int count(int on) const {
        return static_cast<int>(
            std::count_if(hand.begin(), hand.end(), [&](int die) { return die == on || die == wild; }));
    }

    /// The smallest quantity you may bid on `on`, 0 where no bid on it is legal.
    int minimum(int on) const {
        const int least = min_quantity.at(on - 1);
        return least <= max_quantity ? least : 0;
    }

    /// Whether `word` ("dudo", "calza" ...) is a legal call.
    bool may(const std::string &word) const {
        return std::find(words.begin(), words.end(), word) != words.end();
    }

    /// Everything you may answer, words first; never empty. Without tabba bids.
    std::vector<std::string> legal_calls() const {
        std::vector<std::string> legal = words;
        for (int on = 1; on <= 6; ++on)
            for (int n = min_quantity.at(on - 1); n <= max_quantity; ++n)
                legal.push_back(bid(n, on));
        return legal;
    }
};

/// The rules of a game, option by option as in SPEC.md.
struct Ruleset {
    std::string name;
    std::vector<int> players;
    int dice = 0;
    std::string opener;
    std::string bidding_rule;
    std::string ace_bids;
    std::string palifico;
    std::string palifico_change;
    int palifico_min_players = 0;
    std::string tabba;
    std::string calza;
    bool calza_at_cap = false;
    int wild_face = 0;
    std::string loss;
    std::string next_opener;
    std::string calza_reward;
    bool calza_in_palifico = false;
    bool palifico_once = false;
    bool one_round = false;
    MSGPACK_DEFINE_MAP(name, players, dice, opener, bidding_rule, ace_bids, palifico, palifico_change,
                       palifico_min_players, tabba, calza, calza_at_cap, wild_face, loss, next_opener,
                       calza_reward, calza_in_palifico, palifico_once, one_round)
};

/// A game begins: your seat in it, the players' names and dice by seat, the rules.
struct Start {
    int game = 0;
    int seat = 0;
    std::vector<std::string> names;
    std::string commitment;
    Ruleset ruleset;
    std::vector<int> dice;
    MSGPACK_DEFINE_MAP(game, seat, names, commitment, ruleset, dice)
};

/// A game is over. Places are by seat, 1 = winner; `fault` is "" unless you forfeited it.
struct End {
    int game = 0;
    std::vector<int> places;
    std::string fault;
    std::string detail;
    std::vector<Past> past;
    MSGPACK_DEFINE_MAP(game, places, fault, detail, past)
};

/// The answer to the hello. Times are in milliseconds, 0 = there is none.
struct Welcome {
    std::string type;
    int protocol = 0;
    std::string name; // of the bot, as the host lists it
    int games = 0;
    std::string arena; // version of its software
    int move_ms = 0;
    int bank_ms = 0;
    int increment_ms = 0;
    MSGPACK_DEFINE_MAP(type, protocol, name, games, arena, move_ms, bank_ms, increment_ms)
};

/// What run() plays. `call` is all that it must have.
struct Bot {
    std::string name{};       // as the bot calls itself
    std::string version{};    // as its author numbers it
    int games = 1;            // most games it plays at once, 1 to 64; Question::game tells them apart
    bool out_of_turn = false; // whether it wants to be asked when another seat is on turn
    bool past = false;        // whether it wants to be told the rounds that are over

    /// The call: a bid such as "3x5", or one of `words`.
    std::function<std::string(const Question &)> call{};
    std::function<void(const Welcome &)> welcomed{};
    std::function<void(const Start &)> started{};
    std::function<void(const End &)> ended{};
};

// -- the conversation -----------------------------------------------------------------------------

struct Hello {
    std::string type, token, name, version, language;
    int protocol = 1, games = 1;
    bool out_of_turn = false, past = false;
    MSGPACK_DEFINE_MAP(type, protocol, token, name, version, language, games, out_of_turn, past)
};

struct Ask {
    std::string type;
    int id = 0;
    int time_ms = 0;
    std::vector<Question> acts;
    std::vector<Start> starts;
    std::vector<End> ends;
    MSGPACK_DEFINE_MAP(type, id, time_ms, acts, starts, ends)
};

struct Answer {
    std::string type;
    int id = 0;
    std::vector<std::string> calls;
    MSGPACK_DEFINE_MAP(type, id, calls)
};

/// Refused and bye; what tells apart all other messages, too.
struct Notice {
    std::string type, reason;
    MSGPACK_DEFINE_MAP(type, reason)
};

inline Hello hello(const Bot &bot, const std::string &token, const std::string &language) {
    Hello hello;
    hello.type = "hello";
    hello.token = token;
    hello.name = bot.name;
    hello.version = bot.version;
    hello.language = language;
    hello.games = bot.games;
    hello.out_of_turn = bot.out_of_turn;
    hello.past = bot.past;
    return hello;
}

/// The answer to an ask: what ended, then what begins, then a call for every act.
inline Answer reply(const Bot &bot, Ask &ask) {
    if (bot.ended)
        std::for_each(ask.ends.begin(), ask.ends.end(), bot.ended);
    if (bot.started)
        std::for_each(ask.starts.begin(), ask.starts.end(), bot.started);
    Answer answer{"answer", ask.id, {}};
    for (Question &question : ask.acts) {
        question.time_ms = ask.time_ms / static_cast<int>(ask.acts.size());
        answer.calls.push_back(bot.call(question));
    }
    return answer;
}

template <class Message> void send(zmq::socket_t &socket, const Message &message) {
    msgpack::sbuffer bytes;
    msgpack::pack(bytes, message);
    socket.send(zmq::buffer(bytes.data(), bytes.size()));
}

inline zmq::message_t receive(zmq::socket_t &socket) {
    for (;;) {
        try {
            zmq::message_t frame;
            if (socket.recv(frame))
                return frame;
        } catch (const zmq::error_t &error) {
            if (error.num() != EINTR) // a signal
                throw;
        }
    }
}

inline void play(const Bot &bot, const std::string &endpoint, const std::string &token) {
    zmq::context_t context;
    zmq::socket_t socket(context, zmq::socket_type::dealer);
    socket.set(zmq::sockopt::linger, 100);
    socket.connect(endpoint);
    send(socket, hello(bot, token, "C++20"));
    for (;;) {
        const zmq::message_t frame = receive(socket);
        const auto message = msgpack::unpack(static_cast<const char *>(frame.data()), frame.size());
        const auto [type, reason] = message->as<Notice>();
        if (type == "refused")
            throw std::runtime_error("the arena refused the bot: " + reason);
        if (type == "bye")
            return;
        if (type == "welcome" && bot.welcomed)
            bot.welcomed(message->as<Welcome>());
        if (type == "ask") {
            Ask ask = message->as<Ask>();
            send(socket, reply(bot, ask));
        }
    }
}

/// Play until the referee says bye. What to end the program with: 0, or 1 where something went
/// wrong, or 2 where the arena did not start it.
inline int run(const Bot &bot) {
    const char *endpoint = std::getenv("ARENA_ENDPOINT");
    const char *token = std::getenv("ARENA_TOKEN");
    if (endpoint == nullptr || *endpoint == '\0') {
        std::cerr << "a bot is started by the arena, which tells it ARENA_ENDPOINT and ARENA_TOKEN\n";
        return 2;
    }
    try {
        play(bot, endpoint, token == nullptr ? "" : token);
    } catch (const std::exception &error) {
        std::cerr << "perudo: " << error.what() << "\n";
        return 1;
    }
    return 0;
}

} // namespace perudo
