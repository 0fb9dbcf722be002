package io.ballast.dns.testing;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;

/** Builds valid and invalid queries with an OPT record byte by byte. */
public final class RawQuery {

    private static final HexFormat HEX = HexFormat.of();
    private static final String HEADER = "12340000%s000000000001";
    private static final String QUESTION = "03617070076578616d706c6503636f6d0000010001";

    private final ByteArrayOutputStream options = new ByteArrayOutputStream();
    private boolean question = true;
    private int version;
    private int flags;
    private int payload = 1232;

    /** Parses hexadecimal bytes; ignores spaces. */
    public static byte[] hex(String digits) {
        return HEX.parseHex(digits.replace(" ", ""));
    }

    public RawQuery withoutQuestion() {
        question = false;
        return this;
    }

    public RawQuery version(int number) {
        version = number;
        return this;
    }

    public RawQuery flags(int bits) {
        flags = bits;
        return this;
    }

    public RawQuery payload(int bytes) {
        payload = bytes;
        return this;
    }

    /** Adds an option with the correct length. */
    public RawQuery option(int code, String data) {
        byte[] bytes = hex(data);
        return option(code, bytes.length, data);
    }

    /** Adds an option with the given length. */
    public RawQuery option(int code, int length, String data) {
        options.writeBytes(u16(code));
        options.writeBytes(u16(length));
        options.writeBytes(hex(data));
        return this;
    }

    /** Returns a query for {@code app.example.com A}. */
    public byte[] toWire() {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        wire.writeBytes(hex(HEADER.replace("%s", question ? "0001" : "0000")));
        wire.writeBytes(hex(question ? QUESTION : ""));
        wire.writeBytes(hex("000029"));
        wire.writeBytes(u16(payload));
        wire.write(0);
        wire.write(version);
        wire.writeBytes(u16(flags));
        wire.writeBytes(u16(options.size()));
        wire.writeBytes(options.toByteArray());
        return wire.toByteArray();
    }

    private static byte[] u16(int value) {
        return new byte[] {(byte) (value >>> 8), (byte) value};
    }
}
