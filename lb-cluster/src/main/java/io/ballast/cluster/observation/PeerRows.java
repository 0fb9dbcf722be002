package io.ballast.cluster.observation;

import io.ballast.cluster.observation.ObservationFrame.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows of other nodes, with their limits and expiry. Confined to the board's thread. */
final class PeerRows {

    private final Map<String, Writer> writers = new HashMap<>();
    private final ObservationCounters counters;
    private int rows;
    private long bytes;

    PeerRows(ObservationCounters counters) {
        this.counters = counters;
    }

    /** A row, and when it expires. */
    private record Stored(Observation observation, int size, long expiryNanos) {}

    /** The rows of one process of a node. */
    private static final class Writer {

        private final Map<String, Stored> rows = new HashMap<>();
        private final long incarnation;
        private long heardNanos;
        private int bytes;

        Writer(long incarnation) {
            this.incarnation = incarnation;
        }
    }

    /** Rows that have changed. */
    record Changes(List<Observation> present, List<Observation> gone) {

        Changes() {
            this(new ArrayList<>(), new ArrayList<>());
        }

        boolean isEmpty() {
            return present.isEmpty() && gone.isEmpty();
        }
    }

    int size() {
        return rows;
    }

    /** Applies a frame from a node; ignores a frame of an older process. */
    Changes apply(String node, long incarnation, ObservationFrame frame, long nowNanos) {
        Changes changes = new Changes();
        Writer writer = writers.get(node);
        if (writer != null && writer.incarnation > incarnation) {
            return changes;
        }
        if (writer == null || writer.incarnation < incarnation) {
            changes.gone().addAll(remove(node));
            writer = new Writer(incarnation);
            writers.put(node, writer);
        }
        writer.heardNanos = nowNanos;
        long expiry = nowNanos + frame.lifetimeSeconds() * ObservationBoard.NANOS_PER_SECOND;
        for (Row row : frame.rows()) {
            apply(node, writer, row, expiry, changes);
        }
        return changes;
    }

    private void apply(String node, Writer writer, Row row, long expiry, Changes changes) {
        Stored before = writer.rows.get(row.topic());
        if (before != null && before.observation().sequence() > row.sequence()) {
            return;
        }
        byte[] content = row.content();
        if (content == null) {
            if (before != null) {
                discard(writer, before);
                writer.rows.remove(row.topic());
                changes.gone().add(before.observation());
            }
            return;
        }
        if (before != null && before.observation().sequence() == row.sequence()) {
            writer.rows.put(row.topic(), new Stored(before.observation(), before.size(), expiry));
        } else if (isWithinLimits(writer, row, before)) {
            Stored next = new Stored(
                    new Observation(node, writer.incarnation, row.sequence(), row.topic(), content),
                    row.size(),
                    expiry);
            if (before != null) {
                discard(writer, before);
            }
            rows++;
            bytes += next.size();
            writer.bytes += next.size();
            writer.rows.put(row.topic(), next);
            changes.present().add(next.observation());
        } else {
            counters.countRefused();
        }
    }

    private boolean isWithinLimits(Writer writer, Row row, @Nullable Stored before) {
        int added = row.size() - (before == null ? 0 : before.size());
        boolean isNew = before == null;
        return writer.bytes + added <= ObservationBoard.MAX_NODE_BYTES
                && bytes + added <= ObservationBoard.MAX_BYTES
                && !(isNew && writer.rows.size() >= ObservationBoard.MAX_NODE_ROWS)
                && !(isNew && rows >= ObservationBoard.MAX_ROWS);
    }

    private void discard(Writer writer, Stored row) {
        rows--;
        bytes -= row.size();
        writer.bytes -= row.size();
    }

    /** Returns the rows of a node. */
    List<Observation> of(String node) {
        Writer writer = writers.get(node);
        return writer == null
                ? List.of()
                : writer.rows.values().stream().map(Stored::observation).toList();
    }

    /** Removes and returns the rows of a node. */
    List<Observation> remove(String node) {
        List<Observation> removed = of(node);
        Writer writer = writers.remove(node);
        if (writer != null) {
            writer.rows.values().forEach(row -> discard(writer, row));
        }
        return removed;
    }

    /** Removes and returns the rows that have expired, and those of nodes that are silent. Reads all rows. */
    List<Observation> removeExpired(long nowNanos) {
        List<Observation> removed = new ArrayList<>();
        for (Map.Entry<String, Writer> entry : List.copyOf(writers.entrySet())) {
            Writer writer = entry.getValue();
            if (nowNanos - writer.heardNanos > ObservationBoard.SILENCE_NANOS) {
                removed.addAll(remove(entry.getKey()));
                continue;
            }
            for (Iterator<Stored> each = writer.rows.values().iterator(); each.hasNext(); ) {
                Stored row = each.next();
                if (nowNanos - row.expiryNanos() > 0) {
                    each.remove();
                    discard(writer, row);
                    removed.add(row.observation());
                }
            }
        }
        return removed;
    }
}
