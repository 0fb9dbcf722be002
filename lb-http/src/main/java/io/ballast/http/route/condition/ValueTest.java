package io.ballast.http.route.condition;

import io.ballast.http.config.ValueMatch;
import io.ballast.http.route.regex.RoutePattern;
import io.ballast.http.route.request.RouteScratch;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Whether a value is one that a route asks for. Immutable. */
sealed interface ValueTest {

    boolean accepts(byte[] bytes, int from, int to, RouteScratch scratch);

    /** Compiles the test; one that asks for absence accepts any value, and its condition is turned around. */
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

    /** Says whether a value that passes the test is wanted. */
    static boolean isWanted(ValueMatch match) {
        return !(match instanceof ValueMatch.Present present) || present.wanted();
    }

    /** Every value. */
    enum Any implements ValueTest {
        VALUE;

        @Override
        public boolean accepts(byte[] bytes, int from, int to, RouteScratch scratch) {
            return true;
        }
    }

    /** One value. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, and never handed out of the package
    record Exact(byte[] value) implements ValueTest {
        @Override
        public boolean accepts(byte[] bytes, int from, int to, RouteScratch scratch) {
            return Arrays.equals(value, 0, value.length, bytes, from, to);
        }
    }

    /** Values that begin alike. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, and never handed out of the package
    record Prefix(byte[] value) implements ValueTest {
        @Override
        public boolean accepts(byte[] bytes, int from, int to, RouteScratch scratch) {
            return to - from >= value.length && Arrays.equals(value, 0, value.length, bytes, from, from + value.length);
        }
    }

    /** Values that match as a whole. Allocates what matching does. */
    record Regex(RoutePattern pattern) implements ValueTest {
        @Override
        public boolean accepts(byte[] bytes, int from, int to, RouteScratch scratch) {
            return pattern.matches(bytes, from, to, scratch.text());
        }
    }
}
