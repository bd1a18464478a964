import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Perudo.java against the vectors of the protocol, whose folder is the program's argument.
 *
 * <p>Run: javac -cp 'target/lib/*' -d target/test src/*.java test/*.java, and then
 * java -cp target/test:'target/lib/*' Vectors ../../../protocol/vectors
 */
public final class Vectors {
    private static Path folder;

    public static void main(String[] args) throws Exception {
        folder = Path.of(args[0]);
        int seen = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.msgpack")) {
            for (Path file : files) {
                bytesAndTextAgree(file.getFileName().toString().replace(".msgpack", ""));
                seen++;
            }
        }
        check(seen >= 19, "there are vectors");
        whatTheBotSendsHasTheseBytes();
        whatALaterVersionAddsIsIgnored();
        helpers();
        System.out.println(seen + " vectors agree");
    }

    private static void bytesAndTextAgree(String name) throws Exception {
        Map<String, Object> message = message(name);
        String text = Files.readString(folder.resolve(name + ".json"));
        check(json(message).equals(text.replaceAll("\\s", "")), name + ": bytes and text differ");
        check(Perudo.decode(Perudo.encode(message)).equals(message), name + " does not come back");
        for (Object act : Perudo.list(message.getOrDefault("acts", List.of()))) {
            Perudo.Question question = new Perudo.Question(Perudo.map(act));
            check(question.legalCalls().contains(Bot.decide(question)), name + ": illegal call");
        }
    }

    private static void whatTheBotSendsHasTheseBytes() throws Exception {
        for (String name : List.of("hello", "hello_minimal", "answer", "answer_batch", "answer_empty")) {
            check(Arrays.equals(Perudo.encode(message(name)), bytes(name)), name + " has other bytes");
        }
    }

    private static void whatALaterVersionAddsIsIgnored() throws Exception {
        Map<String, Object> act = new LinkedHashMap<>(act("ask").fields);
        act.put("new", Map.of("a", List.of(1, "two", true)));
        Map<String, Object> read = Perudo.map(Perudo.decode(Perudo.encode(act)));
        check(read.equals(act), "new fields are kept");
        check(new Perudo.Question(read).hand.length == 5, "and do not matter");
        byte[] odd = {(byte) 0x93, (byte) 0xc0, (byte) 0xff, (byte) 0xca, 0, 0, 0, 0};
        check(Perudo.list(Perudo.decode(odd)).size() == 3, "nil, numbers below 0 and floats are read");
    }

    private static void helpers() throws Exception {
        Perudo.Question act = act("ask");
        check(act.legalBids().subList(0, 2).equals(List.of("3x1", "4x1")), "legalBids");
        check(act.legalCalls().size() == 1 + 4 * 8 + 2 * 9, "legalCalls");
        check(act.count(3) == 3 && act.count(1) == 1, "count");
        check(act.unseen() == 5 && act.minimum(5) == 2, "unseen and minimum");
        check(!act.outOfTurn(), "outOfTurn");
        Perudo.Said last = act.calls.get(1);
        check(last.seat() == 1 && last.isBid(), "the last call");
        check(last.quantity() == act.quantity && last.face() == act.face, "is the standing bid");

        Perudo.Question other = act("ask_out_of_turn");
        check(other.outOfTurn() && other.minimum(5) == 0, "out of turn");
        check(other.legalCalls().equals(List.of("calza", "pass")), "words only");
    }

    private static Perudo.Question act(String name) throws Exception {
        return new Perudo.Question(Perudo.map(Perudo.list(message(name).get("acts")).get(0)));
    }

    private static Map<String, Object> message(String name) throws Exception {
        return Perudo.map(Perudo.decode(bytes(name)));
    }

    private static byte[] bytes(String name) throws Exception {
        return Files.readAllBytes(folder.resolve(name + ".msgpack"));
    }

    /** Without any spaces, also in texts. */
    private static String json(Object value) {
        List<String> parts = new ArrayList<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, item) -> parts.add(json(key) + ":" + json(item)));
            return "{" + String.join(",", parts) + "}";
        }
        if (value instanceof List<?> list) {
            list.forEach(item -> parts.add(json(item)));
            return "[" + String.join(",", parts) + "]";
        }
        return value instanceof String text ? '"' + text.replaceAll("\\s", "") + '"' : value.toString();
    }

    private static void check(boolean right, String what) {
        if (!right) {
            throw new AssertionError(what);
        }
    }
}
