package io.ballast.server.compose;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.ballast.core.ErrorText;
import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.backend.WeightOverride;
import io.ballast.core.control.Background;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.health.ActiveMaintenance;
import io.ballast.core.health.ActiveStateOverride;
import io.ballast.core.health.ActiveWeightOverride;
import io.ballast.core.health.HealthMonitor;
import io.ballast.core.health.OperatorOverrides;
import io.ballast.core.health.OverrideSnapshot;
import io.ballast.core.pool.Topology;
import io.ballast.core.state.StateFile;
import io.ballast.dashboard.json.JsonObject;
import io.ballast.server.host.DataDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that preserves operators' overrides across restarts. It is replaced as a whole. The first process that takes
 * the file owns it; another process on the same directory keeps its overrides in memory only. Failures are recorded in
 * the log and the timeline, and change no override.
 *
 * <p>Thread safety: any thread may call any method. A separate thread writes the file.
 */
final class OverrideFile implements AutoCloseable {

    static final String NAME = "operator.json";

    private static final String ORDERS = "orders";
    private static final String WEIGHTS = "weights";
    private static final String POOLS = "pools_under_maintenance";

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
    private final AtomicReference<@Nullable OverrideSnapshot> unwritten = new AtomicReference<>();

    /** The lock on the data directory; null if not held. Guarded by this. */
    private @Nullable DataDirectory directoryLock;

    /** Whether the file belongs to another process; guarded by this. */
    private boolean ownedByOther;

    /** Whether the last write failed, which is logged once; guarded by this. */
    private boolean lastWriteFailed;

    /** Whether the previous process still owns the file; guarded by this. */
    private boolean writesSuspended;

    /** @param control the control plane whose timeline records failures */
    OverrideFile(Path directory, ControlPlane control) {
        this.directory = directory;
        this.file = directory.resolve(NAME);
        this.state = new StateFile(file, MAX_BYTES);
        this.control = control;
    }

    /**
     * Makes the file read-only until {@link #takeOwnership}, because the previous process still writes it. Must
     * be called before all other methods.
     */
    synchronized void suspendWrites() {
        writesSuspended = true;
    }

    /** Takes over the file after the previous process has released it. */
    synchronized void takeOwnership() {
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
    synchronized void releaseOwnership() throws IOException {
        write();
        ownedByOther = true;
        if (directoryLock != null) {
            directoryLock.close();
            directoryLock = null;
        }
    }

    /**
     * Creates the overrides of operators, and waits until those of the file apply. Call this before the first request.
     *
     * @param topology returns the active topology
     * @param closeConnections closes the connections to a backend under maintenance
     * @param changed also gets all overrides after each change, on the control plane's thread
     */
    OperatorOverrides restore(
            HealthMonitor health,
            Supplier<Topology> topology,
            Consumer<Backend> closeConnections,
            Consumer<OverrideSnapshot> changed) {
        Consumer<OverrideSnapshot> store = changed.andThen(this::save);
        OperatorOverrides restored = new OperatorOverrides(control, health, topology, closeConnections, store);
        OverrideSnapshot kept = read();
        if (!kept.isEmpty()) {
            restored.restore(kept)
                    .completeOnTimeout(null, MAX_WAIT_FOR_OVERRIDES.toSeconds(), TimeUnit.SECONDS)
                    .join();
        }
        return restored;
    }

    /** Reads the saved overrides; empty if there is no usable file. Call this before any other method. */
    synchronized OverrideSnapshot read() {
        if (!Files.exists(file)) {
            return OverrideSnapshot.EMPTY;
        }
        try {
            directoryLock = writesSuspended ? null : DataDirectory.acquireOverrides(directory);
        } catch (IOException e) {
            ownedByOther = true;
            reportFailure("cannot read or save overrides: " + ErrorText.of(e));
            return OverrideSnapshot.EMPTY;
        }
        try {
            Map<String, Object> kept = JsonObject.read(state.read().orElseThrow(() -> new NoSuchFileException(NAME)));
            return new OverrideSnapshot(
                    parseList(kept.get(ORDERS), OverrideFile::parseStateOverride),
                    parseList(kept.getOrDefault(WEIGHTS, List.of()), OverrideFile::parseWeightOverride),
                    parseList(kept.getOrDefault(POOLS, List.of()), OverrideFile::parseMaintenance));
        } catch (IOException e) {
            reportFailure("cannot read overrides from " + file + ": " + ErrorText.reason(e) + "; " + state.moveAside());
            return OverrideSnapshot.EMPTY;
        }
    }

    private <T> List<T> parseList(@Nullable Object list, Function<Map<?, ?>, T> reader) throws IOException {
        if (!(list instanceof List<?> entries)) {
            throw new IOException("the file does not contain a list of overrides");
        }
        List<T> orders = new ArrayList<>();
        for (Object entry : entries) {
            try {
                orders.add(reader.apply(entry instanceof Map<?, ?> fields ? fields : Map.of()));
            } catch (IllegalArgumentException | DateTimeParseException e) {
                reportFailure("an invalid override in " + file + " is ignored: " + ErrorText.reason(e) + "; "
                        + state.moveAside());
            }
        }
        return orders;
    }

    private static ActiveStateOverride parseStateOverride(Map<?, ?> fields) {
        String is = text(fields, "is");
        StateOverride.Kind kind = Stream.of(StateOverride.Kind.values())
                .filter(each -> each.label().equals(is))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("is: " + is + " (expected: drain, down or up)"));
        return new ActiveStateOverride(
                text(fields, "pool"),
                text(fields, "backend"),
                new StateOverride(kind, parseTerms(fields), time(fields, "deadline")));
    }

    private static ActiveWeightOverride parseWeightOverride(Map<?, ?> fields) {
        return new ActiveWeightOverride(
                text(fields, "pool"),
                text(fields, "backend"),
                new WeightOverride(Integer.parseInt(text(fields, "weight")), parseTerms(fields)));
    }

    private static ActiveMaintenance parseMaintenance(Map<?, ?> fields) {
        return new ActiveMaintenance(text(fields, "pool"), parseTerms(fields));
    }

    private static OverrideTerms parseTerms(Map<?, ?> fields) {
        return new OverrideTerms(
                text(fields, "who"), text(fields, "why"), Instant.parse(text(fields, "since")), time(fields, "until"));
    }

    private static Optional<Instant> time(Map<?, ?> fields, String name) {
        return Optional.ofNullable(fields.get(name)).map(Objects::toString).map(Instant::parse);
    }

    private static String text(Map<?, ?> fields, String name) {
        return Objects.toString(fields.get(name), "");
    }

    /** Saves {@code orders} in place of all earlier overrides. Returns immediately. */
    void save(OverrideSnapshot orders) {
        unwritten.set(orders);
        writer.execute(this::write);
    }

    /**
     * Writes pending changes.
     *
     * @throws IOException if the overrides could not be written; the next process would lose them
     */
    synchronized void flush() throws IOException {
        write();
        if (!ownedByOther && unwritten.get() != null) {
            throw new IOException("cannot write operators' overrides to " + file);
        }
    }

    private synchronized void write() {
        if (writesSuspended) {
            return;
        }
        OverrideSnapshot next = unwritten.getAndSet(null);
        if (next == null || ownedByOther || (next.isEmpty() && !Files.exists(file))) {
            return;
        }
        try {
            acquireLock();
            state.replace(serialize(next));
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

    private static byte[] serialize(OverrideSnapshot book) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = new JsonFactory().createGenerator(bytes, JsonEncoding.UTF8)) {
            json.setPrettyPrinter(new DefaultPrettyPrinter());
            json.writeStartObject();
            json.writeArrayFieldStart(ORDERS);
            for (ActiveStateOverride each : book.stateOverrides()) {
                json.writeStartObject();
                json.writeStringField("pool", each.pool());
                json.writeStringField("backend", each.address());
                json.writeStringField("is", each.override().kind().label());
                write(json, each.override().terms());
                write(json, "deadline", each.override().deadline());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayFieldStart(WEIGHTS);
            for (ActiveWeightOverride each : book.weights()) {
                json.writeStartObject();
                json.writeStringField("pool", each.pool());
                json.writeStringField("backend", each.address());
                json.writeNumberField("weight", each.override().weight());
                write(json, each.override().terms());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayFieldStart(POOLS);
            for (ActiveMaintenance each : book.pools()) {
                json.writeStartObject();
                json.writeStringField("pool", each.pool());
                write(json, each.terms());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator json, OverrideTerms terms) throws IOException {
        json.writeStringField("who", terms.author());
        json.writeStringField("why", terms.reason());
        json.writeStringField("since", terms.since().toString());
        write(json, "until", terms.until());
    }

    private static void write(JsonGenerator json, String name, Optional<Instant> time) throws IOException {
        if (time.isPresent()) {
            json.writeStringField(name, time.get().toString());
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
