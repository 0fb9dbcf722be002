package io.ballast.dns.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Sizes of the wire format, and access to its integers, which are unsigned and most significant byte first. */
public final class Wire {

    /** Bytes of a message header. */
    public static final int HEADER_BYTES = 12;

    /** The maximum size of a message; it is limited by the 16-bit length that precedes a message on TCP. */
    public static final int MAX_MESSAGE_BYTES = 65_535;

    /** The maximum length of a name, including the root's empty label. */
    public static final int MAX_NAME_BYTES = 255;

    /** The maximum length of a label, without its length byte. */
    public static final int MAX_LABEL_BYTES = 63;

    /** Two bits that mark a compression pointer instead of a label's length. */
    public static final int POINTER = 0xc0;

    /** A compression pointer to the name of the question, which has the same offset in all messages. */
    public static final int QUESTION_NAME = POINTER << 8 | HEADER_BYTES;

    /** The class IN (Internet); all zones have this class. */
    public static final int CLASS_IN = 1;

    /** The class CH, for queries about the server itself. */
    public static final int CLASS_CH = 3;

    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private Wire() {}

    public static int u8(byte[] bytes, int at) {
        return bytes[at] & 0xff;
    }

    public static int u16(byte[] bytes, int at) {
        return (short) SHORT.get(bytes, at) & 0xffff;
    }

    public static int u32(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    public static void putU16(byte[] bytes, int at, int value) {
        SHORT.set(bytes, at, (short) value);
    }

    public static void putU32(byte[] bytes, int at, int value) {
        INT.set(bytes, at, value);
    }

    /** Writes a record's fields before its data (owner pointer, type, class, TTL, data length): 12 bytes. */
    public static void putRecord(byte[] bytes, int at, int ownerPointer, int type, int ttlSeconds, int dataBytes) {
        putU16(bytes, at, ownerPointer);
        putU16(bytes, at + 2, type);
        putU16(bytes, at + 4, CLASS_IN);
        putU32(bytes, at + 6, ttlSeconds);
        putU16(bytes, at + 10, dataBytes);
    }
}
