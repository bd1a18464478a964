import java.util.List;

/** The smallest bot: any legal call, all equally likely. */
public final class Bot {
    static String call(Perudo.Question question) {
        List<String> calls = question.legalCalls();
        return calls.get(question.random % calls.size());
    }

    public static void main(String[] args) {
        new Perudo("random-java").run(Bot::call);
    }
}
