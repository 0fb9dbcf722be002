package io.ballast.dns.forward.cache;

import io.ballast.dns.wire.Wire;
import java.util.Arrays;
import java.util.BitSet;

/**
 * A name from a message, decompressed and in lower case.
 *
 * <p>Thread safety: confined to one thread, which uses it for one name at a time.
 */
final class WireName {

    /**
     * The maximum number of compression pointers in one name. One pointer per label is sufficient; more pointers
     * would only cost time.
     */
    private static final int MAX_POINTERS = 127;

    private static final int POINTER_BYTES = 2;
    private static final int POINTER_TARGET_MASK = 0x3fff;

    private final byte[] bytes = new byte[Wire.MAX_NAME_BYTES];
    private int length;

    void set(byte[] name) {
        System.arraycopy(name, 0, bytes, 0, name.length);
        length = name.length;
    }

    /** Sets this name to a well-formed name without compression pointers; its letters may have either case. */
    void set(byte[] message, int start, int count) {
        copyLowerCase(message, start, start + count, bytes, 0);
        length = count;
    }

    /**
     * Reads the name at {@code start} of a message that ends at {@code end}. Each pointer must refer to an offset
     * before the part of the name that it terminates.
     *
     * @param changing bytes that must not be a compression target, because they are changed later
     * @return the end of the name; -1 if the name is malformed
     */
    int read(byte[] message, int start, int end, BitSet changing) {
        int first = start;
        int at = start;
        int count = 0;
        int pointers = 0;
        int nameEnd = -1;
        while (at < end) {
            int label = Wire.u8(message, at);
            int next = at + (label >= Wire.POINTER ? POINTER_BYTES : 1 + label);
            if (next > end || (pointers > 0 && containsMutableByte(changing, at, next))) {
                return -1;
            }
            if (label >= Wire.POINTER) {
                int target = Wire.u16(message, at) & POINTER_TARGET_MASK;
                pointers++;
                if (target >= first || target < Wire.HEADER_BYTES || pointers > MAX_POINTERS) {
                    return -1;
                }
                nameEnd = nameEnd < 0 ? next : nameEnd;
                first = target;
                at = target;
                continue;
            }
            if (label > Wire.MAX_LABEL_BYTES || count + 1 + label > Wire.MAX_NAME_BYTES) {
                return -1;
            }
            copyLowerCase(message, at, next, bytes, count);
            count += 1 + label;
            at = next;
            if (label == 0) {
                length = count;
                return nameEnd < 0 ? at : nameEnd;
            }
        }
        return -1;
    }

    private static boolean containsMutableByte(BitSet changing, int from, int to) {
        int next = changing.nextSetBit(from);
        return next >= 0 && next < to;
    }

    /**
     * Copies a name in lower case. A label length is at most 63, so a length byte is never an upper-case letter.
     */
    private static void copyLowerCase(byte[] message, int from, int to, byte[] target, int targetAt) {
        for (int i = from; i < to; i++) {
            int b = message[i];
            target[targetAt + i - from] = (byte) (b >= 'A' && b <= 'Z' ? b | 0x20 : b);
        }
    }

    /** Converts the labels of a well-formed name to lower case in place, up to its end or its first pointer. */
    static void lowerCase(byte[] message, int start) {
        int at = start;
        int label = Wire.u8(message, at);
        while (label != 0 && label < Wire.POINTER) {
            copyLowerCase(message, at, at + 1 + label, message, at);
            at += 1 + label;
            label = Wire.u8(message, at);
        }
    }

    /** Returns the length of the name in bytes, the root label included. */
    int length() {
        return length;
    }

    /** Copies the name to an offset of {@code target}, and returns the end offset of the copy. */
    int copy(byte[] target, int at) {
        System.arraycopy(bytes, 0, target, at, length);
        return at + length;
    }

    boolean isSame(byte[] name) {
        return Arrays.equals(bytes, 0, length, name, 0, name.length);
    }

    boolean isSame(WireName other) {
        return Arrays.equals(bytes, 0, length, other.bytes, 0, other.length);
    }

    boolean isAtOrBelow(WireName above) {
        return isAtOrBelow(above, above.length);
    }

    boolean isBelow(WireName above) {
        return length > above.length && isAtOrBelow(above);
    }

    /**
     * Returns whether the name is equal to, or below, the suffix of {@code other} that has {@code count} bytes.
     */
    boolean isAtOrBelow(WireName other, int count) {
        int cut = length - count;
        int at = 0;
        while (at < cut) {
            at += 1 + bytes[at];
        }
        return at == cut && Arrays.equals(bytes, at, length, other.bytes, other.length - count, other.length);
    }

    /**
     * Sets this to the name {@code from}, which is below {@code owner}, with {@code owner} replaced by
     * {@code target} (<a href="https://datatracker.ietf.org/doc/html/rfc6672#section-2.2">RFC 6672 section
     * 2.2</a>).
     *
     * @return false if the new name is too long
     */
    boolean substitute(WireName from, WireName owner, WireName target) {
        int prefixBytes = from.length - owner.length;
        if (prefixBytes + target.length > Wire.MAX_NAME_BYTES) {
            return false;
        }
        System.arraycopy(from.bytes, 0, bytes, 0, prefixBytes);
        length = target.copy(bytes, prefixBytes);
        return true;
    }
}
