package io.ballast.http.serving;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.SessionTokens;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.route.key.Cookies;
import io.ballast.http.route.request.RoutedRequest;
import org.jspecify.annotations.Nullable;

/**
 * The session affinity token of the current exchange: the token sent by the client, and whether the client
 * needs a new one. The cookie value is 32 hexadecimal digits. Event-loop confined.
 */
final class StickySessionToken {

    private static final int DIGITS_PER_HALF = 16;
    private static final byte[] HEX = ByteClasses.ascii("0123456789abcdef");

    private @Nullable SessionTokens tokens;
    private long high;
    private long low;

    /**
     * Clears the token for an exchange that has no pool with session affinity, or whose head is not known yet.
     */
    void clear() {
        tokens = null;
        high = 0;
        low = 0;
    }

    /** Starts an exchange with a pool that uses session affinity tokens. */
    void begin(RoutedRequest request, byte[] cookie, SessionTokens ofPool) {
        clear();
        tokens = ofPool;
        long range = Cookies.find(request, cookie);
        if (range == Cookies.NONE || Cookies.to(range) - Cookies.from(range) != 2 * DIGITS_PER_HALF) {
            return;
        }
        byte[] bytes = request.bytes();
        int from = Cookies.from(range);
        int middle = from + DIGITS_PER_HALF;
        if (isHex(bytes, from, middle + DIGITS_PER_HALF)) {
            high = number(bytes, from, middle);
            low = number(bytes, middle, middle + DIGITS_PER_HALF);
        }
    }

    private static boolean isHex(byte[] bytes, int from, int to) {
        int all = 0;
        for (int i = from; i < to; i++) {
            all |= ByteClasses.hexValue(bytes[i]); // hexValue is negative if the byte is not a digit
        }
        return all >= 0;
    }

    private static long number(byte[] bytes, int from, int to) {
        long number = 0;
        for (int i = from; i < to; i++) {
            number = (number << 4) | ByteClasses.hexValue(bytes[i]);
        }
        return number;
    }

    /** The upper half of the client's token; both halves are 0 for none. */
    long high() {
        return high;
    }

    /** The lower half of the client's token. */
    long low() {
        return low;
    }

    /** Whether the client needs a new token after an answer from this backend. */
    boolean needsCookie(@Nullable Backend backend) {
        SessionTokens known = tokens;
        return known != null && backend != null && !known.isCurrent(backend, high, low);
    }

    /** Appends the token for this backend. */
    void append(@Nullable Backend backend, ByteAppender target) {
        SessionTokens known = tokens;
        if (known != null && backend != null) {
            append(known.high(backend), target);
            append(known.low(backend), target);
        }
    }

    private static void append(long half, ByteAppender target) {
        for (int shift = Long.SIZE - 4; shift >= 0; shift -= 4) {
            target.append(HEX[(int) (half >>> shift) & 0xF]);
        }
    }
}
