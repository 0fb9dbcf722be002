package io.ballast.http.route.condition;

import io.ballast.http.config.ValueMatch;
import io.ballast.http.route.regex.RoutePattern;
import io.ballast.http.route.request.RouteScratch;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Tests a value against a route's condition. Immutable. */
sealed interface ValueTest {

    boolean accepts(byte[] bytes, int from, int to, RouteScratch scratch);

    /**
     * Compiles the test. For a condition that requires absence, the test accepts any value and the caller
     * negates the result: see {@link #isRequired}.
     */
    static ValueTest of(ValueMatch match) {
        if (match instanceof ValueMatch.Exact exact) {
            return new Exact(exact.text().getBytes(StandardCharsets.UTF_8));
        }
        if (match instanceof ValueMatch.Prefix prefix) {
            return new Prefix(prefix.text().getBytes(StandardCharsets.UTF_8));
        }
        if (match instanceof ValueMatch.Regex regex) {
            return new Regex(RoutePattern.compile(regex.text()));
        }
        return Any.VALUE;
    }

    /** Whether only a value that is present can pass the test; false if the value must be absent. */
    static boolean isRequired(ValueMatch match) {
        return !(match instanceof ValueMatch.Present present) || present.wanted();
    }

    /** Accepts every value. */
    enum Any implements ValueTest {
        VALUE;

        @Override
        public boolean accepts(byte[] bytes, int from, int to, RouteScratch scratch) {
            return true;
        }
    }

    /** Accepts one value. */
    @SuppressWarnings("ArrayRecordComponent") // records are never compared, and the array never leaves the package
    record Exact(byte[] value) implements ValueTest {
        @Override
        public boolean accepts(byte[] bytes, int from, int to, RouteScratch scratch) {
            return Arrays.equals(value, 0, value.length, bytes, from, to);
        }
    }

    /** Accepts values with a prefix. */
    @SuppressWarnings("ArrayRecordComponent") // records are never compared, and the array never leaves the package
    record Prefix(byte[] value) implements ValueTest {
        @Override
        public boolean accepts(byte[] bytes, int from, int to, RouteScratch scratch) {
            return to - from >= value.length && Arrays.equals(value, 0, value.length, bytes, from, from + value.length);
        }
    }

    /** Accepts values that match a regular expression as a whole. Allocates in the regex matcher. */
    record Regex(RoutePattern pattern) implements ValueTest {
        @Override
        public boolean accepts(byte[] bytes, int from, int to, RouteScratch scratch) {
            return pattern.matches(bytes, from, to, scratch.text());
        }
    }
}
