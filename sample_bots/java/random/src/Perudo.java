import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/**
 * The conversation with the referee: hello, welcome, then an answer to every ask until bye; and
 * what a bot wants to know about a question. Copy this file to write a bot of your own; SPEC.md in
 * protocol/ describes every message.
 */
public final class Perudo {
    /** A bot: a function from question to call and, if it wants to know, when games begin and end. */
    public interface Bot {
        /** The call: a bid such as "3x5", or one of question.words. */
        String call(Question question);

        /** A game begins: a map with game, seat, names, ruleset ... */
        default void started(Map<String, Object> start) {}

        /** A game is over: a map with game, places, fault, detail. */
        default void ended(Map<String, Object> end) {}
    }

    /** What to call now: an act of an ask. */
    public static final class Question {
        public final int game;
        public final int seat;
        public final int[] dice;
        public final int round;
        public final int[] hand;
        public final boolean palifico;
        public final int wild;
        public final int quantity;
        public final int face;
        public final List<Said> calls;
        public final int[] minQuantity;
        public final int maxQuantity;
        public final List<String> words;
        public final int random;
        public final int bankMs;

        /** The act as it came, with min_tabba, past, and what a later version of the arena adds. */
        public final Map<String, Object> fields;

        public Question(Map<String, Object> fields) {
            this.fields = fields;
            game = number("game");
            seat = number("seat");
            dice = numbers("dice");
            round = number("round");
            hand = numbers("hand");
            palifico = (Boolean) fields.get("palifico");
            wild = number("wild");
            quantity = number("quantity");
            face = number("face");
            calls = list(fields.get("calls")).stream().map(Said::of).toList();
            minQuantity = numbers("min_quantity");
            maxQuantity = number("max_quantity");
            words = list(fields.get("words")).stream().map(String.class::cast).toList();
            random = number("random");
            bankMs = number("bank_ms");
        }

        /** A field that is an int. */
        public int number(String field) {
            return (Integer) fields.get(field);
        }

        /** A field that is a list of ints. */
        public int[] numbers(String field) {
            return list(fields.get(field)).stream().mapToInt(Integer.class::cast).toArray();
        }

        /** Whether it is another seat's turn: you may pass, and may not bid. */
        public boolean outOfTurn() {
            return words.contains("pass");
        }

        /** Dice in play that are not yours. */
        public int unseen() {
            return maxQuantity - hand.length;
        }

        /** Your own dice that count for a bid on `face` in this round. */
        public int count(int face) {
            int count = 0;
            for (int die : hand) {
                if (die == face || die == wild) {
                    count++;
                }
            }
            return count;
        }

        /** The smallest quantity you may bid on `face`, 0 where no bid on it is legal. */
        public int minimum(int face) {
            int least = minQuantity[face - 1];
            return least <= maxQuantity ? least : 0;
        }

        /** Every legal bid, by face, then quantity. Without tabba bids. */
        public List<String> legalBids() {
            List<String> bids = new ArrayList<>();
            for (int face = 1; face <= 6; face++) {
                for (int quantity = minQuantity[face - 1]; quantity <= maxQuantity; quantity++) {
                    bids.add(bid(quantity, face));
                }
            }
            return bids;
        }

        /** Everything you may answer, words first. Without tabba bids; never empty. */
        public List<String> legalCalls() {
            List<String> calls = new ArrayList<>(words);
            calls.addAll(legalBids());
            return calls;
        }
    }

    /** A call of this round, and who made it. */
    public record Said(int seat, String call) {
        static Said of(Object pair) {
            return new Said((Integer) list(pair).get(0), (String) list(pair).get(1));
        }

        /** Whether it is a bid; then these are its numbers. */
        public boolean isBid() {
            return Character.isDigit(call.charAt(0));
        }

        public int quantity() {
            return Integer.parseInt(call.substring(0, call.indexOf('x')));
        }

        public int face() {
            return Integer.parseInt(call.substring(call.indexOf('x') + 1));
        }
    }

    /** The call that claims `quantity` dice of `face`: bid(3, 5) is "3x5". */
    public static String bid(int quantity, int face) {
        return quantity + "x" + face;
    }

    private final Map<String, Object> hello = new LinkedHashMap<>();

    /** A bot that calls itself so. */
    public Perudo(String name) {
        hello.put("type", "hello");
        hello.put("protocol", 1);
        hello.put("token", System.getenv().getOrDefault("ARENA_TOKEN", ""));
        hello.put("name", name);
        hello.put("language", "Java " + Runtime.version().feature());
        hello.put("games", 64);
    }

    /** As its author numbers it. */
    public Perudo version(String version) {
        return with("version", version);
    }

    /** Most games it plays at once, 1 to 64; question.game tells them apart. */
    public Perudo games(int games) {
        return with("games", games);
    }

    /** It wants to be asked when another seat is on turn (calza, tabba). */
    public Perudo outOfTurn() {
        return with("out_of_turn", true);
    }

    /** It wants to be told the rounds that are over, in the fields of questions. */
    public Perudo past() {
        return with("past", true);
    }

    private Perudo with(String field, Object value) {
        hello.put(field, value);
        return this;
    }

    /** Play until the referee says bye, then end the program. */
    public void run(Bot bot) {
        String endpoint = System.getenv().getOrDefault("ARENA_ENDPOINT", "");
        if (endpoint.isEmpty()) {
            System.err.println("a bot is started by the arena, which tells it ARENA_ENDPOINT and ARENA_TOKEN");
            System.exit(2);
        }
        int code = 1;
        try (ZContext context = new ZContext()) {
            context.setLinger(100);
            ZMQ.Socket socket = context.createSocket(SocketType.DEALER);
            // JeroMQ 0.6.0 now and then forgets a new connection; so it is made anew after this.
            socket.setHandshakeIvl(500);
            socket.connect(endpoint);
            socket.send(encode(hello));
            code = play(bot, socket);
        } catch (IOException | RuntimeException error) {
            error.printStackTrace();
        }
        System.exit(code);
    }

    /** The code to exit with. */
    private static int play(Bot bot, ZMQ.Socket socket) throws IOException {
        while (true) {
            Map<String, Object> message = map(decode(socket.recv()));
            switch ((String) message.get("type")) {
                case "refused" -> {
                    System.err.println("the arena refused the bot: " + message.get("reason"));
                    return 1;
                }
                case "bye" -> {
                    return 0;
                }
                case "ask" -> {
                    list(message.get("ends")).forEach(end -> bot.ended(map(end)));
                    list(message.get("starts")).forEach(start -> bot.started(map(start)));
                    List<String> calls = new ArrayList<>();
                    for (Object act : list(message.get("acts"))) {
                        calls.add(bot.call(new Question(map(act))));
                    }
                    Map<String, Object> answer = new LinkedHashMap<>();
                    answer.put("type", "answer");
                    answer.put("id", message.get("id"));
                    answer.put("calls", calls);
                    socket.send(encode(answer));
                }
                default -> {}
            }
        }
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(Object value) {
        return (List<Object>) value;
    }

    /** Maps as LinkedHashMap, lists as ArrayList, numbers as Integer where they fit. */
    static Object decode(byte[] frame) throws IOException {
        return read(MessagePack.newDefaultUnpacker(frame));
    }

    private static Object read(MessageUnpacker unpacker) throws IOException {
        switch (unpacker.getNextFormat().getValueType()) {
            case MAP -> {
                Map<String, Object> map = new LinkedHashMap<>();
                for (int left = unpacker.unpackMapHeader(); left > 0; left--) {
                    String key = unpacker.unpackString();
                    map.put(key, read(unpacker));
                }
                return map;
            }
            case ARRAY -> {
                int size = unpacker.unpackArrayHeader();
                List<Object> list = new ArrayList<>(size);
                for (int left = size; left > 0; left--) {
                    list.add(read(unpacker));
                }
                return list;
            }
            case STRING -> {
                return unpacker.unpackString();
            }
            case BOOLEAN -> {
                return unpacker.unpackBoolean();
            }
            case INTEGER -> {
                long number = unpacker.unpackLong();
                return number == (int) number ? (Object) (int) number : (Object) number;
            }
            default -> {
                return unpacker.unpackValue(); // what a later version may add
            }
        }
    }

    static byte[] encode(Object value) throws IOException {
        MessageBufferPacker packer = MessagePack.newDefaultBufferPacker();
        write(packer, value);
        return packer.toByteArray();
    }

    private static void write(MessageBufferPacker packer, Object value) throws IOException {
        if (value instanceof Map<?, ?> map) {
            packer.packMapHeader(map.size());
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                write(packer, entry.getKey());
                write(packer, entry.getValue());
            }
        } else if (value instanceof List<?> list) {
            packer.packArrayHeader(list.size());
            for (Object item : list) {
                write(packer, item);
            }
        } else if (value instanceof String text) {
            packer.packString(text);
        } else if (value instanceof Boolean flag) {
            packer.packBoolean(flag);
        } else {
            packer.packInt((Integer) value);
        }
    }
}
