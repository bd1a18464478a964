/** Your bot: fill in decide. The rest is done. */
public final class Bot {
    /**
     * Your call: a bid such as "3x5", or one of question.words.
     *
     * <p>question.hand is your dice, question.dice how many each seat holds, question.quantity and
     * question.face the standing bid (0 and 0 = none); protocol/SPEC.md has the rest. A question
     * helps with legalCalls(), legalBids(), minimum(face), count(face), unseen(), outOfTurn().
     */
    static String decide(Perudo.Question question) {
        // For now: the smallest bid there is, and a doubt where there is none.
        int quantity = 0;
        int face = 0;
        for (int other = 1; other <= 6; other++) {
            int least = question.minimum(other);
            if (least > 0 && (face == 0 || least < quantity)) {
                quantity = least;
                face = other;
            }
        }
        return face > 0 ? Perudo.bid(quantity, face) : question.words.get(0);
    }

    public static void main(String[] args) {
        new Perudo("template-java").version("1").run(Bot::decide);
    }
}
