package io.ballast.policy.basic;

import io.ballast.http.route.request.RoutedRequest;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A user name and a password that a client has sent (RFC 7617 section 2).
 *
 * @param user the name, in UTF-8
 * @param password the bytes of the password as sent
 */
@SuppressWarnings("ArrayRecordComponent") // records are never compared, and the array never leaves the package
record BasicCredentials(String user, byte[] password) {

    /** The result of {@link #start} for credentials of another authentication scheme. */
    static final int OTHER_SCHEME = -1;

    private static final byte[] SCHEME = {'b', 'a', 's', 'i', 'c', ' '};
    private static final byte TO_LOWER_CASE = 0x20;
    private static final byte DELETE = 0x7F;

    /** Returns the start of the encoded credentials in an {@code Authorization} header, or {@link #OTHER_SCHEME}. */
    static int start(RoutedRequest request, int line) {
        byte[] bytes = request.bytes();
        int start = request.headerStart(line);
        int end = request.headerEnd(line);
        if (end - start <= SCHEME.length) {
            return OTHER_SCHEME;
        }
        for (byte expected : SCHEME) {
            if ((bytes[start++] | TO_LOWER_CASE) != expected) {
                return OTHER_SCHEME;
            }
        }
        while (start < end && bytes[start] == ' ') {
            start++;
        }
        return start;
    }

    /** Decodes the Base64 text in {@code bytes[from, to)}; returns null if it does not contain valid credentials. */
    static @Nullable BasicCredentials decode(byte[] bytes, int from, int to) {
        byte[] pair;
        try {
            pair = Base64.getDecoder().decode(Arrays.copyOfRange(bytes, from, to));
        } catch (IllegalArgumentException e) {
            return null;
        }
        int colon = 0;
        while (colon < pair.length && pair[colon] != ':') {
            colon++;
        }
        if (colon == pair.length || hasControl(pair)) {
            return null;
        }
        try {
            String user = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(pair, 0, colon))
                    .toString();
            return new BasicCredentials(user, Arrays.copyOfRange(pair, colon + 1, pair.length));
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static boolean hasControl(byte[] bytes) {
        for (byte b : bytes) {
            if ((b >= 0 && b < ' ') || b == DELETE) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return "BasicCredentials[...]";
    }
}
