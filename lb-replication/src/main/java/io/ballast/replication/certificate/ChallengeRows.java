package io.ballast.replication.certificate;

import io.ballast.cluster.observation.Observation;
import io.ballast.cluster.observation.ObservationListener;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * Publishes which responses to challenges this node serves, and reads which ones the other nodes serve. The row of a node
 * has a hash for each response. Thread-safe.
 */
final class ChallengeRows implements ObservationListener {

    static final String TOPIC = CertificateFacts.PREFIX + "challenges";
    private static final int HASH_BYTES = 16;
    private static final int MAX_HASHES = 1_000;

    private final Map<String, Set<String>> served = new ConcurrentHashMap<>();
    private final Object changed = new Object();
    private volatile Set<String> others = Set.of();
    private volatile BiConsumer<String, byte[]> board = (topic, content) -> {};

    /** @param target receives the topic and the content of the row of this node */
    void connect(BiConsumer<String, byte[]> target) {
        board = target;
    }

    /** @param values the values of the facts whose responses this node serves */
    void publish(Collection<String> values) {
        Set<String> hashes = new TreeSet<>();
        values.forEach(value -> hashes.add(hash(value)));
        board.accept(TOPIC, String.join("\n", hashes).getBytes(StandardCharsets.UTF_8));
    }

    private static String hash(String value) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(value.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is not available", e);
        }
    }

    @Override
    public void changed(List<Observation> present, List<Observation> gone) {
        gone.stream().filter(row -> row.topic().equals(TOPIC)).forEach(row -> served.remove(row.node()));
        present.stream()
                .filter(row -> row.topic().equals(TOPIC))
                .forEach(row -> served.put(
                        row.node(),
                        Set.of(new String(row.content(), StandardCharsets.UTF_8)
                                .lines()
                                .distinct()
                                .limit(MAX_HASHES)
                                .toArray(String[]::new))));
        notifyWaiting();
    }

    @Override
    public void connected(Set<String> nodes) {
        others = Set.copyOf(nodes);
        notifyWaiting();
    }

    private void notifyWaiting() {
        synchronized (changed) {
            changed.notifyAll();
        }
    }

    /**
     * Waits until all connected nodes serve the response of a fact.
     *
     * @param value the value of the fact
     * @return the nodes that do not serve it after the longest wait
     */
    Set<String> awaitServed(String value, Duration max) throws InterruptedException {
        String hash = hash(value);
        long end = System.nanoTime() + max.toNanos();
        synchronized (changed) {
            Set<String> missing = missing(hash);
            for (long rest = max.toNanos(); !missing.isEmpty() && rest > 0; rest = end - System.nanoTime()) {
                changed.wait(Math.max(Duration.ofNanos(rest).toMillis(), 1));
                missing = missing(hash);
            }
            return missing;
        }
    }

    private Set<String> missing(String hash) {
        Set<String> missing = new TreeSet<>(others);
        missing.removeIf(node -> served.getOrDefault(node, Set.of()).contains(hash));
        return missing;
    }
}
