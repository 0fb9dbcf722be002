package io.ballast.http.h2.wire;

/**
 * Decodes the header blocks of one direction of a connection (RFC 7541) in order. Every block must be decoded, even if
 * it is then ignored, since it changes the dynamic table.
 *
 * <p>Confined to one thread. Cost: allocates only for entries that the peer adds to the table, and to grow buffers.
 */
public final class HpackDecoder {

    /** Default size of the peer's dynamic table (RFC 9113 section 6.5.2); we never change it. */
    public static final int TABLE_BYTES = 4096;

    private static final int MAX_SIZE_UPDATES = 2;
    private static final int FAULT = -1;
    /** The largest valid integer in a header block. */
    private static final int MAX = 1 << 24;

    private static final int RETAINED_BYTES = 1024;

    /** Receives the fields of a block, in order. The arrays are valid only during the call. */
    public interface Sink {
        void field(byte[] names, int nameFrom, int nameLength, byte[] values, int valueFrom, int valueLength);
    }

    private final DynamicTable table = new DynamicTable(TABLE_BYTES);
    private final Text name = new Text();
    private final Text value = new Text();
    private int position;

    /** Decodes {@code block[from, to)}; false if it is invalid, which is a connection error. */
    public boolean decode(byte[] block, int from, int to, Sink sink) {
        boolean good = fields(block, from, to, sink);
        name.trim();
        value.trim();
        return good;
    }

    private boolean fields(byte[] block, int from, int to, Sink sink) {
        position = from;
        int updates = 0;
        boolean fields = false;
        while (position < to) {
            int first = block[position];
            if (first < 0) {
                fields = true;
                if (!indexed(number(block, to, 7), sink)) {
                    return false;
                }
            } else if ((first & 0xe0) == 0x20) {
                int bytes = number(block, to, 5);
                if (fields || ++updates > MAX_SIZE_UPDATES || bytes < 0 || bytes > TABLE_BYTES) {
                    return false;
                }
                table.resize(bytes);
            } else {
                fields = true;
                boolean adds = (first & 0x40) != 0;
                if (!literal(block, to, number(block, to, adds ? 6 : 4), adds, sink)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean indexed(int index, Sink sink) {
        if (index <= 0) {
            return false;
        }
        if (index <= StaticTable.LENGTH) {
            byte[] known = StaticTable.name(index);
            byte[] text = StaticTable.value(index);
            sink.field(known, 0, known.length, text, 0, text.length);
            return true;
        }
        int entry = index - StaticTable.LENGTH - 1;
        if (entry >= table.count()) {
            return false;
        }
        byte[] field = table.field(entry);
        int length = table.nameLength(entry);
        sink.field(field, 0, length, field, length, field.length - length);
        return true;
    }

    private boolean literal(byte[] block, int to, int index, boolean adds, Sink sink) {
        if (index == FAULT) {
            return false;
        }
        if (index == 0) {
            if (!text(block, to, name)) {
                return false;
            }
        } else if (index <= StaticTable.LENGTH) {
            name.set(StaticTable.name(index), 0, StaticTable.name(index).length);
        } else {
            int entry = index - StaticTable.LENGTH - 1;
            if (entry >= table.count()) {
                return false;
            }
            name.set(table.field(entry), 0, table.nameLength(entry));
        }
        if (!text(block, to, value)) {
            return false;
        }
        sink.field(name.bytes, name.from, name.length, value.bytes, value.from, value.length);
        if (adds) {
            table.add(name.bytes, name.from, name.length, value.bytes, value.from, value.length);
        }
        return true;
    }

    private boolean text(byte[] block, int to, Text target) {
        if (position >= to) {
            return false;
        }
        boolean huffman = block[position] < 0;
        int length = number(block, to, 7);
        if (length < 0 || length > to - position) {
            return false;
        }
        int start = position;
        position += length;
        if (!huffman) {
            target.set(block, start, length);
            return true;
        }
        byte[] room = target.room(length * HuffmanDecoder.MAX_EXPANSION);
        int decoded = HuffmanDecoder.decode(block, start, start + length, room);
        target.set(room, 0, decoded);
        return decoded >= 0;
    }

    /** Reads a number with a prefix of {@code bits} bits (RFC 7541 section 5.1); negative if it is invalid. */
    private int number(byte[] block, int to, int bits) {
        int mask = (1 << bits) - 1;
        int number = block[position++] & mask;
        if (number < mask) {
            return number;
        }
        int shift = 0;
        while (position < to && shift <= 21) {
            int b = block[position++];
            number += (b & 0x7f) << shift;
            if (number > MAX) {
                return FAULT;
            }
            if (b >= 0) {
                return number;
            }
            shift += 7;
        }
        return FAULT;
    }

    /** A name or a value: a reference to its bytes, and a buffer for decoding. */
    private static final class Text {

        private byte[] own = new byte[128];
        private byte[] bytes = own;
        private int from;
        private int length;

        void set(byte[] source, int start, int count) {
            bytes = source;
            from = start;
            length = count;
        }

        /**
         * Drops the reference to the bytes of the last field. Also drops the object's own buffer if it is larger than
         * most fields need, because each connection has such a buffer.
         */
        void trim() {
            if (own.length > RETAINED_BYTES) {
                own = new byte[128];
            }
            bytes = own;
        }

        byte[] room(int count) {
            if (own.length < count) {
                own = new byte[Math.max(count, own.length * 2)];
            }
            return own;
        }
    }
}
