package io.ballast.config.keys.pool;

import io.ballast.config.key.Scalars;
import io.ballast.config.key.Type;
import io.ballast.core.Checks;
import io.ballast.core.config.HealthCheck.StatusRange;
import io.ballast.core.config.RetryOn;
import java.util.ArrayList;
import java.util.List;

/** The values that {@code pools.NAME.retry.on} accepts. */
final class RetryConditions {

    private static final String CONNECT_FAILURE = "connect-failure";
    private static final String RESET = "reset";
    private static final String RESPONSE_TIMEOUT = "response-timeout";
    private static final String SERVER_ERRORS = "5xx";
    private static final StatusRange ALL_SERVER_ERRORS = new StatusRange(500, 599);
    private static final int MIN_STATUS = 400;

    static final Type<String> CONDITION = Scalars.matchingOrNumber(
                    "condition",
                    "connect-failure, reset, response-timeout, 5xx, or a status or range from 400 up, such as 503 or 502-504",
                    "connect-failure|reset|response-timeout|5xx|[45][0-9]{2}(-[45][0-9]{2})?")
            .map(RetryConditions::checked, word -> word);

    private RetryConditions() {}

    static RetryOn of(List<String> words) {
        return new RetryOn(
                words.contains(CONNECT_FAILURE),
                words.contains(RESET),
                words.contains(RESPONSE_TIMEOUT),
                words.stream()
                        .filter(RetryConditions::isStatus)
                        .map(RetryConditions::range)
                        .toList());
    }

    static List<String> words(RetryOn on) {
        List<String> words = new ArrayList<>();
        if (on.connectFailure()) {
            words.add(CONNECT_FAILURE);
        }
        if (on.reset()) {
            words.add(RESET);
        }
        if (on.responseTimeout()) {
            words.add(RESPONSE_TIMEOUT);
        }
        on.statuses().forEach(range -> words.add(range.equals(ALL_SERVER_ERRORS) ? SERVER_ERRORS : range.toString()));
        return words;
    }

    private static String checked(String word) {
        if (isStatus(word)) {
            StatusRange range = range(word);
            Checks.that(range.low() >= MIN_STATUS, "condition", word, "a status or range from 400 up");
        }
        return word;
    }

    private static boolean isStatus(String word) {
        return Character.isDigit(word.charAt(0));
    }

    private static StatusRange range(String word) {
        if (word.equals(SERVER_ERRORS)) {
            return ALL_SERVER_ERRORS;
        }
        int low = Integer.parseInt(word.substring(0, 3));
        return new StatusRange(low, word.length() == 3 ? low : Integer.parseInt(word.substring(4)));
    }
}
