package io.ballast.server.compose;

import io.ballast.config.BallastConfig;
import io.ballast.http.net.Workers;
import io.ballast.net.config.TransportKind;
import io.ballast.net.transport.NettyTransport;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Starts the event loops with the transport that the configuration and the system allow. Stateless. */
public final class EventLoops {

    private static final Logger LOG = LoggerFactory.getLogger(EventLoops.class);
    private static final boolean ON_LINUX = System.getProperty("os.name", "").startsWith("Linux");

    private EventLoops() {}

    /**
     * Starts a separate thread that loads the system libraries and checks which transports work; every start needs both
     * results. Called before the configuration is read, so that both tasks run at the same time.
     */
    public static void prepare() {
        Thread loading = new Thread(() -> NettyTransport.choose(TransportKind.AUTO), "loading");
        loading.setDaemon(true);
        loading.start();
    }

    /**
     * Starts one event loop for each core, or as many as are configured.
     *
     * @throws IllegalStateException if the configured transport does not work on this system
     */
    static Workers start(BallastConfig config, SplittableRandom random) {
        NettyTransport transport = config.hasUnixSockets()
                ? NettyTransport.forUnixSockets(config.transport())
                : NettyTransport.choose(config.transport(), FrontendConfig.receivesDatagrams(config));
        int loops = config.eventLoops() > 0
                ? config.eventLoops()
                : Runtime.getRuntime().availableProcessors();
        // On Linux, NIO is slower than the native transports. It is chosen only if their libraries cannot be loaded.
        boolean isFallback =
                transport.kind() == TransportKind.NIO && config.transport() == TransportKind.AUTO && ON_LINUX;
        LOG.atLevel(isFallback ? Level.WARN : Level.INFO)
                .log("transport={} event_loops={} reason=\"{}\"", transport.kind(), loops, transport.why());
        return Workers.start(transport, loops, random);
    }
}
