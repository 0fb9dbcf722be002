package io.ballast.cluster.log;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Splits snapshots into parts, each small enough for a message. */
final class Chunks {

    private static final int BYTES = 256 << 10;

    private Chunks() {}

    /** Returns the parts of a snapshot, at least one. */
    static List<byte[]> split(byte[] bytes) {
        List<byte[]> parts = new ArrayList<>();
        int start = 0;
        do {
            int end = Math.min(bytes.length, start + BYTES);
            parts.add(Arrays.copyOfRange(bytes, start, end));
            start = end;
        } while (start < bytes.length);
        return parts;
    }
}
