package io.ballast.http.serving;

import io.ballast.http.head.Octets;
import io.ballast.http.octets.OctetBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * The id of the present exchange of a connection: the client's, if that is trusted, else 128 random bits, drawn when it
 * is first asked for. Event-loop confined; allocates once for a connection, and only if an id is ever asked for.
 */
final class RequestId {

    static final int MOST_CHARACTERS = 128;

    private static final byte[] NOT_YET = {};
    private static final int HEX_DIGITS = 16;

    private final SplittableRandom random;
    private byte[] text = NOT_YET;
    private int length;

    RequestId(SplittableRandom random) {
        this.random = random;
    }

    /** Forgets the last exchange's. */
    void reset() {
        length = 0;
    }

    /** Takes over the id in {@code source[from, to)} if it is one: a token of at most 128 characters. */
    void take(byte[] source, int from, int to) {
        int characters = to - from;
        if (characters == 0 || characters > MOST_CHARACTERS) {
            return;
        }
        for (int i = from; i < to; i++) {
            if (!Octets.isToken(source[i])) {
                return;
            }
        }
        reserve();
        System.arraycopy(source, from, text, 0, characters);
        length = characters;
    }

    /** Its characters, from offset 0. Not to be written to. */
    byte[] text() {
        draw();
        return text;
    }

    int length() {
        draw();
        return length;
    }

    /** The same as a text, for what is not in a hurry. */
    String asText() {
        return new String(text(), 0, length(), StandardCharsets.US_ASCII);
    }

    private void draw() {
        if (length == 0) {
            reserve();
            OctetBuffer.writeHex(random.nextLong(), HEX_DIGITS, text, 0);
            OctetBuffer.writeHex(random.nextLong(), HEX_DIGITS, text, HEX_DIGITS);
            length = 2 * HEX_DIGITS;
        }
    }

    private void reserve() {
        if (text.length == 0) {
            text = new byte[MOST_CHARACTERS];
        }
    }
}
