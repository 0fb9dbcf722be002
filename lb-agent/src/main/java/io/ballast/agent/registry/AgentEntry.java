package io.ballast.agent.registry;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An agent with its last report. Confined to the thread of the registry. */
final class AgentEntry {

    private AgentIdentity identity;
    private final Map<BackendKey, ReportedBackend> backends = new LinkedHashMap<>();
    /** The backends that were up at least once, and have therefore joined their pools. */
    private final Map<BackendKey, Boolean> joined = new LinkedHashMap<>();
    /** For each backend with a reduced weight, the sequence number of the request for the reduction. */
    private final Map<BackendKey, Long> reducedSince = new LinkedHashMap<>();

    private String client = "";
    private @Nullable Instant lastReport;
    private long lastNanos;
    private boolean isStale;
    /** Identifies the last report if all of its backends were accepted and are still present; otherwise empty. */
    private String reportVersion = "";
    /** Whether the cluster has agreed on the identity, or on an earlier form of it. */
    private boolean isShared;

    AgentEntry(AgentIdentity identity, long nowNanos) {
        this.identity = identity;
        this.lastNanos = nowNanos;
    }

    AgentIdentity identity() {
        return identity;
    }

    void identity(AgentIdentity next) {
        identity = next;
    }

    Map<BackendKey, ReportedBackend> backends() {
        return backends;
    }

    boolean hasJoined(BackendKey key) {
        return joined.containsKey(key);
    }

    void markJoined(BackendKey key) {
        joined.put(key, true);
    }

    String reportVersion() {
        return reportVersion;
    }

    void reportVersion(String version) {
        reportVersion = version;
    }

    void remove(BackendKey key) {
        reportVersion = "";
        backends.remove(key);
        joined.remove(key);
        reducedSince.remove(key);
    }

    /** Stores a backend of a report. {@code sequence} orders requests for a reduced weight. */
    void put(ReportedBackend backend, long sequence) {
        backends.put(backend.key(), backend);
        if (backend.weightTenths() < 10) {
            reducedSince.putIfAbsent(backend.key(), sequence);
        } else {
            reducedSince.remove(backend.key());
        }
    }

    long reducedSince(BackendKey key) {
        return reducedSince.getOrDefault(key, Long.MAX_VALUE);
    }

    void markReported(String from, Instant now, long nowNanos) {
        client = from;
        lastReport = now;
        lastNanos = nowNanos;
        isStale = false;
    }

    String client() {
        return client;
    }

    /** The time of the last report since the start of the process; null if there was none. */
    @Nullable Instant lastReport() {
        return lastReport;
    }

    long lastNanos() {
        return lastNanos;
    }

    boolean isStale() {
        return isStale;
    }

    void markStale() {
        isStale = true;
    }

    boolean isShared() {
        return isShared;
    }

    void setShared(boolean shared) {
        isShared = shared;
    }
}
