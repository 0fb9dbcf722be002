package io.ballast.discovery;

import io.ballast.config.BallastConfig;
import io.ballast.core.ErrorText;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.Background;
import io.ballast.core.control.ControlPlane;
import io.ballast.discovery.source.DiscoveredBackend;
import io.ballast.discovery.source.SourceText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives the backends that the sources of a configuration report, and activates them. The first change is
 * activated immediately. Later changes are combined and activated at most once per second. A change that
 * fails is retried with increasing delays. An operator's edit is not retried, because the operator receives
 * the error.
 *
 * <p>Thread safety: {@link #stats} and {@link #isRefused} may be called from any thread. {@link #restore} and
 * {@link #start} are called first; all other methods are called by the control plane.
 */
public final class Discovery implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Discovery.class);

    /** The maximum number of waiting edits. */
    private static final int MAX_ORDERS = 1_000;

    /** Minimum time between two changes of the active backends. */
    private static final Duration MIN_CHANGE_INTERVAL = Duration.ofSeconds(1);

    /** Delay after a change, so that the results of several sources are combined. */
    private static final Duration GATHERING_DELAY = Duration.ofMillis(20);

    /**
     * Maximum delay before discovered backends that could not be activated are tried again; the first delay is
     * {@link #MIN_CHANGE_INTERVAL}.
     */
    private static final Duration MAX_RETRY_DELAY = Duration.ofSeconds(30);

    private final ControlPlane control;
    private final Executor changes;
    private final Target target;
    private final DiscoveredFile file;
    private final EditFile editFile;
    private final StateWriter writer;
    private final TrackedSources sources;
    private final Retry retry;

    private volatile BackendEdits activeEdits = BackendEdits.NONE;
    private Overlay active = Overlay.EMPTY;
    private Instant lastApplied = Instant.MIN;
    private final Deque<EditRequest> orders = new ArrayDeque<>();
    private @Nullable BallastConfig config;
    private BackendEdits edits = BackendEdits.NONE;
    private boolean dirty;
    private boolean scheduled;
    private boolean applying;

    /** The reason why the reported backends are not active; empty if they are. */
    private volatile String refusal = "";

    private volatile boolean closed;

    /** Applies an overlay to the running process. */
    @FunctionalInterface
    public interface Target {

        /**
         * Activates the overlay. Blocks; called on the thread that executes configuration changes.
         *
         * @throws IOException if a needed resource is not available
         * @throws IllegalStateException if the overlay cannot be served
         * @throws IllegalArgumentException if the overlay contradicts the configuration
         */
        void apply(Overlay overlay) throws IOException, InterruptedException;
    }

    /**
     * A requested edit.
     *
     * @param decision computes the next edits from the current edits; empty if nothing changes. Called on the control
     *     plane's thread when all earlier edits are active
     * @param fault completes with the reason if the edit could not be activated, else with an empty text
     */
    private record EditRequest(
            Function<BackendEdits, Optional<BackendEdits>> decision, CompletableFuture<String> fault) {}

    /**
     * The state of one source.
     *
     * @param source the description of the source, such as {@code dns app.internal}
     * @param backends number of backends in use from this source
     * @param lastSuccess time of the last success; absent if there was none since the start of the process
     * @param failures number of failed attempts
     */
    public record SourceStats(String pool, String source, int backends, Optional<Instant> lastSuccess, long failures) {}

    /**
     * @param changes executes changes of the running configuration, one at a time; may block
     * @param dataDir directory of the files with the last results and the operators' edits
     * @param lock acquires the lock for operators' edits
     */
    public Discovery(
            ControlPlane control,
            Executor changes,
            SourceFactory factory,
            Path dataDir,
            EditFile.Lock lock,
            Target target) {
        this(control, changes, factory, dataDir, lock, target, Background.of("discovered", 1));
    }

    /** @param writing executor that writes the files one at a time; its threads end when idle */
    Discovery(
            ControlPlane control,
            Executor changes,
            SourceFactory factory,
            Path dataDir,
            EditFile.Lock lock,
            Target target,
            Executor writing) {
        this.control = control;
        this.changes = changes;
        this.target = target;
        this.file = new DiscoveredFile(dataDir);
        this.editFile = new EditFile(dataDir, lock);
        this.writer = new StateWriter(control, writing, file, editFile);
        this.sources = new TrackedSources(factory, control, new ReportObserver());
        this.retry = new Retry(control, MIN_CHANGE_INTERVAL, MAX_RETRY_DELAY, this::applyPendingChanges);
    }

    /**
     * Returns the results of the configuration's sources that the previous run stored. Must be the first call.
     */
    public Overlay restore(BallastConfig config) {
        this.config = config;
        edits = editFile.read();
        sources.restore(config, file.read());
        active = overlay(edits);
        edits = active.edits();
        activeEdits = edits;
        return active;
    }

    /** Starts the sources. */
    public void start() {
        sources.start();
    }

    /**
     * Replaces the current sources with the sources of this configuration; unchanged sources continue. If the
     * settings of a source have changed, its last answer stays in use until the source answers again.
     */
    public void follow(BallastConfig config) {
        this.config = config;
        if (!closed && (sources.follow(config) || applying || !overlay(edits).equals(active))) {
            markChanged();
        }
    }

    /** Returns the state of all sources, in the order of the configuration. */
    public List<SourceStats> stats() {
        return sources.stats();
    }

    /** Returns whether the reported backends could not be activated. The activation is retried. */
    public boolean isRefused() {
        return !refusal.isEmpty();
    }

    private Overlay overlay(BackendEdits wanted) {
        Map<SourceName, List<DiscoveredBackend>> found = sources.acceptedBackends();
        BallastConfig file = config;
        return new Overlay(found, file == null ? wanted : wanted.current(file, found));
    }

    /**
     * Activates an operator's edit after all earlier edits.
     *
     * @param decision computes the next edits from the current edits; empty if nothing changes
     * @return completes with an empty text when the edit is active or changes nothing, otherwise with the failure
     *     reason
     */
    CompletableFuture<String> submitEdit(Function<BackendEdits, Optional<BackendEdits>> decision) {
        CompletableFuture<String> fault = new CompletableFuture<>();
        if (closed || orders.size() == MAX_ORDERS) {
            fault.complete("too many changes are waiting, or the process is shutting down");
        } else {
            orders.add(new EditRequest(decision, fault));
            applyNext();
        }
        return fault;
    }

    /** Returns the active edits of operators. May be called from any thread. */
    BackendEdits edits() {
        return activeEdits;
    }

    /** Returns the edits of {@code wanted} that apply to the configuration file and the reported backends. */
    BackendEdits applicable(BackendEdits wanted) {
        return overlay(wanted).edits();
    }

    /** Returns the active configuration as read from the file, without discovered backends and edits. */
    BallastConfig config() {
        return Objects.requireNonNull(config);
    }

    // ---- changes are applied one at a time

    private void markChanged() {
        dirty = true;
        retry.resetBackoff();
        applyNext();
    }

    private void applyNext() {
        EditRequest order = applying || closed ? null : orders.poll();
        if (order != null) {
            Optional<BackendEdits> wanted = nextEdits(order);
            if (wanted.isPresent()) {
                boolean wasDirty = dirty;
                apply(overlay(wanted.get()), refused -> {
                    dirty |= wasDirty && !refused.isEmpty();
                    order.fault().complete(refused);
                });
            } else {
                order.fault().complete("");
                applyNext();
            }
            return;
        }
        if (dirty && !scheduled && !retry.isWaiting() && !applying && !closed) {
            scheduled = true;
            Instant now = control.clock().instant();
            Duration since = lastApplied.equals(Instant.MIN) ? MIN_CHANGE_INTERVAL : Duration.between(lastApplied, now);
            Duration wait = since.isNegative()
                    ? MIN_CHANGE_INTERVAL
                    : MIN_CHANGE_INTERVAL.minus(since); // a negative time means that the clock was set back
            control.schedule(this::applyPendingChanges, wait.compareTo(GATHERING_DELAY) > 0 ? wait : GATHERING_DELAY);
        }
    }

    private Optional<BackendEdits> nextEdits(EditRequest order) {
        try {
            return order.decision().apply(edits);
        } catch (RuntimeException e) {
            order.fault().complete(ErrorText.of(e));
            return Optional.empty();
        }
    }

    private void applyPendingChanges() {
        scheduled = false;
        if (!dirty || applying || closed) {
            return;
        }
        Overlay next = overlay(edits);
        if (!refusal.isEmpty() && next.equals(active)) {
            dirty = false; // the rejected change was withdrawn
            refusal = "";
            return;
        }
        apply(next, refused -> {
            if (!refused.isEmpty()) {
                reportRefusal(refused);
            }
        });
    }

    /**
     * @param outcome called on the control plane's thread with the reason for a failure, or an empty text on success
     */
    private void apply(Overlay next, Consumer<String> outcome) {
        dirty = false;
        applying = true;
        changes.execute(() -> {
            String fault = "the change could not be applied";
            try {
                target.apply(next);
                fault = "";
            } catch (IOException | RuntimeException e) {
                LOG.debug("overlay", e);
                fault = ErrorText.of(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                String refused = fault;
                control.execute(() -> finishChange(next, refused, outcome));
            }
        });
    }

    private void finishChange(Overlay next, String refused, Consumer<String> outcome) {
        applying = false;
        lastApplied = control.clock().instant();
        if (refused.isEmpty()) {
            refusal = "";
            retry.resetBackoff();
            OverlayChange.of(active, next)
                    .forEach(change -> recordEvent(change.source().pool(), change.text()));
            active = next;
            boolean hasOtherEdits = !activeEdits.equals(next.edits());
            edits = next.edits();
            activeEdits = edits;
            writer.scheduleWrite(next, hasOtherEdits);
        }
        outcome.accept(refused);
        applyNext();
    }

    private void reportRefusal(String reason) {
        if (!reason.equals(refusal)) {
            refusal = reason;
            recordEvent("ballast", "cannot activate the discovered backends: " + SourceText.oneLine(reason));
        }
        if (dirty) {
            return; // a newer change will replace the rejected change
        }
        dirty = true;
        retry.scheduleAttempt();
    }

    /**
     * Completes when all edits requested so far are active or have failed, and are written; completes
     * exceptionally if they cannot be written. May be called from any thread.
     */
    public CompletableFuture<Void> flush() {
        return control.call(() -> submitEdit(edits -> Optional.empty())).thenCompose(done -> writer.flush());
    }

    /** Writes the pending state after another process has released the files. May be called from any thread. */
    public void writePendingState() {
        writer.startWrite();
    }

    private void recordEvent(String subject, String text) {
        LOG.info("pool={} msg=\"{}\"", subject, text.replace('"', '\''));
        control.timeline().add(Origin.DISCOVERY, subject, text);
    }

    /** Closes all sources, writes the last results and releases the files. Idempotent. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        sources.close();
        writer.close();
    }

    /** Handles the changes and notices that the sources report. */
    private final class ReportObserver implements TrackedSource.Observer {

        @Override
        public void onBackendsChanged() {
            Discovery.this.markChanged();
        }

        @Override
        public void onNotice(PoolSource source, String text) {
            Discovery.this.recordEvent(source.pool(), source.label() + ": " + text);
        }
    }
}
