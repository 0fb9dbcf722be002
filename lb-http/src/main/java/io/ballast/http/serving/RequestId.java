package io.ballast.http.serving;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.head.ByteClasses;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * The id of the current exchange of a connection: the client's id if trusted, otherwise 128 random bits generated at
 * first use. Event-loop confined; allocates once per connection, at the first use of an id.
 */
final class RequestId {

    static final int MAX_CHARACTERS = 128;

    private static final byte[] NOT_YET = {};
    private static final int HEX_DIGITS = 16;

    private final SplittableRandom random;
    private byte[] text = NOT_YET;
    private int length;

    RequestId(SplittableRandom random) {
        this.random = random;
    }

    /** Clears the id for the next exchange. */
    void reset() {
        length = 0;
    }

    /** Uses the id in {@code source[from, to)} if it is a token of at most 128 characters. */
    void useIfValid(byte[] source, int from, int to) {
        int characters = to - from;
        if (characters == 0 || characters > MAX_CHARACTERS) {
            return;
        }
        for (int i = from; i < to; i++) {
            if (!ByteClasses.isToken(source[i])) {
                return;
            }
        }
        reserve();
        System.arraycopy(source, from, text, 0, characters);
        length = characters;
    }

    /** The characters of the id, from offset 0. Must not be modified. */
    byte[] text() {
        generate();
        return text;
    }

    int length() {
        generate();
        return length;
    }

    /** The id as a string; allocates. */
    String asText() {
        return new String(text(), 0, length(), StandardCharsets.US_ASCII);
    }

    private void generate() {
        if (length == 0) {
            reserve();
            ByteAppender.writeHex(random.nextLong(), HEX_DIGITS, text, 0);
            ByteAppender.writeHex(random.nextLong(), HEX_DIGITS, text, HEX_DIGITS);
            length = 2 * HEX_DIGITS;
        }
    }

    private void reserve() {
        if (text.length == 0) {
            text = new byte[MAX_CHARACTERS];
        }
    }
}
