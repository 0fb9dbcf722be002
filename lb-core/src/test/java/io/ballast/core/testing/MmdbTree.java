package io.ballast.core.testing;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * The search tree of a MaxMind DB. Each node has two records. A record refers to another node, to data, or to
 * nothing. Confined to one thread.
 */
final class MmdbTree {

    static final int NOTHING = -1;

    private static final int DATA = 1 << 30;

    /** Two records for each node: a node number, {@link #DATA} plus a data offset, or {@link #NOTHING}. */
    private int[] records = new int[1024];

    private int nodes;

    MmdbTree() {
        add(NOTHING);
    }

    /** Assigns data to the first {@code length} bits of an address, and replaces previous data. */
    void put(byte[] address, int length, int data) {
        set(address, length, DATA + data);
    }

    /** Makes an address prefix refer to the record of another prefix, as the aliases of IPv4 do. */
    void alias(byte[] address, int length, byte[] target, int targetLength) {
        int record = 0;
        for (int i = 0, node = 0; i < targetLength; i++, node = record) {
            record = records[2 * node + bit(target, i)];
        }
        set(address, length, record);
    }

    int size() {
        return nodes;
    }

    /** The tree in records of 24, 28 or 32 bits. */
    byte[] bytes(int recordBits) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(nodes * recordBits / 4);
        for (int node = 0; node < nodes; node++) {
            long left = written(records[2 * node]);
            long right = written(records[2 * node + 1]);
            switch (recordBits) {
                case 24 -> {
                    bigEndian(left, 3, out);
                    bigEndian(right, 3, out);
                }
                case 28 -> { // the middle byte holds the highest bits of both records
                    bigEndian(left, 3, out);
                    out.write((int) (left >>> 24 << 4 | right >>> 24));
                    bigEndian(right, 3, out);
                }
                case 32 -> {
                    bigEndian(left, 4, out);
                    bigEndian(right, 4, out);
                }
                default -> throw new IllegalArgumentException("record bits: " + recordBits);
            }
        }
        return out.toByteArray();
    }

    /** Returns the value of a record in the file; data begins 16 bytes after the tree. */
    private long written(int record) {
        if (record == NOTHING) {
            return nodes;
        }
        return record < DATA ? record : (long) nodes + 16 + (record - DATA);
    }

    private void set(byte[] address, int length, int record) {
        int node = 0;
        for (int i = 0; i < length - 1; i++) {
            int at = 2 * node + bit(address, i);
            if (records[at] == NOTHING || records[at] >= DATA) {
                int inherited = records[at];
                int child = add(inherited);
                records[at] = child;
            }
            node = records[at];
        }
        records[2 * node + bit(address, length - 1)] = record;
    }

    private int add(int both) {
        if (2 * nodes == records.length) {
            records = Arrays.copyOf(records, 2 * records.length);
        }
        records[2 * nodes] = both;
        records[2 * nodes + 1] = both;
        return nodes++;
    }

    private static int bit(byte[] address, int index) {
        return address[index / 8] >>> (7 - index % 8) & 1;
    }

    private static void bigEndian(long number, int bytes, ByteArrayOutputStream out) {
        for (int i = bytes - 1; i >= 0; i--) {
            out.write((int) (number >>> (8 * i)));
        }
    }
}
