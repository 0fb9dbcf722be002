package io.ballast.replication.configuration;

import io.ballast.cluster.observation.Observation;
import io.ballast.cluster.observation.ObservationBoard;
import io.ballast.cluster.observation.ObservationListener;
import io.ballast.dashboard.source.SharedConfiguration.NodeState;
import io.ballast.dashboard.source.SharedConfiguration.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the version that this node uses, and its verdict about the proposed version, as observations; reads the
 * observations of the other nodes. Thread-safe.
 *
 * <p>Bounds: {@value #MAX_ERRORS} errors of {@value #MAX_ERROR_LENGTH} characters in a verdict.
 */
final class ConfigurationRows implements ObservationListener {

    private static final long NANOS_PER_MILLI = 1_000_000;

    static final int MAX_ERRORS = 20;
    static final int MAX_ERROR_LENGTH = 400;

    private static final String PREFIX = "configuration/";
    private static final String STATE = PREFIX + "state";
    private static final String VERDICT = PREFIX + "verdict";

    private final Map<String, NodeState> states = new ConcurrentSkipListMap<>();
    private final Map<String, TokenVerdict> verdicts = new ConcurrentHashMap<>();
    private final Object changed = new Object();
    /** The number of changes; guarded by {@link #changed}. */
    private long changes;

    private volatile @Nullable ObservationBoard board;
    private volatile Set<String> others = Set.of();

    private record TokenVerdict(String token, Verdict verdict) {}

    /** Sets the board that notifies this object, and carries the rows of this node. */
    void connect(ObservationBoard target) {
        board = target;
    }

    // ---- rows of this node

    void publish(NodeState own) {
        states.put(own.node(), own);
        put(
                STATE,
                new FactFields()
                        .with("mode", own.isLocal() ? "local" : "shared")
                        .with("version", own.version())
                        .with("sha256", own.sha256())
                        .with("failure", shortened(own.failure())));
        notifyWaiting();
    }

    /** @param token the token of the proposal */
    void publish(String token, Verdict own) {
        FactFields fields = new FactFields()
                .with("token", token)
                .with("accepted", own.isAccepted())
                .with("local", own.isLocal());
        List<String> errors = limited(own.errors());
        for (int i = 0; i < errors.size(); i++) {
            fields.with("error" + i, errors.get(i));
        }
        verdicts.put(own.node(), new TokenVerdict(token, own));
        put(VERDICT, fields);
        notifyWaiting();
    }

    void withdrawVerdict(String self) {
        ObservationBoard target = board;
        if (verdicts.remove(self) != null && target != null) {
            target.withdraw(VERDICT);
        }
    }

    private static List<String> limited(List<String> errors) {
        List<String> limited = new ArrayList<>();
        errors.stream().limit(MAX_ERRORS).forEach(error -> limited.add(shortened(error)));
        if (errors.size() > MAX_ERRORS) {
            limited.add("and " + (errors.size() - MAX_ERRORS) + " more errors");
        }
        return limited;
    }

    private static String shortened(String text) {
        return text.length() <= MAX_ERROR_LENGTH ? text : text.substring(0, MAX_ERROR_LENGTH) + "…";
    }

    private void put(String topic, FactFields fields) {
        ObservationBoard target = board;
        if (target != null) {
            target.put(topic, fields.encode().getBytes(StandardCharsets.UTF_8));
        }
    }

    // ---- rows of other nodes

    @Override
    public void changed(List<Observation> present, List<Observation> gone) {
        gone.forEach(row -> {
            if (row.topic().equals(STATE)) {
                states.remove(row.node());
            } else if (row.topic().equals(VERDICT)) {
                verdicts.remove(row.node());
            }
        });
        present.forEach(this::receive);
        notifyWaiting();
    }

    private void receive(Observation row) {
        if (!row.topic().startsWith(PREFIX)) {
            return;
        }
        try {
            FactFields fields = FactFields.parse(new String(row.content(), StandardCharsets.UTF_8));
            if (row.topic().equals(STATE)) {
                states.put(
                        row.node(),
                        new NodeState(
                                row.node(),
                                fields.text("mode").equals("local"),
                                fields.number("version"),
                                fields.text("sha256"),
                                fields.text("failure")));
            } else if (row.topic().equals(VERDICT)) {
                verdicts.put(row.node(), new TokenVerdict(fields.text("token"), verdict(row.node(), fields)));
            }
        } catch (IllegalArgumentException e) {
            return; // a row of another version of Ballast
        }
    }

    private static Verdict verdict(String node, FactFields fields) {
        List<String> errors = new ArrayList<>();
        for (int i = 0; fields.has("error" + i) && i <= MAX_ERRORS; i++) {
            errors.add(fields.text("error" + i));
        }
        return new Verdict(
                node,
                fields.text("accepted").equals("true"),
                fields.text("local").equals("true"),
                errors);
    }

    @Override
    public void connected(Set<String> nodes) {
        others = Set.copyOf(nodes);
        notifyWaiting();
    }

    /** The names of the connected nodes, without this node. */
    Set<String> others() {
        return others;
    }

    /** The states of this node and of the connected nodes, by name. */
    List<NodeState> states() {
        return List.copyOf(states.values());
    }

    Optional<NodeState> state(String node) {
        return Optional.ofNullable(states.get(node));
    }

    /** The verdict of a node about a proposal. */
    Optional<Verdict> verdict(String node, String token) {
        return Optional.ofNullable(verdicts.get(node))
                .filter(each -> each.token().equals(token))
                .map(TokenVerdict::verdict);
    }

    private void notifyWaiting() {
        synchronized (changed) {
            changes++;
            changed.notifyAll();
        }
    }

    /** Waits for a change, or until a time has passed. */
    void awaitChange(long maxMillis) throws InterruptedException {
        long end = System.nanoTime() + maxMillis * NANOS_PER_MILLI;
        synchronized (changed) {
            long before = changes;
            long rest = maxMillis;
            while (changes == before && rest > 0) {
                changed.wait(rest);
                rest = (end - System.nanoTime()) / NANOS_PER_MILLI;
            }
        }
    }
}
