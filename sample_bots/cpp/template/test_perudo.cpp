// perudo.hpp reads every message of protocol/vectors. Run with make test.
#include "perudo.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace {

int failures = 0;

void check(bool holds, const std::string &what) {
    if (!holds) {
        std::cerr << "failed: " << what << "\n";
        ++failures;
    }
}

std::string contents(const std::filesystem::path &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string without(std::string text, const std::string &part) {
    for (std::size_t at; (at = text.find(part)) != std::string::npos;)
        text.erase(at, part.size());
    return text;
}

/// JSON without the spaces and line ends between its parts, and without lists named "past" that
/// are empty: perudo.hpp does not tell them from those that are not there.
std::string compact(const std::string &json) {
    std::string text;
    bool quoted = false;
    for (const char letter : json) {
        if (letter == '"')
            quoted = !quoted;
        if (quoted || (letter != ' ' && letter != '\n'))
            text += letter;
    }
    return without(text, ",\"past\":[]");
}

/// A value as text, after it was written as msgpack.
template <class Value> std::string again(const Value &value) {
    msgpack::sbuffer bytes;
    msgpack::pack(bytes, value);
    std::ostringstream text;
    text << msgpack::unpack(bytes.data(), bytes.size()).get();
    return without(compact(text.str()), ",\"min_tabba\":null");
}

template <class Value> Value read(const std::string &bytes) {
    return msgpack::unpack(bytes.data(), bytes.size())->as<Value>();
}

template <class Value> std::string written(const Value &value) {
    msgpack::sbuffer bytes;
    msgpack::pack(bytes, value);
    return {bytes.data(), bytes.size()};
}

std::string reread(const std::string &bytes) {
    const std::string type = read<perudo::Notice>(bytes).type;
    if (type == "hello")
        return again(read<perudo::Hello>(bytes));
    if (type == "welcome")
        return again(read<perudo::Welcome>(bytes));
    if (type == "ask")
        return again(read<perudo::Ask>(bytes));
    if (type == "answer")
        return again(read<perudo::Answer>(bytes));
    return again(read<perudo::Notice>(bytes));
}

void every_vector(const std::filesystem::path &folder) {
    int vectors = 0;
    for (const auto &entry : std::filesystem::directory_iterator(folder)) {
        std::filesystem::path path = entry.path();
        if (path.extension() != ".msgpack")
            continue;
        ++vectors;
        const std::string name = path.stem(), bytes = contents(path);
        std::string wanted = compact(contents(path.replace_extension(".json")));
        if (name == "hello_minimal") // what it leaves out is there when it was read
            wanted.insert(wanted.size() - 1, ",\"name\":\"\",\"version\":\"\",\"language\":\"\","
                                             "\"games\":1,\"out_of_turn\":false,\"past\":false");
        if (name == "refused")
            wanted = without(wanted, ",\"protocol\":1");
        check(reread(bytes) == wanted, name + ": " + reread(bytes) + "\n wanted " + wanted);
    }
    check(vectors >= 20, "there are too few vectors in " + folder.string());
}

void what_is_sent(const std::filesystem::path &folder) {
    const perudo::Bot bot{.name = "me", .version = "1.2", .games = 4, .out_of_turn = true, .past = true};
    const perudo::Hello hello = perudo::hello(bot, "0123456789abcdef", "Cobol");
    check(written(hello) == contents(folder / "hello.msgpack"), "hello");
    for (const char *name : {"answer.msgpack", "answer_batch.msgpack", "answer_empty.msgpack"}) {
        const std::string bytes = contents(folder / name);
        check(written(read<perudo::Answer>(bytes)) == bytes, name);
    }
}

void replies(const std::filesystem::path &folder) {
    std::string heard;
    const perudo::Bot bot{
        .call =
            [&](const perudo::Question &q) {
                heard += " act";
                return q.legal_calls().at(0);
            },
        .started = [&](const perudo::Start &) { heard += " start"; },
        .ended = [&](const perudo::End &) { heard += " end"; },
    };
    const std::pair<const char *, const char *> asks[] = {{"ask_first.msgpack", " start act"},
                                                          {"ask_ends.msgpack", " end end"},
                                                          {"ask_batch.msgpack", " act act act"}};
    for (const auto &[name, wanted] : asks) {
        heard.clear();
        auto ask = read<perudo::Ask>(contents(folder / name));
        const perudo::Answer answer = perudo::reply(bot, ask);
        check(heard == wanted, name + heard);
        check(answer.id == ask.id && answer.calls.size() == ask.acts.size(), name);
    }
}

/// Keys that a later version adds are skipped, whatever they hold.
void unknown_keys() {
    msgpack::sbuffer bytes;
    msgpack::packer<msgpack::sbuffer> packer(bytes);
    packer.pack_map(4).pack(std::string("type")).pack(std::string("ask"));
    packer.pack(std::string("news")).pack_array(2).pack(1.5).pack_map(1).pack_nil().pack_nil();
    packer.pack(std::string("id")).pack(7).pack(std::string("acts"));
    packer.pack_array(1).pack_map(2).pack(std::string("also")).pack_array(0);
    packer.pack(std::string("seat")).pack(3);
    const auto ask = read<perudo::Ask>({bytes.data(), bytes.size()});
    check(ask.id == 7 && ask.acts.size() == 1 && ask.acts[0].seat == 3, "unknown keys");
}

void helpers() {
    perudo::Question q;
    q.hand = {1, 2, 2, 5};
    q.wild = 1;
    q.max_quantity = 9;
    q.words = {"dudo"};
    q.min_quantity = {10, 10, 10, 8, 9, 10};
    check(q.count(2) == 3 && q.count(1) == 1 && q.count(6) == 1 && q.unseen() == 5, "dice");
    check(q.minimum(4) == 8 && q.minimum(1) == 0 && q.may("dudo") && !q.may("calza"), "legality");
    check(q.legal_calls() == std::vector<std::string>{"dudo", "8x4", "9x4", "9x5"}, "calls");
    check(perudo::parse_bid("12x6") == std::pair(12, 6), "12x6");
    check(perudo::parse_bid("dudo") == std::pair(0, 0), "dudo is no bid");
}

} // namespace

int main(int, char **argv) {
    const std::filesystem::path folder = argv[1];
    unknown_keys();
    helpers();
    if (std::filesystem::is_directory(folder)) {
        every_vector(folder);
        what_is_sent(folder);
        replies(folder);
    } else {
        std::cerr << "no vectors: make test VECTORS=the folder protocol/vectors of the arena\n";
    }
    if (failures == 0)
        std::cout << "all tests passed\n";
    return failures == 0 ? 0 : 1;
}
