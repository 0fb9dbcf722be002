package io.ballast.replication.configuration;

import io.ballast.cluster.fact.Fact;
import io.ballast.cluster.fact.FactBound;
import io.ballast.cluster.fact.FactFamily;
import io.ballast.cluster.fact.FactStore;
import io.ballast.cluster.fact.PendingChange;
import io.ballast.cluster.fact.ProposalResult;
import io.ballast.config.shared.ConfigurationBundle;
import io.ballast.core.control.UnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The facts about versions of the configuration. Thread-safe. */
final class ConfigurationFacts implements FactFamily {

    static final String PREFIX = "config/";

    /** Bound of all kept versions together; {@link Retention} removes old versions to make room. */
    static final long MAX_BYTES = 24L << 20;

    private static final FactBound BOUND = new FactBound(/* facts= */ 10_000, MAX_BYTES);
    private static final Duration MAX_COMMIT = Duration.ofSeconds(15);
    private static final int RETRY_MILLIS = 200;
    private static final int PARALLEL_PARTS = 16;

    private final ConcurrentSkipListMap<Long, VersionFact> versions = new ConcurrentSkipListMap<>();
    private final Object changed = new Object();
    private BiConsumer<Optional<VersionFact>, Optional<VersionFact>> versionListener = (before, after) -> {};
    private Runnable listener = () -> {};
    private volatile @Nullable FactStore facts;

    /** The active fact and its version; {@link Fact#ABSENT} if there is none. */
    record Known(ActiveFact fact, long base) {}

    /**
     * Sets the listeners. Called once, before {@link #connect}.
     *
     * @param all is called after each change of the active fact, on the fact thread; must not block
     * @param ofVersion is called in the same way with a version before and after its change
     */
    void listen(Runnable all, BiConsumer<Optional<VersionFact>, Optional<VersionFact>> ofVersion) {
        listener = all;
        versionListener = ofVersion;
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

    @Override
    public void committed(String key, Optional<Fact> fact) {
        if (key.startsWith(VersionFact.PREFIX)) {
            versionCommitted(key, fact);
        }
        if (key.equals(ActiveFact.KEY)) {
            listener.run();
        }
        synchronized (changed) {
            changed.notifyAll();
        }
    }

    private void versionCommitted(String key, Optional<Fact> fact) {
        long number = number(key);
        Optional<VersionFact> after = fact.flatMap(present -> VersionFact.decode(present.value()))
                .filter(version -> version.version().number() == number);
        VersionFact before = after.isPresent() ? versions.put(number, after.get()) : versions.remove(number);
        versionListener.accept(Optional.ofNullable(before), after);
    }

    private static long number(String key) {
        try {
            return Long.parseLong(key.substring(VersionFact.PREFIX.length()));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    @Override
    public void restored(PendingChange change) {}

    @Override
    public void ready(boolean isNew) {
        listener.run();
    }

    @Override
    public void rejected(PendingChange change, String reason) {}

    // ---- reading

    Known active() {
        FactStore store = facts;
        Optional<Fact> fact = store == null ? Optional.empty() : store.find(ActiveFact.KEY);
        return new Known(
                fact.flatMap(present -> ActiveFact.decode(present.value())).orElse(ActiveFact.NONE),
                fact.map(Fact::version).orElse(Fact.ABSENT));
    }

    /** The versions that are kept, the oldest first. */
    List<VersionFact> versions() {
        return List.copyOf(versions.values());
    }

    Optional<VersionFact> version(long number) {
        return Optional.ofNullable(versions.get(number));
    }

    /** @throws IllegalArgumentException if the content is not complete */
    ConfigurationBundle content(VersionFact version) {
        return DataFacts.read(version, key -> store().find(key).map(Fact::value));
    }

    /** @throws IllegalArgumentException if the content is not complete */
    byte[] compressed(VersionFact version) {
        return DataFacts.readCompressed(version, key -> store().find(key).map(Fact::value));
    }

    List<Fact> all() {
        return store().all();
    }

    boolean hasLeader() {
        FactStore store = facts;
        return store != null && store.hasLeader();
    }

    private FactStore store() {
        FactStore store = facts;
        if (store == null) {
            throw new UnavailableException("this process has not joined the cluster yet");
        }
        return store;
    }

    // ---- changes, on a thread that may block

    /**
     * Changes a fact, and waits until this node has received the change.
     *
     * @return false if the fact has another version than {@code base}
     * @throws UnavailableException if the majority is lost; the change may have been made or not
     */
    boolean commit(String key, Optional<String> value, long base) throws InterruptedException {
        long end = System.nanoTime() + MAX_COMMIT.toNanos();
        if (store().find(key).map(Fact::value).equals(value)) {
            return true;
        }
        while (true) {
            ProposalResult result = propose(key, value, base);
            switch (result) {
                case COMMITTED -> {
                    await(store -> store.find(key).map(Fact::value).equals(value), Duration.ofSeconds(5));
                    return true;
                }
                case OVERTAKEN -> {
                    return false;
                }
                case FULL ->
                    throw new IllegalArgumentException(
                            "the cluster has too many facts, or too large ones, to store the configuration (expected: a"
                                    + " smaller configuration)");
                case UNKNOWN -> {
                    if (System.nanoTime() - end > 0) {
                        throw new UnavailableException(
                                "no majority of the voters is connected any more; lb cluster history says what became"
                                        + " of the version when it is connected again");
                    }
                    await(store -> store.find(key).map(Fact::value).equals(value), Duration.ofMillis(RETRY_MILLIS));
                }
            }
        }
    }

    /** Stores the parts of content, several at a time. */
    void commitParts(String data, List<String> parts) throws InterruptedException {
        for (int start = 0; start < parts.size(); start += PARALLEL_PARTS) {
            int end = Math.min(parts.size(), start + PARALLEL_PARTS);
            List<CompletableFuture<ProposalResult>> proposed = new ArrayList<>();
            for (int i = start; i < end; i++) {
                proposed.add(store().propose(DataFacts.key(data, i), Optional.of(parts.get(i)), Fact.ABSENT));
            }
            proposed.forEach(result -> result.handle((done, failure) -> done).join());
            for (int i = start; i < end; i++) { // repeats failed proposals, and waits until this node has each part
                commit(DataFacts.key(data, i), Optional.of(parts.get(i)), Fact.ABSENT);
            }
        }
    }

    private ProposalResult propose(String key, Optional<String> value, long base) {
        try {
            return store().propose(key, value, base).join();
        } catch (CompletionException e) {
            return ProposalResult.UNKNOWN;
        }
    }

    private void await(Predicate<FactStore> condition, Duration max) throws InterruptedException {
        long end = System.nanoTime() + max.toNanos();
        synchronized (changed) {
            while (!condition.test(store())) {
                long rest = (end - System.nanoTime()) / 1_000_000;
                if (rest <= 0) {
                    return;
                }
                changed.wait(rest);
            }
        }
    }
}
