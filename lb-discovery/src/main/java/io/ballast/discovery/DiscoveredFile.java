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
import io.ballast.core.config.HostPort;
import io.ballast.core.state.StateFile;
import io.ballast.discovery.source.DiscoveredBackend;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file with the last results of the sources. With this file, a process can serve even if it starts while
 * the sources are unreachable. If the file is lost or broken, only these results are lost.
 *
 * <p>Thread safety: all methods may be called from any thread.
 */
final class DiscoveredFile {

    static final String NAME = "discovered.json";

    /** Maximum size of the file; enough for hundreds of thousands of backends. */
    private static final int MAX_BYTES = 64 * 1024 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(DiscoveredFile.class);

    private final StateFile file;
    /** Whether the last write failed. A failure is logged only once. Guarded by this. */
    private boolean failing;

    /** The next overlay to write; a later overlay replaces it. */
    private final AtomicReference<@Nullable Overlay> pendingOverlay = new AtomicReference<>();

    DiscoveredFile(Path directory) {
        this.file = new StateFile(directory.resolve(NAME), MAX_BYTES);
    }

    /** Returns the saved state. If there is no usable file, logs the reason and returns an empty state. */
    Map<SourceName, List<DiscoveredBackend>> read() {
        try {
            Optional<byte[]> bytes = file.read();
            return bytes.isEmpty() ? Map.of() : parse(bytes.get());
        } catch (IOException | IllegalArgumentException e) {
            LOG.warn(
                    "file={} msg=\"cannot read the saved discovered backends; {}\" reason=\"{}\"",
                    file.path(),
                    file.moveAside(),
                    ErrorText.of(e).lines().findFirst().orElse(""));
            return Map.of();
        }
    }

    private static Map<SourceName, List<DiscoveredBackend>> parse(byte[] bytes) throws IOException {
        Map<SourceName, List<DiscoveredBackend>> sets = new LinkedHashMap<>();
        try (JsonParser json = new JsonFactory().createParser(bytes)) {
            expect(json.nextToken() == JsonToken.START_ARRAY, json, "a list of sources");
            while (json.nextToken() == JsonToken.START_OBJECT) {
                String pool = "";
                String label = "";
                List<DiscoveredBackend> backends = List.of();
                while (json.nextToken() == JsonToken.FIELD_NAME) {
                    String field = json.currentName();
                    json.nextToken();
                    switch (field) {
                        case "pool" -> pool = json.getText();
                        case "source" -> label = json.getText();
                        case "backends" -> backends = backends(json);
                        default -> json.skipChildren();
                    }
                }
                sets.put(new SourceName(pool, label), backends);
            }
            expect(json.currentToken() == JsonToken.END_ARRAY, json, "the end of the list");
        }
        return sets;
    }

    /**
     * Reads at most {@value ScreenedBackends#MAX_BACKENDS} backends of a source. The file may contain up to twice
     * as many: while an answer is pending, the file has both the accepted and the pending backends.
     */
    private static List<DiscoveredBackend> backends(JsonParser json) throws IOException {
        List<DiscoveredBackend> backends = new ArrayList<>();
        expect(json.currentToken() == JsonToken.START_ARRAY, json, "a list of backends");
        while (json.nextToken() == JsonToken.START_OBJECT) {
            HostPort address = null;
            int weight = 1;
            boolean backup = false;
            boolean draining = false;
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String field = json.currentName();
                json.nextToken();
                switch (field) {
                    case "address" -> address = Addresses.parse(json.getText(), "an address and a port");
                    case "weight" -> weight = json.getIntValue();
                    case "backup" -> backup = json.getBooleanValue();
                    case "draining" -> draining = json.getBooleanValue();
                    default -> json.skipChildren();
                }
            }
            expect(address != null, json, "an address");
            if (address != null && backends.size() < ScreenedBackends.MAX_BACKENDS) {
                backends.add(new DiscoveredBackend(address, weight, backup, draining));
            }
        }
        expect(json.currentToken() == JsonToken.END_ARRAY, json, "the end of the list");
        return backends;
    }

    private static void expect(boolean holds, JsonParser json, String expectation) {
        Checks.that(holds, "line " + json.currentLocation().getLineNr(), json.currentToken(), expectation);
    }

    /** Sets the state for the next {@link #write}; replaces an earlier state. May be called from any thread. */
    void setPending(Overlay overlay) {
        pendingOverlay.set(overlay);
    }

    /**
     * Writes the pending results. Logs only the first of consecutive errors. Returns whether all results have
     * been written.
     */
    synchronized boolean write() {
        Overlay next = pendingOverlay.getAndSet(null);
        if (next == null) {
            return true;
        }
        try {
            file.replace(bytes(next));
            failing = false;
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            pendingOverlay.compareAndSet(null, next);
            if (!failing) {
                failing = true;
                LOG.warn(
                        "file={} msg=\"cannot save the discovered backends for the next start\" reason=\"{}\"",
                        file.path(),
                        ErrorText.reason(e));
            }
            return false;
        }
    }

    private static byte[] bytes(Overlay overlay) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = new JsonFactory().createGenerator(bytes, JsonEncoding.UTF8)) {
            json.setPrettyPrinter(new DefaultPrettyPrinter());
            json.writeStartArray();
            for (Map.Entry<SourceName, List<DiscoveredBackend>> each :
                    overlay.reportedBackends().entrySet()) {
                json.writeStartObject();
                json.writeStringField("pool", each.getKey().pool());
                json.writeStringField("source", each.getKey().label());
                json.writeArrayFieldStart("backends");
                for (DiscoveredBackend backend : each.getValue()) {
                    json.writeStartObject();
                    json.writeStringField("address", backend.address().toString());
                    json.writeNumberField("weight", backend.weight());
                    json.writeBooleanField("backup", backend.backup());
                    json.writeBooleanField("draining", backend.draining());
                    json.writeEndObject();
                }
                json.writeEndArray();
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        return bytes.toByteArray();
    }
}
