package io.ballast.discovery;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.ballast.config.key.Addresses;
import io.ballast.core.Checks;
import io.ballast.core.ErrorText;
import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.config.Address;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.UnixSocket;
import io.ballast.core.state.StateFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of operators' edits of backends. Only the process that holds the file's lock writes it; other
 * processes keep edits only in memory.
 *
 * <p>Thread safety: all methods may be called from any thread.
 */
public final class EditFile implements AutoCloseable {

    static final String NAME = "backends.json";

    private static final String FILE_PREFIX = "file_";
    private static final int MAX_BYTES = 16 * 1024 * 1024;
    private static final Logger LOG = LoggerFactory.getLogger(EditFile.class);

    private final StateFile file;
    private final Lock lock;
    private final AtomicReference<@Nullable BackendEdits> pendingEdits = new AtomicReference<>();

    /** The lock, or null if this process does not hold it. Guarded by this. */
    private @Nullable AutoCloseable heldLock;

    /** Whether the last write failed. A failure is logged only once. Guarded by this. */
    private boolean failing;

    /** Whether the last write failed because another process has the lock; guarded by this. */
    private boolean ownedByOther;

    /** A lock that prevents writes by other processes. */
    @FunctionalInterface
    public interface Lock {

        /** @throws IOException if another process holds the lock; the message names the process */
        AutoCloseable acquire() throws IOException;
    }

    EditFile(Path directory, Lock lock) {
        this.file = new StateFile(directory.resolve(NAME), MAX_BYTES);
        this.lock = lock;
    }

    /** Returns the saved state. If there is no usable file, logs the reason and returns an empty state. */
    BackendEdits read() {
        try {
            Optional<byte[]> bytes = file.read();
            return bytes.isEmpty() ? BackendEdits.NONE : parse(bytes.get());
        } catch (IOException | IllegalArgumentException | DateTimeException e) {
            LOG.warn(
                    "file={} msg=\"cannot read the edits of backends; {}\" reason=\"{}\"",
                    file.path(),
                    file.moveAside(),
                    ErrorText.of(e).lines().findFirst().orElse(""));
            return BackendEdits.NONE;
        }
    }

    /** Parses the content of a file. */
    static BackendEdits parse(byte[] bytes) throws IOException {
        Map<BackendEdits.Key, BackendEdit> edits = new LinkedHashMap<>();
        try (JsonParser json = new JsonFactory().createParser(bytes)) {
            Checks.that(json.nextToken() == JsonToken.START_ARRAY, NAME, json.currentToken(), "a list");
            while (json.nextToken() == JsonToken.START_OBJECT) {
                Map<String, String> fields = new LinkedHashMap<>();
                while (json.nextToken() == JsonToken.FIELD_NAME) {
                    String name = json.currentName();
                    json.nextToken();
                    fields.put(name, json.getText());
                }
                Checks.that(edits.size() < BackendEdits.MAX, NAME, "more", BackendEdits.MAX + " entries at most");
                BackendEdit edit = edit(fields);
                edits.put(
                        new BackendEdits.Key(
                                text(fields, "pool"), edit.backend().address()),
                        edit);
            }
            Checks.that(json.currentToken() == JsonToken.END_ARRAY, NAME, json.currentToken(), "the end of the list");
        }
        return new BackendEdits(edits);
    }

    private static BackendEdit edit(Map<String, String> fields) {
        String is = text(fields, "is");
        BackendEdit.Kind kind = Stream.of(BackendEdit.Kind.values())
                .filter(each -> each.label().equals(is))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("is: " + is + " (expected: added, changed or removed)"));
        Address address = address(text(fields, "address"));
        return new BackendEdit(
                kind,
                backend(address, "", fields),
                fields.containsKey(FILE_PREFIX + "weight")
                        ? Optional.of(backend(address, FILE_PREFIX, fields))
                        : Optional.empty(),
                new OverrideTerms(
                        text(fields, "who"),
                        text(fields, "why"),
                        Instant.parse(text(fields, "since")),
                        Optional.empty()));
    }

    private static Address address(String text) {
        return text.startsWith(UnixSocket.SCHEME)
                ? new UnixSocket(text.substring(UnixSocket.SCHEME.length()))
                : Addresses.parse(text, "an address and a port");
    }

    private static BackendConfig backend(Address address, String prefix, Map<String, String> fields) {
        return new BackendConfig(
                address,
                Integer.parseInt(text(fields, prefix + "weight")),
                Integer.parseInt(text(fields, prefix + "priority")),
                Boolean.parseBoolean(text(fields, prefix + "backup")),
                Optional.ofNullable(fields.get(prefix + "region")),
                Stream.ofNullable(fields.get(prefix + "health_port"))
                        .mapToInt(Integer::parseInt)
                        .findFirst());
    }

    private static String text(Map<String, String> fields, String name) {
        return fields.getOrDefault(name, "");
    }

    /** Sets the state for the next {@link #write}; replaces an earlier state. May be called from any thread. */
    void setPending(BackendEdits edits) {
        pendingEdits.set(edits);
    }

    /**
     * Writes the pending edits. Logs only the first of consecutive errors. Returns whether nothing is pending any
     * more.
     */
    synchronized boolean write() {
        BackendEdits next = pendingEdits.getAndSet(null);
        if (next == null) {
            return true;
        }
        try {
            if (heldLock == null) {
                ownedByOther = true;
                heldLock = lock.acquire();
                ownedByOther = false;
            }
            file.replace(bytes(next));
            failing = false;
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            pendingEdits.compareAndSet(null, next);
            if (!failing) {
                failing = true;
                LOG.warn(
                        "file={} msg=\"cannot save the changes to backends for the next start\" reason=\"{}\"",
                        file.path(),
                        ErrorText.reason(e));
            }
            return false;
        }
    }

    /** Whether the file cannot be written because another process owns it. */
    synchronized boolean isOwnedByOther() {
        return ownedByOther;
    }

    /** Returns the content of a file. */
    static byte[] bytes(BackendEdits edits) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = new JsonFactory().createGenerator(bytes, JsonEncoding.UTF8)) {
            json.setPrettyPrinter(new DefaultPrettyPrinter());
            json.writeStartArray();
            for (Map.Entry<BackendEdits.Key, BackendEdit> each : edits.all().entrySet()) {
                BackendEdit edit = each.getValue();
                json.writeStartObject();
                json.writeStringField("pool", each.getKey().pool());
                json.writeStringField("address", edit.backend().address().toString());
                json.writeStringField("is", edit.kind().label());
                write(json, "", edit.backend());
                if (edit.fileEntry().isPresent()) {
                    write(json, FILE_PREFIX, edit.fileEntry().get());
                }
                json.writeStringField("who", edit.terms().author());
                json.writeStringField("why", edit.terms().reason());
                json.writeStringField("since", edit.terms().since().toString());
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator json, String prefix, BackendConfig backend) throws IOException {
        json.writeNumberField(prefix + "weight", backend.weight());
        json.writeNumberField(prefix + "priority", backend.priority());
        json.writeBooleanField(prefix + "backup", backend.backup());
        if (backend.region().isPresent()) {
            json.writeStringField(prefix + "region", backend.region().get());
        }
        if (backend.healthPort().isPresent()) {
            json.writeNumberField(prefix + "health_port", backend.healthPort().getAsInt());
        }
    }

    /** Releases the lock on the file. */
    @Override
    public synchronized void close() {
        AutoCloseable lockHeld = heldLock;
        heldLock = null;
        if (lockHeld != null) {
            try {
                lockHeld.close();
            } catch (Exception e) {
                LOG.warn("file={} msg=\"cannot release the lock\" reason=\"{}\"", file.path(), ErrorText.reason(e));
            }
        }
    }
}
