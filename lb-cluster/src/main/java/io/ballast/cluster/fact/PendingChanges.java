package io.ballast.cluster.fact;

import io.ballast.cluster.log.FactLog;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The changes of this node that are not committed yet. {@link #list} and {@link #rejected} may be called by any thread,
 * all other methods by the fact thread.
 *
 * <p>Bound: {@value #MAX_PENDING} changes; a further change is rejected.
 */
final class PendingChanges {

    static final int MAX_PENDING = 1000;

    private static final int SUBMIT_SECONDS = 5;

    private final Map<String, OwnChange> changes = new LinkedHashMap<>();
    private final ChangeWatches watches = new ChangeWatches();
    private final PendingFile file;
    private final FactLog log;
    private final Executor thread;
    private final InstantSource clock;
    private final Outcomes outcomes;
    private final LongAdder rejected = new LongAdder();
    private volatile List<PendingChange> published = List.of();

    /** Provides the committed facts, and is notified of rejected and restored changes. */
    interface Outcomes {

        /** The newest version of the fact known to this node; null if there is none. */
        @Nullable Fact committed(String key);

        void restored(PendingChange change);

        void rejected(PendingChange change, String reason);
    }

    PendingChanges(PendingFile file, FactLog log, Executor thread, InstantSource clock, Outcomes outcomes) {
        this.file = file;
        this.log = log;
        this.thread = thread;
        this.clock = clock;
        this.outcomes = outcomes;
    }

    List<PendingChange> list() {
        return published;
    }

    /** The number of changes that were rejected since the start. */
    long rejected() {
        return rejected.sum();
    }

    boolean contains(String key) {
        return changes.containsKey(key);
    }

    /** Begins to watch changes. */
    void watch(ChangeWatches.Watch watch) {
        watches.add(watch);
    }

    /** Called when the changes of a watch were made; see {@link ChangeWatch#result}. */
    void close(ChangeWatches.Watch watch) {
        watches.close(watch, changes.keySet());
    }

    /** Reads the changes of the previous process. */
    void restore() {
        for (PendingChange change : file.read()) {
            changes.putIfAbsent(
                    change.key(),
                    new OwnChange(change.key(), change.value().orElse(null), change.base(), change.since()));
        }
        published = changes.values().stream().map(OwnChange::view).toList();
        published.forEach(outcomes::restored);
        submit();
    }

    /** @param excess why the change would exceed a bound; empty if it does not */
    void add(String key, @Nullable String value, long base, Optional<String> excess) {
        OwnChange known = changes.get(key);
        Optional<String> refusal = known == null && changes.size() >= MAX_PENDING
                ? Optional.of(MAX_PENDING + " changes are pending")
                : excess;
        if (refusal.isPresent() && known != null) {
            remove(known, refusal.get());
            return;
        }
        if (refusal.isPresent()) {
            reject(new OwnChange(key, value, base, clock.instant()), refusal.get());
            return;
        }
        if (known != null) {
            known.value(value);
        } else {
            changes.put(key, new OwnChange(key, value, base, clock.instant()));
        }
        publish();
        submit();
    }

    private void publish() {
        published = changes.values().stream().map(OwnChange::view).toList();
        file.write(published);
        watches.completeSettled(changes.keySet());
    }

    /** Submits each change that is not in flight. */
    void submit() {
        if (log.leader() == null) {
            return;
        }
        for (OwnChange change : changes.values()) {
            FactCommand command = change.submit();
            if (command != null) {
                log.submit(command.encode())
                        .orTimeout(SUBMIT_SECONDS, TimeUnit.SECONDS)
                        .whenComplete((answer, failure) -> thread.execute(() -> answered(change, command, answer)));
            }
        }
    }

    /** @param answer null if the submission failed: it will be repeated */
    private void answered(OwnChange change, FactCommand command, byte @Nullable [] answer) {
        change.answered();
        if (answer == null || !change.equals(changes.get(change.key()))) {
            return;
        }
        FactAnswer decoded = FactAnswer.decode(answer);
        switch (decoded.outcome()) {
            case APPLIED -> applied(command);
            case CONFLICT -> remove(change, "another node changed the fact meanwhile");
            case FULL -> remove(change, "the cluster has too many facts");
            case MALFORMED -> remove(change, "the leader does not understand the change");
        }
    }

    /**
     * Ends the change if this node already has the value. Otherwise, the change stays pending until this node receives
     * the value through the log, so that the next change is based on it.
     */
    private void applied(FactCommand command) {
        Fact here = outcomes.committed(command.key());
        if (FactTable.hasValue(here, command.value())) {
            committed(command.key(), here);
        }
    }

    private void remove(OwnChange change, String reason) {
        changes.remove(change.key());
        reject(change, reason);
        publish();
    }

    private void reject(OwnChange change, String reason) {
        rejected.increment();
        watches.rejected(change.key(), reason);
        outcomes.rejected(change.view(), reason);
    }

    /** @param fact the committed fact; null if it was removed */
    void committed(String key, @Nullable Fact fact) {
        OwnChange change = changes.get(key);
        if (change == null) {
            return;
        }
        switch (change.committed(fact)) {
            case BASE -> {}
            case SETTLED -> {
                changes.remove(key);
                publish();
            }
            case EARLIER -> {
                publish();
                submit();
            }
            case FOREIGN -> remove(change, "another node changed the fact meanwhile");
        }
    }
}
