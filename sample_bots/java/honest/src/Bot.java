import java.util.HashMap;
import java.util.Map;

/**
 * Honest bids what its own hand makes likely and doubts what its hand makes unlikely.
 *
 * <p>It believes its own dice and the binomial distribution for all others, nothing else. Every
 * language's honest decides alike, call by call, because the odds are computed with + - * / on
 * 64-bit floats in the order below, and no product is ever an operand of a sum.
 */
public final class Bot {
    /** It raises the quantity of a bid while the bid stays at least as likely as this. */
    private static final double SURE = 0.75;

    /** It doubts a bid that is more likely false than its own best bid is true, by more than this. */
    private static final double DOUBT = 0.5;

    private static final Map<Integer, Odds> KNOWN = new HashMap<>();

    private record Odds(double[] exactly, double[] atLeast) {}

    private record Chance(double exact, double isTrue) {}

    /** Of `dice` hidden dice each counts with 1/sides: P(exactly k) and P(at least k), k = 0..dice. */
    private static Odds odds(int dice, int sides) {
        double chance = 1.0;
        for (int k = 0; k < dice; k++) {
            chance = chance * (sides - 1) / sides;
        }
        double[] exactly = new double[dice + 1];
        exactly[0] = chance;
        for (int k = 0; k < dice; k++) {
            chance = chance * (dice - k) / ((k + 1) * (sides - 1));
            exactly[k + 1] = chance;
        }
        double[] atLeast = exactly.clone();
        for (int k = dice - 1; k >= 0; k--) {
            atLeast[k] = atLeast[k + 1] + exactly[k];
        }
        return new Odds(exactly, atLeast);
    }

    /** P(exactly `quantity` dice count for `face`) and P(at least so many), given the own hand. */
    private static Chance likely(Perudo.Question question, int quantity, int face) {
        int unseen = question.unseen();
        int need = quantity - question.count(face);
        if (need > unseen) {
            return new Chance(0.0, 0.0);
        }
        if (need < 0) {
            return new Chance(0.0, 1.0);
        }
        int sides = question.wild == 0 || question.wild == face ? 6 : 3;
        Odds odds = KNOWN.computeIfAbsent(unseen * 8 + sides, key -> odds(unseen, sides));
        return new Chance(odds.exactly[need], need > 0 ? odds.atLeast[need] : 1.0);
    }

    /** Tabba and palifico whenever offered; else the best of bid, dudo and calza. */
    static String decide(Perudo.Question question) {
        for (String word : new String[] {"tabba", "palifico"}) {
            if (question.words.contains(word)) {
                return word;
            }
        }
        Chance standing =
                question.quantity > 0
                        ? likely(question, question.quantity, question.face)
                        : new Chance(0.0, 1.0);
        double exact = question.words.contains("calza") ? standing.exact : 0.0;
        if (question.outOfTurn()) {
            return exact > 0.5 ? "calza" : "pass";
        }

        // On each face the highest quantity it is sure of, or else the lowest; of these the
        // likeliest, then the highest quantity, then the highest face.
        double best = -1.0;
        int most = 0;
        int on = 0;
        for (int face = 1; face <= 6; face++) {
            int quantity = question.minQuantity[face - 1];
            if (quantity > question.maxQuantity) {
                continue;
            }
            while (quantity < question.maxQuantity
                    && likely(question, quantity + 1, face).isTrue >= SURE) {
                quantity++;
            }
            double chance = likely(question, quantity, face).isTrue;
            if (chance > best || chance == best && quantity >= most) {
                best = chance;
                most = quantity;
                on = face;
            }
        }

        double isFalse = 1.0 - standing.isTrue;
        if (exact > 0.5 && exact > isFalse && exact > best) {
            return "calza";
        }
        if (question.words.contains("dudo") && (on == 0 || isFalse > best + DOUBT)) {
            return "dudo";
        }
        return Perudo.bid(most, on);
    }

    public static void main(String[] args) {
        new Perudo("honest-java").version("1").outOfTurn().run(Bot::decide);
    }
}
