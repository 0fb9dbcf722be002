package io.ballast.core.testing;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes the data section of a MaxMind DB ("MaxMind DB File Format Specification" 2.0, "Output Data Section"). A map
 * that was written before is written as a pointer to it. Confined to one thread.
 */
final class MmdbData {

    private static final int POINTER = 1;
    private static final int UTF_8 = 2;
    private static final int DOUBLE = 3;
    private static final int UINT_16 = 5;
    private static final int UINT_32 = 6;
    private static final int MAP = 7;
    private static final int UINT_64 = 9;
    private static final int ARRAY = 11;
    private static final int BOOLEAN = 14;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Map<Object, Integer> written = new HashMap<>();

    /** Writes a record unless an equal record exists; returns the offset of the record. */
    int record(Map<String, ?> record) {
        Integer before = written.get(record);
        if (before != null) {
            return before;
        }
        int at = out.size();
        map(record);
        return at;
    }

    byte[] bytes() {
        return out.toByteArray();
    }

    private void value(Object value) {
        if (written.containsKey(value)) {
            pointer(written.get(value));
        } else if (value instanceof String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            control(UTF_8, bytes.length);
            out.writeBytes(bytes);
        } else if (value instanceof Short number) {
            unsigned(UINT_16, number & 0xFFFF);
        } else if (value instanceof Integer number) {
            unsigned(UINT_32, Integer.toUnsignedLong(number));
        } else if (value instanceof Long number) {
            unsigned(UINT_64, number);
        } else if (value instanceof Double number) {
            control(DOUBLE, 8);
            out.writeBytes(ByteBuffer.allocate(8).putDouble(number).array());
        } else if (value instanceof Boolean flag) {
            control(BOOLEAN, flag ? 1 : 0);
        } else if (value instanceof List<?> list) {
            control(ARRAY, list.size());
            list.forEach(this::value);
        } else if (value instanceof Map<?, ?> map) {
            map(map);
        } else {
            throw new IllegalArgumentException("no type of the format: " + value.getClass());
        }
    }

    private void map(Map<?, ?> map) {
        int at = out.size();
        control(MAP, map.size());
        map.forEach((key, item) -> {
            value(key);
            value(item);
        });
        written.put(map, at); // stored after the items, so that the map cannot point to itself
    }

    /**
     * Writes a pointer of 11, 19, 27 or 32 bits; the range of each length begins after the range of the shorter
     * one.
     */
    private void pointer(int to) {
        if (to < 2048) {
            out.write(POINTER << 5 | to >>> 8);
            out.write(to);
        } else if (to < 526_336) {
            int rest = to - 2048;
            out.write(POINTER << 5 | 1 << 3 | rest >>> 16);
            bigEndian(rest, 2);
        } else {
            int rest = to - 526_336;
            out.write(POINTER << 5 | 2 << 3 | rest >>> 24);
            bigEndian(rest, 3);
        }
    }

    private void unsigned(int type, long number) {
        int bytes = (64 - Long.numberOfLeadingZeros(number) + 7) / 8;
        control(type, bytes);
        bigEndian(number, bytes);
    }

    /** Writes the type and the size; types above 7 take a separate byte. */
    private void control(int type, int size) {
        int first = size < 29 ? size : size < 285 ? 29 : 30;
        if (size >= 65_821) {
            throw new IllegalArgumentException("size: " + size + " (expected: < 65821)");
        }
        out.write((type > MAP ? 0 : type) << 5 | first);
        if (type > MAP) {
            out.write(type - MAP);
        }
        if (first == 29) {
            out.write(size - 29);
        } else if (first == 30) {
            bigEndian(size - 285, 2);
        }
    }

    private void bigEndian(long number, int bytes) {
        for (int i = bytes - 1; i >= 0; i--) {
            out.write((int) (number >>> (8 * i)));
        }
    }
}
