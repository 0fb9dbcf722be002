package io.ballast.net.tls;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Optional;

/** A minimal subset of DER (X.690), enough to wrap a private key in PKCS#8. */
final class Der {

    static final int SEQUENCE = 0x30;
    static final int OCTET_STRING = 0x04;
    static final int CONTEXT_0 = 0xa0;

    private static final int LONG_FORM = 0x80;

    private Der() {}

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.writeBytes(part);
        }
        return joined.toByteArray();
    }

    /** Encodes one value with its tag and length. */
    static byte[] wrap(int tag, byte[] content) {
        int length = content.length;
        byte[] head = length < LONG_FORM
                ? new byte[] {(byte) tag, (byte) length}
                : new byte[] {(byte) tag, (byte) (LONG_FORM | 2), (byte) (length >> 8), (byte) length};
        return join(head, content);
    }

    /** The content of the first value with a given tag inside a sequence. */
    static Optional<byte[]> find(byte[] sequence, int tag) {
        int at = contentStart(sequence, 0);
        while (at >= 0 && at + 1 < sequence.length) {
            int start = contentStart(sequence, at);
            int end = start < 0 ? -1 : start + length(sequence, at);
            if (end < 0 || end > sequence.length) {
                return Optional.empty();
            }
            if ((sequence[at] & 0xff) == tag) {
                return Optional.of(Arrays.copyOfRange(sequence, start, end));
            }
            at = end;
        }
        return Optional.empty();
    }

    /** Returns the offset of the content of the value at {@code at}; -1 if the encoding is invalid. */
    private static int contentStart(byte[] der, int at) {
        if (at + 1 >= der.length) {
            return -1;
        }
        int length = der[at + 1] & 0xff;
        int more = length < LONG_FORM ? 0 : length - LONG_FORM;
        return more > 2 || at + 2 + more > der.length ? -1 : at + 2 + more;
    }

    private static int length(byte[] der, int at) {
        int first = der[at + 1] & 0xff;
        return switch (first) {
            case LONG_FORM | 1 -> der[at + 2] & 0xff;
            case LONG_FORM | 2 -> ((der[at + 2] & 0xff) << 8) | (der[at + 3] & 0xff);
            default -> first;
        };
    }
}
