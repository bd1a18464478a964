// perudo.c reads every message of protocol/vectors. Run with make test.
#define _POSIX_C_SOURCE 200809L
#include "perudo.c" // with what it has for itself

#include <dirent.h>

static int failures = 0;

static void check(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "failed: %s\n", what);
        failures++;
    }
}

// -- what was read, as the JSON that it came from, without spaces -----------------------------------

static FILE *out;

static void comma(int index) {
    if (index > 0)
        fputc(',', out);
}

static void print_ints(const char *key, perudo_ints ints) {
    if (*key != '\0')
        fprintf(out, ",\"%s\":", key);
    fputc('[', out);
    for (int i = 0; i < ints.size; i++) {
        comma(i);
        fprintf(out, "%d", ints.at[i]);
    }
    fputc(']', out);
}

static void print_texts(const char *key, perudo_texts texts) {
    fprintf(out, ",\"%s\":[", key);
    for (int i = 0; i < texts.size; i++) {
        comma(i);
        fprintf(out, "\"%s\"", texts.at[i]);
    }
    fputc(']', out);
}

static void print_calls(const char *key, perudo_calls calls) {
    fprintf(out, ",\"%s\":[", key);
    for (int i = 0; i < calls.size; i++) {
        comma(i);
        fprintf(out, "[%d,\"%s\"]", calls.at[i].seat, calls.at[i].call);
    }
    fputc(']', out);
}

static void print_int(const char *key, int value) {
    fprintf(out, ",\"%s\":%d", key, value);
}

static void print_bool(const char *key, bool value) {
    fprintf(out, ",\"%s\":%s", key, value ? "true" : "false");
}

static void print_text(const char *key, const char *text) {
    fprintf(out, ",\"%s\":\"%s\"", key, text);
}

static void print_pasts(perudo_pasts pasts) {
    if (pasts.size == 0)
        return;
    fprintf(out, ",\"past\":[");
    for (int i = 0; i < pasts.size; i++) {
        const perudo_past *past = &pasts.at[i];
        comma(i);
        fprintf(out, "{\"round\":%d", past->round);
        print_int("opener", past->opener);
        print_bool("palifico", past->palifico);
        fprintf(out, ",\"hands\":[");
        for (int seat = 0; seat < past->seats; seat++) {
            comma(seat);
            print_ints("", past->hands[seat]);
        }
        fputc(']', out);
        print_calls("calls", past->calls);
        print_int("count", past->count);
        print_ints("dice_after", past->dice_after);
        fputc('}', out);
    }
    fputc(']', out);
}

static void print_question(perudo_question q) {
    fprintf(out, "{\"game\":%d", q.game);
    print_int("seat", q.seat);
    print_ints("dice", q.dice);
    print_int("round", q.round);
    print_ints("hand", q.hand);
    print_bool("palifico", q.palifico);
    print_int("wild", q.wild);
    print_int("quantity", q.quantity);
    print_int("face", q.face);
    print_calls("calls", q.calls);
    print_ints("min_quantity", (perudo_ints){6, q.min_quantity});
    print_int("max_quantity", q.max_quantity);
    print_texts("words", q.words);
    print_int("random", q.random);
    print_int("bank_ms", q.bank_ms);
    if (q.has_min_tabba)
        print_ints("min_tabba", (perudo_ints){6, q.min_tabba});
    print_pasts(q.past);
    fputc('}', out);
}

static void print_start(perudo_start start) {
    const perudo_ruleset *rules = &start.ruleset;
    fprintf(out, "{\"game\":%d", start.game);
    print_int("seat", start.seat);
    print_texts("names", start.names);
    print_text("commitment", start.commitment);
    fprintf(out, ",\"ruleset\":{\"name\":\"%s\"", rules->name);
    print_ints("players", (perudo_ints){2, rules->players});
    print_int("dice", rules->dice);
    print_text("opener", rules->opener);
    print_text("bidding_rule", rules->bidding_rule);
    print_text("ace_bids", rules->ace_bids);
    print_text("palifico", rules->palifico);
    print_text("palifico_change", rules->palifico_change);
    print_int("palifico_min_players", rules->palifico_min_players);
    print_text("tabba", rules->tabba);
    print_text("calza", rules->calza);
    print_bool("calza_at_cap", rules->calza_at_cap);
    print_int("wild_face", rules->wild_face);
    print_text("loss", rules->loss);
    print_text("next_opener", rules->next_opener);
    print_text("calza_reward", rules->calza_reward);
    print_bool("calza_in_palifico", rules->calza_in_palifico);
    print_bool("palifico_once", rules->palifico_once);
    print_bool("one_round", rules->one_round);
    fputc('}', out);
    print_ints("dice", start.dice);
    fputc('}', out);
}

static void print_end(perudo_end end) {
    fprintf(out, "{\"game\":%d", end.game);
    print_ints("places", end.places);
    print_text("fault", end.fault);
    print_text("detail", end.detail);
    print_pasts(end.past);
    fputc('}', out);
}

static void print_ask(const msgpack_object *ask) {
    print_int("id", get_int(ask, "id"));
    print_int("time_ms", get_int(ask, "time_ms"));
    const char *keys[] = {"acts", "starts", "ends"};
    for (int key = 0; key < 3; key++) {
        const msgpack_object_array *list = get_list(ask, keys[key]);
        fprintf(out, ",\"%s\":[", keys[key]);
        for (uint32_t i = 0; i < list->size; i++) {
            comma((int)i);
            if (key == 0)
                print_question(read_question(&list->ptr[i]));
            else if (key == 1)
                print_start(read_start(&list->ptr[i]));
            else
                print_end(read_end(&list->ptr[i]));
        }
        fputc(']', out);
    }
}

static void print_message(const msgpack_object *map) {
    const char *type = get_text(map, "type");
    fprintf(out, "{\"type\":\"%s\"", type);
    if (find(map, "protocol") != NULL)
        print_int("protocol", get_int(map, "protocol"));
    if (strcmp(type, "ask") == 0)
        print_ask(map);
    if (strcmp(type, "welcome") == 0) {
        perudo_welcome welcome = read_welcome(map);
        print_text("name", welcome.name);
        print_int("games", welcome.games);
        print_text("arena", welcome.arena);
        print_int("move_ms", welcome.move_ms);
        print_int("bank_ms", welcome.bank_ms);
        print_int("increment_ms", welcome.increment_ms);
    }
    if (find(map, "reason") != NULL)
        print_text("reason", get_text(map, "reason"));
    fputc('}', out);
}

// -- the vectors ----------------------------------------------------------------------------------

static char *contents(const char *folder, const char *name, const char *ending, size_t *size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
    FILE *file = fopen(path, "rb");
    char *bytes = calloc(1, 1 << 17);
    if (file == NULL || bytes == NULL)
        fail("cannot read ", path);
    *size = fread(bytes, 1, (1 << 17) - 1, file);
    fclose(file);
    return bytes;
}

// JSON in place, without spaces between its parts, and without lists named "past" that are empty:
// perudo.c does not tell them from those that are not there.
static void compact(char *json) {
    char *to = json;
    bool quoted = false;
    for (const char *from = json; *from != '\0'; from++) {
        quoted ^= *from == '"';
        if (quoted || (*from != ' ' && *from != '\n'))
            *to++ = *from;
    }
    *to = '\0';
    for (char *none; (none = strstr(json, ",\"past\":[]")) != NULL;)
        memmove(none, none + 10, strlen(none + 10) + 1);
}

static void same_as_json(const char *folder, const char *name) {
    size_t size, length;
    char *frame = contents(folder, name, ".msgpack", &size);
    char *wanted = contents(folder, name, ".json", &length);
    compact(wanted);
    char *text = NULL;
    out = open_memstream(&text, &length);
    print_message(read_message(frame, size));
    fclose(out);
    check(strcmp(text, wanted) == 0, name);
    if (strcmp(text, wanted) != 0)
        fprintf(stderr, "read   %s\nwanted %s\n", text, wanted);
    free(text);
    free(wanted);
    free(frame);
}

static void same_bytes(const msgpack_sbuffer *sent, const char *folder, const char *name) {
    size_t size;
    char *wanted = contents(folder, name, ".msgpack", &size);
    check(sent->size == size && memcmp(sent->data, wanted, size) == 0, name);
    free(wanted);
}

// The calls that the bot is to make next.
static const char *const *planned;

static perudo_call as_planned(const perudo_question *q) {
    check(q->time_ms == 100, "the share of the time");
    return perudo_word(*planned++);
}

static int started, ended;

static void on_start(const perudo_start *start) {
    started += start->game;
}

static void on_end(const perudo_end *end) {
    ended += end->game;
}

static void same_answer(const char *folder, const char *ask, const char *answer,
                        const char *const *calls) {
    perudo_bot bot = {.call = as_planned, .started = on_start, .ended = on_end};
    size_t size;
    char *frame = contents(folder, ask, ".msgpack", &size);
    msgpack_sbuffer sent;
    msgpack_sbuffer_init(&sent);
    planned = calls;
    write_answer(&sent, &bot, read_message(frame, size));
    same_bytes(&sent, folder, answer);
    msgpack_sbuffer_destroy(&sent);
    free(frame);
}

static void vectors(const char *folder) {
    DIR *files = opendir(folder);
    if (files == NULL) {
        fprintf(stderr, "no vectors: make test VECTORS=the folder protocol/vectors of the arena\n");
        return;
    }
    int count = 0;
    for (struct dirent *file; (file = readdir(files)) != NULL;) {
        char name[256];
        snprintf(name, sizeof name, "%s", file->d_name);
        char *ending = strstr(name, ".msgpack");
        if (ending == NULL)
            continue;
        *ending = '\0';
        count++;
        if (strncmp(name, "hello", 5) != 0 && strncmp(name, "answer", 6) != 0) // what a bot says
            same_as_json(folder, name);
    }
    closedir(files);
    check(count >= 20, "there are too few vectors");

    msgpack_sbuffer sent;
    msgpack_sbuffer_init(&sent);
    perudo_bot bot = {.name = "me", .version = "1.2", .games = 4, .out_of_turn = true, .past = true};
    write_hello(&sent, &bot, "0123456789abcdef", "Cobol");
    same_bytes(&sent, folder, "hello");
    msgpack_sbuffer_destroy(&sent);

    same_answer(folder, "ask", "answer", (const char *[]){"3x5"});
    same_answer(folder, "ask_batch", "answer_batch", (const char *[]){"3x2", "1x6", "dudo"});
    check(started == 0 && ended == 0, "nothing began or ended");
    same_answer(folder, "ask_ends", "answer_empty", NULL);
    check(started == 0 && ended == 5 + 6, "two games ended");
}

// -- without vectors ------------------------------------------------------------------------------

// Keys that a later version adds are skipped, whatever they hold; numbers come in signed formats too.
static void unknown_keys(void) {
    static const char frame[] = "\x83\xa4news\x92\xcb\0\0\0\0\0\0\0\0\x81\xc0\xc0\xa4type\xa3"
                                "ask\xa2id\xd1\x01\x02";
    const msgpack_object *map = read_message(frame, sizeof frame - 1);
    check(strcmp(get_text(map, "type"), "ask") == 0 && get_int(map, "id") == 258, "unknown keys");
    check(find(map, "gone") == NULL, "a key that is missing");
}

static void helpers(void) {
    const int hand[] = {1, 2, 2, 5};
    const char *words[] = {"dudo"};
    const char *wanted[] = {"dudo", "8x4", "9x4", "9x5"};
    perudo_question q = {
        .hand = {4, hand},
        .wild = 1,
        .max_quantity = 9,
        .words = {1, words},
        .min_quantity = {10, 10, 10, 8, 9, 10},
    };
    check(perudo_count(&q, 2) == 3 && perudo_count(&q, 1) == 1 && perudo_count(&q, 6) == 1, "own dice");
    check(perudo_unseen(&q) == 5 && perudo_minimum(&q, 4) == 8 && perudo_minimum(&q, 1) == 0,
          "legality");
    check(perudo_may(&q, "dudo") && !perudo_may(&q, "calza"), "words");
    check(perudo_legal_calls(&q) == 4, "the number of legal calls");
    for (int i = 0; i < 4; i++)
        check(strcmp(perudo_legal_call(&q, i).text, wanted[i]) == 0, wanted[i]);
    int quantity, face;
    check(perudo_parse_bid("12x6", &quantity, &face) && quantity == 12 && face == 6, "12x6");
    check(!perudo_parse_bid("dudo", &quantity, &face), "dudo is no bid");
}

int main(int count, char **arguments) {
    msgpack_unpacked_init(&message);
    unknown_keys();
    helpers();
    vectors(count > 1 ? arguments[1] : "../../../protocol/vectors");
    msgpack_unpacked_destroy(&message);
    if (failures == 0)
        printf("all tests passed\n");
    return failures == 0 ? 0 : 1;
}
