package io.ballast.replication;

import io.ballast.cluster.observation.Observation;
import io.ballast.cluster.observation.ObservationListener;
import io.ballast.dashboard.source.NodeSum;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The observations that the connected nodes write about themselves. Thread-safe; the board bounds the memory. */
final class NodeRows implements ObservationListener {

    /** The topic of the row with the expiry time of a node's certificate: milliseconds since 1970, in 8 bytes. */
    static final String CERTIFICATE = "certificate";

    private final Map<String, Instant> certificates = new ConcurrentHashMap<>();
    private final Map<String, Map<String, byte[]>> sums = new ConcurrentHashMap<>();

    /** The content of the row {@link #CERTIFICATE}. */
    static byte[] encode(Instant end) {
        return ByteBuffer.allocate(Long.BYTES).putLong(end.toEpochMilli()).array();
    }

    /** The time at which the certificate of another node expires; empty if the node has not sent it. */
    Optional<Instant> certificateEnd(String node) {
        return Optional.ofNullable(certificates.get(node));
    }

    /** The counters that other nodes have sent, by the name of the node. */
    SortedMap<String, NodeSum> sums() {
        SortedMap<String, NodeSum> all = new TreeMap<>();
        sums.forEach((node, rows) -> all.put(node, SumRows.decode(rows.values())));
        return all;
    }

    private void changeSums(List<Observation> present, List<Observation> gone) {
        gone.stream()
                .filter(row -> row.topic().startsWith(SumRows.PREFIX))
                .forEach(row -> sums.computeIfPresent(row.node(), (node, rows) -> {
                    rows.remove(row.topic());
                    return rows.isEmpty() ? null : rows;
                }));
        present.stream()
                .filter(row -> row.topic().startsWith(SumRows.PREFIX))
                .forEach(row -> sums.computeIfAbsent(row.node(), added -> new ConcurrentHashMap<>())
                        .put(row.topic(), row.content()));
    }

    @Override
    public void changed(List<Observation> present, List<Observation> gone) {
        changeSums(present, gone);
        gone.stream().filter(row -> row.topic().equals(CERTIFICATE)).forEach(row -> certificates.remove(row.node()));
        present.stream()
                .filter(row -> row.topic().equals(CERTIFICATE) && row.content().length >= Long.BYTES)
                .forEach(row -> certificates.put(
                        row.node(),
                        Instant.ofEpochMilli(ByteBuffer.wrap(row.content()).getLong())));
    }

    @Override
    public void connected(Set<String> nodes) {}
}
