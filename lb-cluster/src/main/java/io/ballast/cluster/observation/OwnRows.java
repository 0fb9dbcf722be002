package io.ballast.cluster.observation;

import io.ballast.cluster.observation.ObservationFrame.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The rows of this node, and the position of the next repetition. Confined to the board's thread. */
final class OwnRows {

    private final TreeMap<String, Row> rows = new TreeMap<>();
    private final ObservationCounters counters;
    private long sequence;
    private int bytes;
    private String repeated = "";

    OwnRows(ObservationCounters counters) {
        this.counters = counters;
    }

    /**
     * Replaces a row.
     *
     * @param content null to withdraw the row
     * @return the row to send; null if nothing has changed, or if the row was refused
     */
    @Nullable Row replace(String topic, byte @Nullable [] content) {
        Row before = rows.get(topic);
        byte[] previous = before == null ? null : before.content();
        if (Arrays.equals(previous, content)) {
            return null;
        }
        int without = bytes - (before == null ? 0 : before.size());
        Row next = new Row(++sequence, topic, content);
        if (content == null) {
            rows.remove(topic);
            bytes = without;
            return next;
        }
        if (without + next.size() > ObservationBoard.MAX_NODE_BYTES
                || (before == null && rows.size() >= ObservationBoard.MAX_NODE_ROWS)) {
            counters.countRefused();
            return null;
        }
        rows.put(topic, next);
        bytes = without + next.size();
        return next;
    }

    int size() {
        return rows.size();
    }

    List<Row> all() {
        return List.copyOf(rows.values());
    }

    /** Returns the number of calls of {@link #nextToRepeat} after which each row was repeated once. */
    int rounds() {
        return Math.max(
                ObservationBoard.MIN_ROUNDS, (bytes + ObservationFrame.MAX_BYTES - 1) / ObservationFrame.MAX_BYTES);
    }

    /** Returns the rows to repeat now, so that {@link #rounds} calls repeat each row once. */
    List<Row> nextToRepeat() {
        List<Row> next = new ArrayList<>();
        int quota = (bytes + rounds() - 1) / rounds();
        for (int taken = 0; taken < quota && next.size() < rows.size(); ) {
            Map.Entry<String, Row> following = rows.higherEntry(repeated);
            Map.Entry<String, Row> entry = following == null ? rows.firstEntry() : following;
            repeated = entry.getKey();
            taken += entry.getValue().size();
            next.add(entry.getValue());
        }
        return next;
    }
}
