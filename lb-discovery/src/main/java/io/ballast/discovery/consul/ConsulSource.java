package io.ballast.discovery.consul;

import io.ballast.core.config.DiscoveryConfig;
import io.ballast.discovery.remote.BackendSet;
import io.ballast.discovery.remote.HttpFetcher;
import io.ballast.discovery.remote.Pacing;
import io.ballast.discovery.remote.SkippedEntriesLog;
import io.ballast.discovery.remote.SourceThread;
import io.ballast.discovery.source.Source;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.time.Duration;

/**
 * The instances of a service in Consul that pass their checks, read with <a
 * href="https://developer.hashicorp.com/consul/api-docs/features/blocking">blocking queries</a>: the agent
 * answers when the instances have changed, and at least every minute. After a failure, and when the index
 * decreases, the query restarts with index 0.
 *
 * <p>Instances without an IP address or a port are omitted and logged. An empty answer is accepted.
 */
public final class ConsulSource implements Source {

    /** Maximum time for which the agent may hold a query. */
    private static final Duration WAIT = Duration.ofSeconds(60);

    /**
     * Time limit of a response, in addition to {@link #WAIT}. The agent may hold a query for up to a sixteenth
     * longer than {@link #WAIT}.
     */
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    /**
     * Time between two queries if the server's responses contain no valid index. Without an index, a query
     * cannot wait for changes.
     */
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(10);

    private final ConsulQuery query;
    private final HttpFetcher http;
    private final Pacing pacing;
    private final Duration timeout;
    private final SkippedEntriesLog skippedEntries;
    private final SourceThread thread;
    private long index; // confined to the source's thread; 0 requests an immediate answer with all instances

    private record Reply(long index, BackendSet backends) {}

    public ConsulSource(DiscoveryConfig.Consul settings, Pacing pacing) {
        this(settings, pacing, TIMEOUT);
    }

    ConsulSource(DiscoveryConfig.Consul settings, Pacing pacing, Duration timeout) {
        String name = "discover-consul-" + settings.service();
        this.query = new ConsulQuery(settings);
        this.http = new HttpFetcher(name + "-http", /* tls= */ null);
        this.pacing = pacing;
        this.timeout = timeout;
        this.skippedEntries = new SkippedEntriesLog(name);
        this.thread = new SourceThread(name, pacing, this::runRound);
    }

    @Override
    public void start(Listener listener) {
        thread.start(listener);
    }

    private Duration runRound(Listener listener) throws IOException, InterruptedException {
        long requestedIndex = index;
        index = 0; // stays 0 if the query fails, so that the next query starts over
        Duration wait = pacing.jittered(WAIT);
        Duration deadline = requestedIndex == 0 ? timeout : timeout.plus(wait).plus(wait.dividedBy(16));
        Reply reply = http.get(query.uri(requestedIndex, wait), query.headers(), deadline, ConsulSource::read);
        pacing.resetBackoff();
        skippedEntries.logOmitted(reply.backends());
        listener.onBackends(reply.backends().sorted());
        index = reply.index() < requestedIndex ? 0 : reply.index();
        return reply.index() == 0 ? POLL_INTERVAL : Duration.ZERO;
    }

    private static Reply read(HttpHeaders headers, byte[] body) throws IOException {
        return new Reply(index(headers), ServiceInstances.read(body));
    }

    /** Returns 0 for a missing or invalid index. */
    private static long index(HttpHeaders headers) {
        try {
            return Math.max(
                    0, Long.parseLong(headers.firstValue("X-Consul-Index").orElse("0")));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    @Override
    public void close() {
        thread.close();
    }
}
