package io.ballast.discovery.docker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.ballast.core.config.DiscoveryConfig;
import io.ballast.discovery.remote.BackendSet;
import io.ballast.discovery.remote.HttpFetcher;
import io.ballast.discovery.remote.Pacing;
import io.ballast.discovery.remote.SkippedEntriesLog;
import io.ballast.discovery.remote.SourceThread;
import io.ballast.discovery.source.Source;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The running containers of a Docker daemon whose label {@code ballast.pool} names a service. They are listed once the
 * event stream is open, so that no change is lost. They are listed again shortly after each event, every minute, and
 * after a loss of the stream. The labels {@code ballast.port}, {@code ballast.weight} and {@code ballast.network}
 * define the backend in more detail. If a container has several networks, the first by name is used. An unhealthy
 * container is not a backend. A container without an address, or with an invalid label, is omitted and logged.
 */
public final class DockerSource implements Source {

    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    /** Delay after an event, so that further events are handled together with it. */
    private static final Duration SETTLE = Duration.ofMillis(250);

    /**
     * Interval between full reads of the container list. Full reads are needed because the source does not subscribe to
     * network events, and the other events may be lost.
     */
    private static final Duration RELIST_INTERVAL = Duration.ofSeconds(60);

    private static final int MAX_BYTES = 32 << 20;
    private static final int PIECE = 16 << 10;
    private static final int MAX_PIECES = 1000;

    private final DiscoveryConfig.Docker settings;
    private final Pacing pacing;
    private final Duration timeout;
    private final Duration relistInterval;
    private final SkippedEntriesLog skippedEntries;
    private final SourceThread thread;

    public DockerSource(DiscoveryConfig.Docker settings, Pacing pacing) {
        this(settings, pacing, TIMEOUT, RELIST_INTERVAL);
    }

    /**
     * @param timeout the time limit for each read of a response
     * @param withoutEvents the time without events after which containers are listed again
     */
    DockerSource(DiscoveryConfig.Docker settings, Pacing pacing, Duration timeout, Duration withoutEvents) {
        String name = "discover-docker-" + settings.service();
        this.settings = settings;
        this.pacing = pacing;
        this.timeout = timeout;
        this.relistInterval = withoutEvents;
        this.skippedEntries = new SkippedEntriesLog(name);
        this.thread = new SourceThread(name, pacing, this::runRound);
    }

    @Override
    public void start(Listener listener) {
        thread.start(listener);
    }

    /** Runs until the event stream ends. */
    private Duration runRound(Listener listener) throws IOException, InterruptedException {
        String label = "\"label\":[\"" + Container.POOL + "=" + quoted(settings.service()) + "\"]";
        String events = "/events?filters="
                + encoded("{\"type\":[\"container\"]," + label
                        + ",\"event\":[\"start\",\"die\",\"pause\",\"unpause\",\"health_status\"]}");
        String containers = "/containers/json?filters=" + encoded("{" + label + ",\"status\":[\"running\"]}");
        try (DaemonResponse stream = DaemonResponse.request(settings.socket(), events, timeout)) {
            list(containers, listener);
            while (true) {
                if (stream.awaitMore(relistInterval)) {
                    skipEvents(stream);
                }
                pacing.resetBackoff();
                list(containers, listener);
            }
        }
    }

    /**
     * Skips events that have arrived or arrive within {@link #SETTLE}, because the next list contains their
     * effects.
     */
    private void skipEvents(DaemonResponse stream) throws IOException, InterruptedException {
        byte[] piece = new byte[PIECE];
        readOne(stream, piece);
        pacing.pause(SETTLE);
        for (int i = 0; i < MAX_PIECES && stream.awaitMore(Duration.ZERO); i++) {
            readOne(stream, piece);
        }
    }

    private static void readOne(DaemonResponse stream, byte[] piece) throws IOException, InterruptedException {
        if (stream.read(piece) < 0) {
            throw new IOException("event stream has ended");
        }
    }

    private void list(String target, Listener listener) throws IOException, InterruptedException {
        BackendSet backends;
        try (DaemonResponse answer = DaemonResponse.request(settings.socket(), target, timeout)) {
            backends = ContainerList.read(answer.readAll(MAX_BYTES), settings.port());
        } catch (JsonProcessingException e) {
            throw HttpFetcher.invalidJson(e);
        }
        skippedEntries.logOmitted(backends);
        listener.onBackends(backends.sorted());
    }

    private static String quoted(String text) {
        return new String(JsonStringEncoder.getInstance().quoteAsString(text));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public void close() {
        thread.close();
    }
}
