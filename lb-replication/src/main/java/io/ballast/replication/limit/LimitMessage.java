package io.ballast.replication.limit;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The message about shared limits that a node sends to another node in each round.
 *
 * <pre>
 *   version 1 byte | round 8 | echo 8 | number of limits 2 | limits
 *   limit: id 8 | rates 1 | number of demands 4 | demands | number of loans 4 | loans
 *   demand or loan: key 8 | need or share 4 | backlog 4 for each rate
 * </pre>
 *
 * @param round increases with each message of the sender
 * @param echo the last round of the receiver that the sender has applied; 0 for none
 * @param limits the limits of the sender by id
 */
record LimitMessage(long round, long echo, Map<Long, Part> limits) {

    /** The maximum number of demands in a message, and of loans. */
    static final int MAX_KEYS = 10_000;

    static final int MAX_LIMITS = 1_000;

    private static final int VERSION = 1;
    private static final int MAX_RATES = 4;
    private static final float MAX_BACKLOG = 1e6f;

    /**
     * One limit.
     *
     * @param demands the keys for which the sender needs more than its own part, or has borrowed
     * @param loans the shares that the sender lends to the receiver
     */
    record Part(List<Entry> demands, List<Entry> loans) {}

    /**
     * A key.
     *
     * @param amount the share of the limit that the sender needs or lends; 0 to 1
     * @param backlog the backlog of the sender for each rate; must not be changed
     */
    @SuppressWarnings("ArrayRecordComponent") // records are never compared, and the array is not copied
    record Entry(long key, float amount, float[] backlog) {}

    byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeLong(round);
            out.writeLong(echo);
            out.writeShort(limits.size());
            for (Map.Entry<Long, Part> limit : limits.entrySet()) {
                out.writeLong(limit.getKey());
                Part part = limit.getValue();
                out.writeByte(rates(part));
                write(out, part.demands());
                write(out, part.loans());
            }
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    private static int rates(Part part) {
        List<Entry> any = part.demands().isEmpty() ? part.loans() : part.demands();
        return any.isEmpty() ? 1 : any.get(0).backlog().length;
    }

    private static void write(DataOutputStream out, List<Entry> entries) throws IOException {
        out.writeInt(entries.size());
        for (Entry entry : entries) {
            out.writeLong(entry.key());
            out.writeFloat(entry.amount());
            for (float backlog : entry.backlog()) {
                out.writeFloat(Math.min(backlog, MAX_BACKLOG));
            }
        }
    }

    /** @throws IOException if the bytes are not a message of this version, or exceed a limit */
    static LimitMessage decode(byte[] message) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(message));
        int version = in.readUnsignedByte();
        if (version != VERSION) {
            throw new IOException("a message of version " + version + " (expected: " + VERSION + ")");
        }
        long round = in.readLong();
        long echo = in.readLong();
        int count = in.readUnsignedShort();
        require(count <= MAX_LIMITS, count + " limits", "at most " + MAX_LIMITS);
        Map<Long, Part> limits = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            long id = in.readLong();
            int rates = in.readUnsignedByte();
            require(rates >= 1 && rates <= MAX_RATES, rates + " rates", "1 to " + MAX_RATES);
            List<Entry> demands = read(in, rates);
            limits.put(id, new Part(demands, read(in, rates)));
        }
        return new LimitMessage(round, echo, limits);
    }

    private static List<Entry> read(DataInputStream in, int rates) throws IOException {
        int count = in.readInt();
        require(count >= 0 && count <= MAX_KEYS, count + " keys", "at most " + MAX_KEYS);
        List<Entry> entries = new ArrayList<>(Math.min(count, in.available() / Long.BYTES));
        for (int i = 0; i < count; i++) {
            long key = in.readLong();
            float amount = in.readFloat();
            require(amount >= 0 && amount <= 1, "an amount of " + amount, "0 to 1"); // false for NaN
            float[] backlog = new float[rates];
            for (int rate = 0; rate < rates; rate++) {
                backlog[rate] = in.readFloat();
                require(
                        backlog[rate] >= 0 && backlog[rate] <= MAX_BACKLOG,
                        "a backlog of " + backlog[rate],
                        "0 to " + MAX_BACKLOG);
            }
            entries.add(new Entry(key, amount, backlog));
        }
        return entries;
    }

    private static void require(boolean isValid, String found, String expected) throws IOException {
        if (!isValid) {
            throw new IOException(found + " (expected: " + expected + ")");
        }
    }
}
