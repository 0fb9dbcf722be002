package io.ballast.http;

import io.ballast.core.config.ListenerConfig;
import io.ballast.core.pool.Topology;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.http.exchange.Listener;
import io.ballast.http.h1.Http1Loop;
import io.ballast.http.log.AccessLogs;
import io.ballast.http.net.Workers;
import io.ballast.http.relay.BackendTrouble;
import io.ballast.http.route.RouteTable;
import io.netty.channel.EventLoop;
import java.net.BindException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP side of the balancer: its listeners, bound.
 *
 * <p>Thread safety: every method may be called from any thread; {@link #drain} and {@link #close} wait.
 */
public final class HttpFrontend implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpFrontend.class);

    private final List<HttpPort> ports;
    private final IdentityHashMap<EventLoop, Http1Loop> loops;
    private final AccessLogs accessLogs;

    private HttpFrontend(List<HttpPort> ports, IdentityHashMap<EventLoop, Http1Loop> loops, AccessLogs accessLogs) {
        this.ports = List.copyOf(ports);
        this.loops = loops;
        this.accessLogs = accessLogs;
    }

    /**
     * Binds every listener of the configuration, or none.
     *
     * @throws BindException if an address cannot be bound
     * @throws IllegalStateException if an access log cannot be opened
     */
    public static HttpFrontend start(Topology topology, Workers workers, BackendTrouble trouble) throws BindException {
        List<HttpPort> bound = new ArrayList<>();
        IdentityHashMap<EventLoop, Http1Loop> loops = new IdentityHashMap<>();
        workers.all().forEach(worker -> loops.put(worker.eventLoop(), new Http1Loop(worker)));
        Http1Loop.shareQuotas(loops.values());
        int shards = workers.all().size();
        AccessLogs accessLogs = AccessLogs.open(topology.config().listeners(), shards, Clock.systemUTC());
        try {
            for (ListenerConfig config : topology.config().listeners()) {
                RouteTable routes = RouteTable.compile(config, topology);
                Listener listener = new Listener(config, routes, trouble, accessLogs.of(config), shards);
                bound.add(HttpPort.bind(listener, workers, loops));
            }
        } catch (BindException e) {
            bound.forEach(HttpPort::close);
            accessLogs.close();
            throw e;
        }
        return new HttpFrontend(bound, loops, accessLogs);
    }

    /** The heartbeats of its own threads; those of the event loops are with the workers. */
    public List<Heartbeat> heartbeats() {
        return accessLogs.heartbeats();
    }

    /** The listeners with their counters, in the order of the configuration. */
    public List<Listener> listeners() {
        return ports.stream().map(HttpPort::listener).toList();
    }

    /** The port that a listener really has, for one that asked for any. */
    public int port(int index) {
        return ports.get(index).port();
    }

    /**
     * Stops accepting, lets what runs come to its end, and closes connections between requests.
     *
     * @return how many connections were still busy when the time was over
     */
    public int drain(Duration grace) {
        long end = System.nanoTime() + grace.toNanos();
        ports.forEach(HttpPort::stopAccepting);
        int open = 0;
        for (HttpPort port : ports) {
            open += port.awaitIdle(end);
        }
        return open;
    }

    /** Stops accepting and closes every connection at once, to clients and to backends. */
    @Override
    public void close() {
        ports.forEach(HttpPort::close);
        try {
            loops.forEach((loop, http1) -> loop.submit(http1::closeIdle).awaitUninterruptibly());
        } catch (RejectedExecutionException e) {
            LOG.warn("msg=\"an event loop has ended; its connections go with the process\"");
        } finally {
            accessLogs.close();
        }
    }
}
