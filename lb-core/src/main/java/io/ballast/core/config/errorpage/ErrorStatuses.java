package io.ballast.core.config.errorpage;

import io.ballast.core.Checks;

/** One error status, all statuses of a class (4xx or 5xx), or all error statuses. */
public record ErrorStatuses(int low, int high) {

    public static final int MIN = 400;
    public static final int MAX = 599;

    /** All error statuses. */
    public static final ErrorStatuses ALL = new ErrorStatuses(MIN, MAX);

    private static final String ALL_WORD = "default";
    private static final int CLASS_SIZE = 100;

    public ErrorStatuses {
        Checks.between(low, MIN, MAX, "status");
        Checks.between(high, low, MAX, "status");
    }

    /**
     * Parses a text that {@link #toString} returns.
     *
     * @throws IllegalArgumentException for any other text
     */
    public static ErrorStatuses parse(String word) {
        if (word.equals(ALL_WORD)) {
            return ALL;
        }
        Checks.that(
                word.matches("[45](xx|[0-9]{2})"), "status", word, "a status from 400 to 599, 4xx, 5xx or " + ALL_WORD);
        int hundreds = (word.charAt(0) - '0') * CLASS_SIZE;
        if (word.endsWith("xx")) {
            return new ErrorStatuses(hundreds, hundreds + CLASS_SIZE - 1);
        }
        int status = Integer.parseInt(word);
        return new ErrorStatuses(status, status);
    }

    public boolean contains(int status) {
        return status >= low && status <= high;
    }

    /** The number of statuses; a smaller number is more specific. */
    public int size() {
        return high - low + 1;
    }

    @Override
    public String toString() {
        return switch (size()) {
            case 1 -> Integer.toString(low);
            case CLASS_SIZE -> low / CLASS_SIZE + "xx";
            default -> ALL_WORD;
        };
    }
}
