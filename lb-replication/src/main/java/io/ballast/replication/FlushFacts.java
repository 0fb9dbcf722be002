package io.ballast.replication;

import io.ballast.cluster.fact.Fact;
import io.ballast.cluster.fact.FactBound;
import io.ballast.cluster.fact.FactFamily;
import io.ballast.cluster.fact.FactStore;
import io.ballast.cluster.fact.PendingChange;
import io.ballast.core.ErrorText;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.Background;
import io.ballast.core.control.ControlPlane;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flushes of caches as facts, which each node executes once, in the order of the log. The key of a fact is {@code
 * flush/ID}. The leader removes all but the last {@value #KEPT} facts, so a node that missed more flushes does not
 * execute the earlier ones.
 *
 * <p>Thread safety: any thread may call any method. One thread executes the flushes.
 */
final class FlushFacts implements FactFamily, AutoCloseable {

    static final String PREFIX = "flush/";

    /** The number of flushes that are kept for nodes that are not connected. */
    static final int KEPT = 100;

    private static final Logger LOG = LoggerFactory.getLogger(FlushFacts.class);
    private static final FactBound BOUND = new FactBound(2 * KEPT, /* bytes= */ 2 << 20);
    private static final int ID_BYTES = 12;

    private final SecureRandom random = new SecureRandom();
    private final Background thread = Background.of("cluster-flush", /* max= */ 1);
    private final ControlPlane control;
    private final FlushTargets targets;
    private final ExecutedFlushes executed;
    /** Flushes that arrived before {@link #open}; null afterwards. */
    private @Nullable List<Fact> waiting = new ArrayList<>();

    private volatile @Nullable FactStore facts;

    /** @param file the file with the executed flushes */
    FlushFacts(ControlPlane control, FlushTargets targets, Path file) {
        this.control = control;
        this.targets = targets;
        this.executed = new ExecutedFlushes(file);
    }

    @Override
    public String prefix() {
        return PREFIX;
    }

    @Override
    public FactBound bound() {
        return BOUND;
    }

    @Override
    public void connect(FactStore store) {
        facts = store;
    }

    /** Begins to execute flushes. Called when the caches are in use and saved caches have been restored. */
    void open() {
        thread.execute(() -> {
            List<Fact> received = waiting;
            waiting = null;
            if (received != null) {
                received.forEach(this::execute);
            }
        });
    }

    /** Returns a key that no flush has. */
    String newKey() {
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        return PREFIX + HexFormat.of().formatHex(id);
    }

    /** Lets the other nodes execute a flush that this node has executed. */
    void add(String key, CacheFlush flush) {
        thread.execute(() -> {
            boolean unused = executed.add(key);
        });
        FactStore store = facts;
        if (store != null) {
            store.change(key, Optional.of(flush.encode()), Fact.ABSENT);
        }
    }

    @Override
    public void committed(String key, Optional<Fact> fact) {
        fact.ifPresent(present -> thread.execute(() -> receive(present)));
    }

    private void receive(Fact fact) {
        if (waiting == null) {
            execute(fact);
        } else {
            waiting.add(fact);
        }
        removeOldest();
    }

    private void execute(Fact fact) {
        if (executed.add(fact.key())) {
            CacheFlush.decode(fact.value()).ifPresent(this::execute);
        }
    }

    private void execute(CacheFlush flush) {
        int removed;
        try {
            removed = targets.flush(flush);
        } catch (NoSuchElementException e) {
            return; // this node does not have the cache
        } catch (IllegalArgumentException e) {
            LOG.warn("cluster=flush_failed flush=\"{}\" reason=\"{}\"", flush, ErrorText.of(e));
            return;
        }
        String by = flush.who().isEmpty() ? "" : " by " + flush.who();
        control.execute(() -> control.timeline()
                .add(
                        Origin.CLUSTER,
                        "cache",
                        "flushed" + by + " on another node: " + removed + " entries removed here"));
    }

    private void removeOldest() {
        FactStore store = facts;
        if (store == null || !store.isLeader()) {
            return;
        }
        List<Fact> all = store.all();
        for (Fact each : all.subList(0, Math.max(0, all.size() - KEPT))) {
            CompletableFuture<?> unused = store.propose(each.key(), /* value= */ Optional.empty(), each.version());
        }
    }

    /** Does nothing: the previous process has already executed its pending flushes. */
    @Override
    public void restored(PendingChange change) {}

    @Override
    public void ready(boolean isNew) {}

    @Override
    public void rejected(PendingChange change, String reason) {
        control.execute(() -> control.timeline()
                .add(Origin.CLUSTER, "cache", "the cluster rejected a flush of this node: " + reason));
    }

    @Override
    public void close() {
        thread.close();
    }
}
