package io.ballast.discovery.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.ballast.core.config.DiscoveryConfig;
import io.ballast.discovery.remote.BackendSet;
import io.ballast.discovery.remote.HttpFetcher;
import io.ballast.discovery.remote.HttpStatusException;
import io.ballast.discovery.remote.LineStream;
import io.ballast.discovery.remote.Pacing;
import io.ballast.discovery.remote.SkippedEntriesLog;
import io.ballast.discovery.remote.SourceThread;
import io.ballast.discovery.source.Source;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * The endpoints of a Kubernetes service. Its EndpointSlices are listed, then <a
 * href="https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes"
 * >watched</a> from the version of the list. A watch ends after at most two minutes, and the next watch
 * continues from its last version. After a failure, or when the version has expired or decreased, all slices
 * are listed again. A terminating endpoint that still serves is a draining backend. An endpoint that is not
 * ready is not a backend.
 */
public final class KubernetesSource implements Source {

    private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    /**
     * Maximum duration of a watch, after which it is renewed. This also limits how long a silently broken
     * connection is used.
     */
    private static final Duration WATCH = Duration.ofMinutes(2);

    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    /** Delay before the next request if a watch ended without an event. */
    private static final Duration IDLE_DELAY = Duration.ofSeconds(1);

    private static final int GONE = 410;

    private final ApiServer api;
    private final ApiClient client;
    private final Pacing pacing;
    private final Duration timeout;
    private final SkippedEntriesLog skippedEntries;
    private final DiscoveryConfig.Kubernetes settings;
    private final SourceThread thread;
    private SliceTable slices; // slices and version are confined to the source's thread
    private String version = ""; // resource version from which to watch; empty if all slices must be listed

    /** Creates a source that takes missing settings from the service account of this process. */
    public KubernetesSource(DiscoveryConfig.Kubernetes settings, Pacing pacing) {
        this(settings, new ApiServer(settings, System.getenv(), ACCOUNT), pacing, TIMEOUT);
    }

    /** @param timeout the time limit for an answer */
    KubernetesSource(DiscoveryConfig.Kubernetes settings, ApiServer api, Pacing pacing, Duration timeout) {
        String name = "discover-kubernetes-" + settings.service();
        this.settings = settings;
        this.api = api;
        this.client = new ApiClient(name + "-http");
        this.pacing = pacing;
        this.timeout = timeout;
        this.skippedEntries = new SkippedEntriesLog(name);
        this.slices = new SliceTable(settings.port());
        this.thread = new SourceThread(name, pacing, this::runRound);
    }

    @Override
    public void start(Listener listener) {
        thread.start(listener);
    }

    private Duration runRound(Listener listener) throws IOException, InterruptedException {
        String from = version;
        version = ""; // stays empty if the request fails, so the next round lists all slices
        HttpFetcher http = client.http(api.authorities());
        if (from.isEmpty()) {
            version = list(http);
            reportBackends(listener);
            return Duration.ZERO;
        }
        try {
            version = watch(http, from, listener);
        } catch (HttpStatusException e) {
            if (e.status() != GONE) {
                throw e;
            }
        }
        return version.isEmpty() || version.equals(from) ? IDLE_DELAY : Duration.ZERO;
    }

    /** Lists all slices; returns the version of the list. */
    private String list(HttpFetcher http) throws IOException, InterruptedException {
        SliceTable all = new SliceTable(settings.port());
        Map<String, String> headers = api.headers();
        SlicePage page;
        String next = "";
        do {
            page = http.get(api.listUri(next), headers, timeout, (fields, body) -> SlicePage.read(body));
            all.add(page);
            if (page.slices().isEmpty() && !page.continueToken().isEmpty()) {
                throw new IOException("the list has a continue token, but no items");
            }
            next = page.continueToken();
        } while (!next.isEmpty());
        slices = all;
        return page.version();
    }

    /** Processes changes until the watch ends; returns the version to continue from, or null if a new list is needed. */
    private String watch(HttpFetcher http, String from, Listener listener) throws IOException, InterruptedException {
        String last = from;
        Duration time = pacing.jittered(WATCH);
        try (LineStream lines = http.lines(api.watchUri(from, time), api.headers(), timeout)) {
            while (true) {
                byte[] line = lines.next(time.plus(timeout));
                if (line == null) {
                    pacing.resetBackoff();
                    listener.onUnchanged();
                    return last;
                }
                WatchEvent event = read(line);
                if (event.isExpired()) {
                    return "";
                }
                last = applyEvent(event, last);
                pacing.resetBackoff();
                if (event.type().equals("BOOKMARK")) {
                    listener.onUnchanged();
                } else {
                    reportBackends(listener);
                }
            }
        }
    }

    private static WatchEvent read(byte[] line) throws IOException {
        try {
            return WatchEvent.read(line);
        } catch (JsonProcessingException e) {
            throw HttpFetcher.invalidJson(e);
        }
    }

    private String applyEvent(WatchEvent event, String last) throws IOException {
        if (event.type().equals("ERROR")) {
            throw new IOException("watch failed with status " + event.code() + ": " + event.message());
        }
        if (event.version().isEmpty()) {
            throw new IOException("event " + event.type() + " without a resourceVersion");
        }
        if (ResourceVersion.isBefore(event.version(), last)) {
            throw new IOException("resourceVersion decreased from " + last + " to " + event.version());
        }
        switch (event.type()) {
            case "ADDED", "MODIFIED" -> slices.put(event.slice());
            case "DELETED" -> slices.remove(event.slice().name());
            case "BOOKMARK" -> {}
            default -> throw new IOException("unknown event type: " + event.type());
        }
        return event.version();
    }

    private void reportBackends(Listener listener) throws IOException {
        BackendSet backends = slices.backends();
        skippedEntries.logOmitted(backends);
        listener.onBackends(backends.sorted());
    }

    @Override
    public void close() {
        thread.close();
    }
}
