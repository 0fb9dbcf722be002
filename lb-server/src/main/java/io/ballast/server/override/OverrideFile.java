package io.ballast.server.override;

import io.ballast.core.ErrorText;
import io.ballast.core.backend.Backend;
import io.ballast.core.backend.ExternalOverride;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.Background;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.health.ActiveExternalOverrides;
import io.ballast.core.health.HealthMonitor;
import io.ballast.core.health.OperatorOverrides;
import io.ballast.core.health.OverrideSnapshot;
import io.ballast.core.pool.Topology;
import io.ballast.core.state.StateFile;
import io.ballast.server.host.DataDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that preserves the overrides of operators and of external sources across restarts. It is replaced as a whole. The first process that takes
 * the file owns it; another process on the same directory keeps its overrides in memory only. Failures are recorded in
 * the log and the timeline, and change no override.
 *
 * <p>Thread safety: any thread may call any method. A separate thread writes the file.
 */
public final class OverrideFile implements AutoCloseable {

    public static final String NAME = "operator.json";

    private static final Logger LOG = LoggerFactory.getLogger(OverrideFile.class);
    /** Retry delay after a failed write; disk space may become available. */
    private static final Duration RETRY_DELAY = Duration.ofSeconds(30);

    private static final Duration MAX_WAIT_FOR_OVERRIDES = Duration.ofSeconds(10);
    private static final int MAX_BYTES = 16 * 1024 * 1024;

    private final Path directory;
    private final Path file;
    private final StateFile state;
    private final ControlPlane control;
    private final Background writer = Background.of("orders", 1);
    /** All overrides, written or not. */
    private final AtomicReference<SavedOverrides> latest = new AtomicReference<>(SavedOverrides.EMPTY);

    private final AtomicReference<@Nullable SavedOverrides> unwritten = new AtomicReference<>();

    /** The lock on the data directory; null if not held. Guarded by this. */
    private @Nullable DataDirectory directoryLock;

    /** Whether the file belongs to another process; guarded by this. */
    private boolean ownedByOther;

    /** Whether the last write failed, which is logged once; guarded by this. */
    private boolean lastWriteFailed;

    /** Whether the previous process still owns the file; guarded by this. */
    private boolean writesSuspended;

    /** @param control the control plane whose timeline records failures */
    public OverrideFile(Path directory, ControlPlane control) {
        this.directory = directory;
        this.file = directory.resolve(NAME);
        this.state = new StateFile(file, MAX_BYTES);
        this.control = control;
    }

    /**
     * Makes the file read-only until {@link #takeOwnership}, because the previous process still writes it. Must
     * be called before all other methods.
     */
    public synchronized void suspendWrites() {
        writesSuspended = true;
    }

    /** Takes over the file after the previous process has released it. */
    public synchronized void takeOwnership() {
        writesSuspended = false;
        if (Files.exists(file)) {
            try {
                directoryLock = DataDirectory.acquireOverrides(directory);
            } catch (IOException e) {
                ownedByOther = true;
                reportFailure("cannot save overrides: " + ErrorText.of(e));
            }
        }
        write();
    }

    /** Writes all pending changes, and releases the file to another process. */
    public synchronized void releaseOwnership() throws IOException {
        write();
        ownedByOther = true;
        if (directoryLock != null) {
            directoryLock.close();
            directoryLock = null;
        }
    }

    /**
     * Creates the overrides of operators and of external sources, and waits until the overrides in the file are
     * applied. Call this before the first request.
     *
     * @param topology returns the active topology
     * @param closeConnections closes the connections to a backend under maintenance
     * @param changed receives all overrides of operators after each change, in addition to this file; called on the
     *     control plane's thread
     * @param externalChanged receives the changes of external overrides, in addition to this file
     */
    public BackendOverrides restore(
            HealthMonitor health,
            Supplier<Topology> topology,
            Consumer<Backend> closeConnections,
            Consumer<OverrideSnapshot> changed,
            ActiveExternalOverrides.ChangeListener externalChanged) {
        Consumer<OverrideSnapshot> store = changed.andThen(this::save);
        BackendOverrides restored = new BackendOverrides(
                new OperatorOverrides(control, health, topology, closeConnections, store),
                new ActiveExternalOverrides(control, health, topology, this::saveExternal, externalChanged));
        SavedOverrides kept = read();
        latest.set(kept);
        if (!kept.isEmpty()) {
            CompletableFuture.allOf(
                            restored.operator().restore(kept.operators()),
                            restored.external().restore(kept.external()))
                    .completeOnTimeout(null, MAX_WAIT_FOR_OVERRIDES.toSeconds(), TimeUnit.SECONDS)
                    .join();
        }
        return restored;
    }

    /** Reads the saved overrides; empty if there is no usable file. Call this before any other method. */
    synchronized SavedOverrides read() {
        if (!Files.exists(file)) {
            return SavedOverrides.EMPTY;
        }
        try {
            directoryLock = writesSuspended ? null : DataDirectory.acquireOverrides(directory);
        } catch (IOException e) {
            ownedByOther = true;
            reportFailure("cannot read or save overrides: " + ErrorText.of(e));
            return SavedOverrides.EMPTY;
        }
        try {
            byte[] kept = state.read().orElseThrow(() -> new NoSuchFileException(NAME));
            return SavedOverridesJson.read(kept, this::reportInvalid);
        } catch (IOException e) {
            reportFailure("cannot read overrides from " + file + ": " + ErrorText.reason(e) + "; " + state.moveAside());
            return SavedOverrides.EMPTY;
        }
    }

    private void reportInvalid(String reason) {
        reportFailure("an invalid override in " + file + " is ignored: " + reason + "; " + state.moveAside());
    }

    /** Saves the overrides of operators in place of all earlier ones. Returns immediately. */
    void save(OverrideSnapshot orders) {
        save(latest.updateAndGet(all -> new SavedOverrides(orders, all.external())));
    }

    /** Saves the overrides of external sources in place of all earlier ones. Returns immediately. */
    void saveExternal(List<ExternalOverride> overrides) {
        save(latest.updateAndGet(all -> new SavedOverrides(all.operators(), overrides)));
    }

    private void save(SavedOverrides all) {
        unwritten.set(all);
        writer.execute(this::write);
    }

    /**
     * Writes pending changes.
     *
     * @throws IOException if the overrides could not be written; the next process would lose them
     */
    public synchronized void flush() throws IOException {
        write();
        if (!ownedByOther && unwritten.get() != null) {
            throw new IOException("cannot write overrides to " + file);
        }
    }

    private synchronized void write() {
        if (writesSuspended) {
            return;
        }
        SavedOverrides next = unwritten.getAndSet(null);
        if (next == null || ownedByOther || (next.isEmpty() && !Files.exists(file))) {
            return;
        }
        try {
            acquireLock();
            state.replace(SavedOverridesJson.write(next));
            lastWriteFailed = false;
        } catch (IOException e) {
            if (!lastWriteFailed) {
                lastWriteFailed = true;
                reportFailure(
                        "cannot write " + file + ": " + ErrorText.reason(e) + "; new overrides are lost at a restart");
            }
            if (!ownedByOther && unwritten.compareAndSet(null, next)) {
                control.schedule(() -> writer.execute(this::write), RETRY_DELAY);
            }
        }
    }

    /**
     * Locks the file. A file that was created after this process started belongs to another process, even if
     * that process has ended.
     */
    private void acquireLock() throws IOException {
        if (directoryLock != null) {
            return;
        }
        try {
            directoryLock = DataDirectory.acquireOverrides(directory);
        } catch (IOException e) {
            ownedByOther = true;
            throw e;
        }
        if (Files.exists(file)) {
            ownedByOther = true;
            throw new IOException(file + " belongs to another process");
        }
    }

    private void reportFailure(String text) {
        LOG.warn("data_dir={} msg=\"{}\"", directory, text.replace('"', '\''));
        control.execute(() -> control.timeline().add(Origin.OPERATOR, "ballast", text));
    }

    /** Writes pending data, and releases the file. */
    @Override
    public void close() throws IOException {
        write();
        writer.close();
        releaseOwnership();
    }
}
