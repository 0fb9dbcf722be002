package io.ballast.http.h2.wire;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Decodes fields as {@code name: value}. */
final class DecodedFields {

    private final HpackDecoder decoder = new HpackDecoder();

    /** Decodes a valid block in hexadecimal digits. */
    List<String> of(String hex) {
        List<String> fields = new ArrayList<>();
        if (!decode(hex, fields)) {
            throw new AssertionError("a block at fault: " + hex);
        }
        return fields;
    }

    /** Whether the block is valid. */
    boolean accepts(String hex) {
        return decode(hex, new ArrayList<>());
    }

    private boolean decode(String hex, List<String> fields) {
        byte[] block = HexFormat.of().parseHex(hex.replace(" ", ""));
        return decode(decoder, block, fields);
    }

    /** Surrounds the block with other bytes, to detect reads beyond its ends. */
    static boolean decode(HpackDecoder decoder, byte[] block, List<String> fields) {
        byte[] room = new byte[block.length + 8];
        java.util.Arrays.fill(room, (byte) 0x82);
        System.arraycopy(block, 0, room, 4, block.length);
        return decoder.decode(
                room,
                4,
                4 + block.length,
                (names, nameFrom, nameLength, values, valueFrom, valueLength) ->
                        fields.add(text(names, nameFrom, nameLength) + ": " + text(values, valueFrom, valueLength)));
    }

    private static String text(byte[] bytes, int from, int length) {
        return new String(bytes, from, length, StandardCharsets.ISO_8859_1);
    }
}
