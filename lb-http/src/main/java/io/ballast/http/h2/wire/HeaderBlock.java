package io.ballast.http.h2.wire;

import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.FieldOutput;
import java.util.Arrays;

/**
 * Encodes a header block (RFC 7541) with the static table and literals only: no Huffman code, no entries in the peer's
 * dynamic table. A block can therefore be dropped at any time. Confined to one thread; allocates only when the buffer
 * grows.
 */
public final class HeaderBlock implements FieldOutput {

    /** The instruction that sets the size of the dynamic table to 0 (RFC 7541 section 6.3). */
    public static final int TABLE_SIZE_ZERO = 0x20;

    private static final int STATUS = 8;
    private static final int[] KNOWN_STATUSES = {200, 204, 206, 304, 400, 404, 500};
    private static final int AUTHORIZATION = 23;
    private static final int COOKIE = 32;
    private static final int SET_COOKIE = 55;
    private static final int NEVER_INDEXED = 0x10;

    private byte[] bytes = new byte[512];
    private int length;

    public byte[] bytes() {
        return bytes;
    }

    public int length() {
        return length;
    }

    @Override
    public void clear() {
        length = 0;
    }

    @Override
    public void status(int status) {
        for (int i = 0; i < KNOWN_STATUSES.length; i++) {
            if (KNOWN_STATUSES[i] == status) {
                indexed(STATUS + i);
                return;
            }
        }
        reserve(5);
        bytes[length++] = STATUS;
        bytes[length++] = 3;
        bytes[length++] = (byte) ('0' + status / 100);
        bytes[length++] = (byte) ('0' + status / 10 % 10);
        bytes[length++] = (byte) ('0' + status % 10);
    }

    /** Appends a field whose name and value are both in the static table. */
    public void indexed(int index) {
        reserve(1);
        bytes[length++] = (byte) (0x80 | index);
    }

    /** Appends a field whose name is in the static table. */
    public void literal(int nameIndex, byte[] values, int from, int to) {
        reserve(12 + to - from);
        number(nameIndex, 4, isSecret(nameIndex) ? NEVER_INDEXED : 0);
        text(values, from, to);
    }

    @Override
    public void field(byte[] source, int nameFrom, int nameTo, byte[] values, int valueFrom, int valueTo) {
        int index = StaticTable.indexOf(source, nameFrom, nameTo);
        if (index > 0) {
            literal(index, values, valueFrom, valueTo);
            return;
        }
        reserve(16 + nameTo - nameFrom + valueTo - valueFrom);
        bytes[length++] = 0;
        number(nameTo - nameFrom, 7, 0);
        for (int i = nameFrom; i < nameTo; i++) {
            bytes[length++] = ByteClasses.lower(source[i]);
        }
        text(values, valueFrom, valueTo);
    }

    /**
     * Whether the field must never be indexed by an intermediary, because its value could be guessed (RFC 7541 section
     * 7.1.3).
     */
    private static boolean isSecret(int nameIndex) {
        return nameIndex == SET_COOKIE || nameIndex == AUTHORIZATION || nameIndex == COOKIE;
    }

    private void text(byte[] source, int from, int to) {
        number(to - from, 7, 0);
        System.arraycopy(source, from, bytes, length, to - from);
        length += to - from;
    }

    private void number(int value, int bits, int flags) {
        int max = (1 << bits) - 1;
        if (value < max) {
            bytes[length++] = (byte) (flags | value);
            return;
        }
        bytes[length++] = (byte) (flags | max);
        int rest = value - max;
        while (rest > 0x7f) {
            bytes[length++] = (byte) (0x80 | (rest & 0x7f));
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
    }

    private void reserve(int count) {
        if (bytes.length - length < count) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + count));
        }
    }
}
