package io.ballast.config.key;

import java.util.Collection;
import java.util.Optional;

/** Finds the known word that is most similar to a misspelled one. */
public final class Suggestion {

    private static final int MAX_DISTANCE = 2;
    private static final int LONGEST_WORD = 64;

    private Suggestion() {}

    /** Returns {@code , did you mean 'x'?}, or an empty text if no known word is similar. */
    public static String didYouMean(String word, Collection<String> known) {
        return nearest(word, known)
                .map(nearest -> ", did you mean '" + nearest + "'?")
                .orElse("");
    }

    /**
     * Returns the known word with the smallest edit distance to {@code word}. The distance is at most two,
     * and less than the length of {@code word}.
     */
    static Optional<String> nearest(String word, Collection<String> known) {
        String best = null;
        int bestDistance = Math.min(MAX_DISTANCE, word.length() - 1) + 1;
        for (String candidate : known) {
            int distance = distance(word, candidate, bestDistance);
            if (distance < bestDistance) {
                bestDistance = distance;
                best = candidate;
            }
        }
        return Optional.ofNullable(best);
    }

    /** Damerau-Levenshtein distance (adjacent swaps count as one edit), capped at {@code limit}. */
    private static int distance(String a, String b, int limit) {
        if (Math.abs(a.length() - b.length()) >= limit || Math.max(a.length(), b.length()) > LONGEST_WORD) {
            return limit;
        }
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                d[i][j] = i == 0 || j == 0 ? i + j : step(d, a, b, i, j);
            }
        }
        return d[a.length()][b.length()];
    }

    private static int step(int[][] d, String a, String b, int i, int j) {
        int substitution = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int best = Math.min(d[i - 1][j - 1] + substitution, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, d[i - 2][j - 2] + 1) : best;
    }
}
