// The conversation with the referee: hello, welcome, then an answer to every ask until bye.
#include "perudo.h"

#include <errno.h>
#include <limits.h>
#include <msgpack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

// -- helpers --------------------------------------------------------------------------------------

perudo_call perudo_bid(int quantity, int face) {
    perudo_call call;
    snprintf(call.text, sizeof call.text, "%dx%d", quantity, face);
    return call;
}

perudo_call perudo_word(const char *word) {
    perudo_call call;
    snprintf(call.text, sizeof call.text, "%s", word);
    return call;
}

bool perudo_parse_bid(const char *call, int *quantity, int *face) {
    return sscanf(call, "%dx%d", quantity, face) == 2;
}

int perudo_unseen(const perudo_question *q) {
    return q->max_quantity - q->hand.size;
}

int perudo_count(const perudo_question *q, int face) {
    int own = 0;
    for (int i = 0; i < q->hand.size; i++)
        own += q->hand.at[i] == face || q->hand.at[i] == q->wild;
    return own;
}

int perudo_minimum(const perudo_question *q, int face) {
    int least = q->min_quantity[face - 1];
    return least <= q->max_quantity ? least : 0;
}

bool perudo_may(const perudo_question *q, const char *word) {
    for (int i = 0; i < q->words.size; i++)
        if (strcmp(q->words.at[i], word) == 0)
            return true;
    return false;
}

static int bids_on(const perudo_question *q, int face) {
    int least = perudo_minimum(q, face);
    return least > 0 ? q->max_quantity - least + 1 : 0;
}

int perudo_legal_calls(const perudo_question *q) {
    int calls = q->words.size;
    for (int face = 1; face <= 6; face++)
        calls += bids_on(q, face);
    return calls;
}

perudo_call perudo_legal_call(const perudo_question *q, int number) {
    if (number < q->words.size)
        return perudo_word(q->words.at[number]);
    number -= q->words.size;
    int face = 1;
    for (; face < 6 && number >= bids_on(q, face); face++)
        number -= bids_on(q, face);
    return perudo_bid(perudo_minimum(q, face) + number, face);
}

// -- reading: keys that no function below asks for are skipped ------------------------------------

// The message that is being read. What is made of it lies in its zone, and goes with it.
static msgpack_unpacked message;

static _Noreturn void fail(const char *what, const char *which) {
    fprintf(stderr, "perudo: %s%s\n", what, which);
    exit(1);
}

static void *room(size_t items, size_t size) {
    void *place = msgpack_zone_malloc(message.zone, (items > 0 ? items : 1) * size);
    if (place == NULL)
        fail("there is no memory left", "");
    return place;
}

// The value of a key, NULL if it is missing.
static const msgpack_object *find(const msgpack_object *map, const char *key) {
    for (uint32_t i = 0; map->type == MSGPACK_OBJECT_MAP && i < map->via.map.size; i++) {
        const msgpack_object_kv *pair = &map->via.map.ptr[i];
        if (pair->key.type == MSGPACK_OBJECT_STR && pair->key.via.str.size == strlen(key) &&
            memcmp(pair->key.via.str.ptr, key, strlen(key)) == 0)
            return &pair->val;
    }
    return NULL;
}

static int to_int(const msgpack_object *value, const char *key) {
    if (value == NULL || value->type != MSGPACK_OBJECT_POSITIVE_INTEGER || value->via.u64 > INT_MAX)
        fail("the arena sent a message without a valid ", key);
    return (int)value->via.u64;
}

static const char *to_text(const msgpack_object *value, const char *key) {
    if (value == NULL || value->type != MSGPACK_OBJECT_STR)
        fail("the arena sent a message without a valid ", key);
    char *text = room(value->via.str.size + 1, 1);
    memcpy(text, value->via.str.ptr, value->via.str.size);
    text[value->via.str.size] = '\0';
    return text;
}

static const msgpack_object_array *to_list(const msgpack_object *value, const char *key) {
    if (value == NULL || value->type != MSGPACK_OBJECT_ARRAY)
        fail("the arena sent a message without a valid ", key);
    return &value->via.array;
}

static perudo_ints to_ints(const msgpack_object *value, const char *key) {
    const msgpack_object_array *list = to_list(value, key);
    int *ints = room(list->size, sizeof *ints);
    for (uint32_t i = 0; i < list->size; i++)
        ints[i] = to_int(&list->ptr[i], key);
    return (perudo_ints){(int)list->size, ints};
}

static int get_int(const msgpack_object *map, const char *key) {
    return to_int(find(map, key), key);
}

static bool get_bool(const msgpack_object *map, const char *key) {
    const msgpack_object *value = find(map, key);
    if (value == NULL || value->type != MSGPACK_OBJECT_BOOLEAN)
        fail("the arena sent a message without a valid ", key);
    return value->via.boolean;
}

static const char *get_text(const msgpack_object *map, const char *key) {
    return to_text(find(map, key), key);
}

static const msgpack_object_array *get_list(const msgpack_object *map, const char *key) {
    return to_list(find(map, key), key);
}

static perudo_ints get_ints(const msgpack_object *map, const char *key) {
    return to_ints(find(map, key), key);
}

// A list of exactly so many numbers.
static void get_exactly(int count, int *into, const msgpack_object *map, const char *key) {
    perudo_ints ints = get_ints(map, key);
    if (ints.size != count)
        fail("the arena sent a message without a valid ", key);
    memcpy(into, ints.at, (size_t)count * sizeof *into);
}

static perudo_texts get_texts(const msgpack_object *map, const char *key) {
    const msgpack_object_array *list = get_list(map, key);
    const char **texts = room(list->size, sizeof *texts);
    for (uint32_t i = 0; i < list->size; i++)
        texts[i] = to_text(&list->ptr[i], key);
    return (perudo_texts){(int)list->size, texts};
}

static perudo_calls get_calls(const msgpack_object *map, const char *key) {
    const msgpack_object_array *list = get_list(map, key);
    perudo_said *calls = room(list->size, sizeof *calls);
    for (uint32_t i = 0; i < list->size; i++) {
        const msgpack_object_array *pair = to_list(&list->ptr[i], key);
        if (pair->size < 2)
            fail("the arena sent a message without a valid ", key);
        calls[i] = (perudo_said){to_int(&pair->ptr[0], key), to_text(&pair->ptr[1], key)};
    }
    return (perudo_calls){(int)list->size, calls};
}

static perudo_past read_past(const msgpack_object *map) {
    const msgpack_object_array *seats = get_list(map, "hands");
    perudo_ints *hands = room(seats->size, sizeof *hands);
    for (uint32_t i = 0; i < seats->size; i++)
        hands[i] = to_ints(&seats->ptr[i], "hands");
    return (perudo_past){
        .round = get_int(map, "round"),
        .opener = get_int(map, "opener"),
        .palifico = get_bool(map, "palifico"),
        .seats = (int)seats->size,
        .hands = hands,
        .calls = get_calls(map, "calls"),
        .count = get_int(map, "count"),
        .dice_after = get_ints(map, "dice_after"),
    };
}

static perudo_pasts read_pasts(const msgpack_object *map) {
    if (find(map, "past") == NULL)
        return (perudo_pasts){0, NULL};
    const msgpack_object_array *list = get_list(map, "past");
    perudo_past *pasts = room(list->size, sizeof *pasts);
    for (uint32_t i = 0; i < list->size; i++)
        pasts[i] = read_past(&list->ptr[i]);
    return (perudo_pasts){(int)list->size, pasts};
}

static perudo_question read_question(const msgpack_object *map) {
    perudo_question question = {
        .game = get_int(map, "game"),
        .seat = get_int(map, "seat"),
        .dice = get_ints(map, "dice"),
        .round = get_int(map, "round"),
        .hand = get_ints(map, "hand"),
        .palifico = get_bool(map, "palifico"),
        .wild = get_int(map, "wild"),
        .quantity = get_int(map, "quantity"),
        .face = get_int(map, "face"),
        .calls = get_calls(map, "calls"),
        .max_quantity = get_int(map, "max_quantity"),
        .words = get_texts(map, "words"),
        .random = get_int(map, "random"),
        .bank_ms = get_int(map, "bank_ms"),
        .has_min_tabba = find(map, "min_tabba") != NULL,
        .past = read_pasts(map),
    };
    get_exactly(6, question.min_quantity, map, "min_quantity");
    if (question.has_min_tabba)
        get_exactly(6, question.min_tabba, map, "min_tabba");
    return question;
}

static perudo_ruleset read_ruleset(const msgpack_object *map) {
    perudo_ruleset ruleset = {
        .name = get_text(map, "name"),
        .dice = get_int(map, "dice"),
        .opener = get_text(map, "opener"),
        .bidding_rule = get_text(map, "bidding_rule"),
        .ace_bids = get_text(map, "ace_bids"),
        .palifico = get_text(map, "palifico"),
        .palifico_change = get_text(map, "palifico_change"),
        .palifico_min_players = get_int(map, "palifico_min_players"),
        .tabba = get_text(map, "tabba"),
        .calza = get_text(map, "calza"),
        .calza_at_cap = get_bool(map, "calza_at_cap"),
        .wild_face = get_int(map, "wild_face"),
        .loss = get_text(map, "loss"),
        .next_opener = get_text(map, "next_opener"),
        .calza_reward = get_text(map, "calza_reward"),
        .calza_in_palifico = get_bool(map, "calza_in_palifico"),
        .palifico_once = get_bool(map, "palifico_once"),
        .one_round = get_bool(map, "one_round"),
    };
    get_exactly(2, ruleset.players, map, "players");
    return ruleset;
}

static perudo_start read_start(const msgpack_object *map) {
    const msgpack_object *ruleset = find(map, "ruleset");
    if (ruleset == NULL)
        fail("the arena sent a message without a valid ", "ruleset");
    return (perudo_start){
        .game = get_int(map, "game"),
        .seat = get_int(map, "seat"),
        .names = get_texts(map, "names"),
        .commitment = get_text(map, "commitment"),
        .ruleset = read_ruleset(ruleset),
        .dice = get_ints(map, "dice"),
    };
}

static perudo_end read_end(const msgpack_object *map) {
    return (perudo_end){
        .game = get_int(map, "game"),
        .places = get_ints(map, "places"),
        .fault = get_text(map, "fault"),
        .detail = get_text(map, "detail"),
        .past = read_pasts(map),
    };
}

static perudo_welcome read_welcome(const msgpack_object *map) {
    return (perudo_welcome){
        .name = get_text(map, "name"),
        .games = get_int(map, "games"),
        .arena = get_text(map, "arena"),
        .move_ms = get_int(map, "move_ms"),
        .bank_ms = get_int(map, "bank_ms"),
        .increment_ms = get_int(map, "increment_ms"),
    };
}

// The map in a frame. It lasts until the next is read.
static const msgpack_object *read_message(const void *frame, size_t size) {
    size_t at = 0;
    if (msgpack_unpack_next(&message, frame, size, &at) != MSGPACK_UNPACK_SUCCESS)
        fail("the arena sent something that is not msgpack", "");
    return &message.data;
}

// -- writing --------------------------------------------------------------------------------------

static void put_text(msgpack_packer *to, const char *text) {
    msgpack_pack_str_with_body(to, text, strlen(text));
}

static void put_int(msgpack_packer *to, const char *key, int value) {
    put_text(to, key);
    msgpack_pack_int(to, value);
}

static void put_bool(msgpack_packer *to, const char *key, bool value) {
    put_text(to, key);
    value ? msgpack_pack_true(to) : msgpack_pack_false(to);
}

static void put_pair(msgpack_packer *to, const char *key, const char *text) {
    put_text(to, key);
    put_text(to, text);
}

static void write_hello(msgpack_sbuffer *into, const perudo_bot *bot, const char *token,
                        const char *language) {
    msgpack_packer to;
    msgpack_packer_init(&to, into, msgpack_sbuffer_write);
    msgpack_pack_map(&to, 9);
    put_pair(&to, "type", "hello");
    put_int(&to, "protocol", 1);
    put_pair(&to, "token", token);
    put_pair(&to, "name", bot->name != NULL ? bot->name : "");
    put_pair(&to, "version", bot->version != NULL ? bot->version : "");
    put_pair(&to, "language", language);
    put_int(&to, "games", bot->games > 0 ? bot->games : 1);
    put_bool(&to, "out_of_turn", bot->out_of_turn);
    put_bool(&to, "past", bot->past);
}

// The answer to an ask: hear what ended, then what begins, then make a call for every act.
static void write_answer(msgpack_sbuffer *into, const perudo_bot *bot, const msgpack_object *ask) {
    const msgpack_object_array *ends = get_list(ask, "ends");
    for (uint32_t i = 0; bot->ended != NULL && i < ends->size; i++) {
        perudo_end end = read_end(&ends->ptr[i]);
        bot->ended(&end);
    }
    const msgpack_object_array *starts = get_list(ask, "starts");
    for (uint32_t i = 0; bot->started != NULL && i < starts->size; i++) {
        perudo_start start = read_start(&starts->ptr[i]);
        bot->started(&start);
    }
    const msgpack_object_array *acts = get_list(ask, "acts");
    msgpack_packer to;
    msgpack_packer_init(&to, into, msgpack_sbuffer_write);
    msgpack_pack_map(&to, 3);
    put_pair(&to, "type", "answer");
    put_int(&to, "id", get_int(ask, "id"));
    put_text(&to, "calls");
    msgpack_pack_array(&to, acts->size);
    for (uint32_t i = 0; i < acts->size; i++) {
        perudo_question question = read_question(&acts->ptr[i]);
        question.time_ms = get_int(ask, "time_ms") / (int)acts->size;
        put_text(&to, bot->call(&question).text);
    }
}

// -- the conversation -----------------------------------------------------------------------------

static bool failed(const char *what) {
    fprintf(stderr, "perudo: %s: %s\n", what, zmq_strerror(errno));
    return false;
}

// The next frame. A signal may interrupt the waiting; it waits on.
static bool receive(void *socket, zmq_msg_t *frame) {
    while (zmq_msg_recv(frame, socket, 0) < 0)
        if (errno != EINTR)
            return failed("receiving");
    return true;
}

static bool send_buffer(void *socket, msgpack_sbuffer *buffer) {
    bool sent = zmq_send(socket, buffer->data, buffer->size, 0) >= 0;
    msgpack_sbuffer_clear(buffer);
    return sent || failed("sending");
}

// Answer every ask until bye. Whether all went well.
static bool converse(const perudo_bot *bot, void *socket, zmq_msg_t *frame, msgpack_sbuffer *buffer) {
    const char *token = getenv("ARENA_TOKEN");
    write_hello(buffer, bot, token != NULL ? token : "", "C11");
    if (!send_buffer(socket, buffer))
        return false;
    while (receive(socket, frame)) {
        const msgpack_object *map = read_message(zmq_msg_data(frame), zmq_msg_size(frame));
        const char *type = get_text(map, "type");
        if (strcmp(type, "refused") == 0) {
            fprintf(stderr, "perudo: the arena refused the bot: %s\n", get_text(map, "reason"));
            return false;
        }
        if (strcmp(type, "bye") == 0)
            return true;
        if (strcmp(type, "welcome") == 0 && bot->welcomed != NULL) {
            perudo_welcome welcome = read_welcome(map);
            bot->welcomed(&welcome);
        }
        if (strcmp(type, "ask") == 0) {
            write_answer(buffer, bot, map);
            if (!send_buffer(socket, buffer))
                return false;
        }
    }
    return false;
}

int perudo_run(const perudo_bot *bot) {
    const char *endpoint = getenv("ARENA_ENDPOINT");
    if (endpoint == NULL || *endpoint == '\0') {
        fprintf(stderr,
                "a bot is started by the arena, which tells it ARENA_ENDPOINT and ARENA_TOKEN\n");
        return 2;
    }
    void *context = zmq_ctx_new();
    void *socket = zmq_socket(context, ZMQ_DEALER);
    int linger = 100;
    zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
    zmq_msg_t frame;
    zmq_msg_init(&frame);
    msgpack_sbuffer buffer;
    msgpack_sbuffer_init(&buffer);
    msgpack_unpacked_init(&message);

    bool well =
        zmq_connect(socket, endpoint) == 0 ? converse(bot, socket, &frame, &buffer) : failed(endpoint);
    msgpack_unpacked_destroy(&message);
    msgpack_sbuffer_destroy(&buffer);
    zmq_msg_close(&frame);
    zmq_close(socket);
    zmq_ctx_term(context);
    return well ? 0 : 1;
}
