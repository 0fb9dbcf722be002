package io.ballast.server.compose;

import io.ballast.config.BallastConfig;
import io.ballast.core.control.PreparedChange;
import io.ballast.core.pool.TopologyChange;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.PolicyRegistry;
import io.ballast.server.host.LogSetup;
import io.ballast.server.reload.Reloadable.Preparation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies another configuration to a running balancer. The parts of the balancer change in this order:
 * connections to backends, pools, routes, and reporting.
 */
final class BalancerChange implements Preparation {

    private static final Logger LOG = LoggerFactory.getLogger(BalancerChange.class);

    /** Time limit for the first checks of new backends if the reload may move existing routes to them. */
    private static final Duration MAX_WAIT_FOR_CHECKS = Duration.ofSeconds(2);

    /**
     * Maximum wait for the first health checks of new backends that replace removed backends. The reload takes
     * effect afterwards.
     */
    private static final Duration MAX_WAIT_FOR_JOINING = Duration.ofMillis(500);

    private final Balancer balancer;
    private final ActiveConfig active;
    /** Whether the change comes from the configuration file or the files that it names. */
    private final boolean fromFile;

    private final TopologyChange pools;
    private final List<PreparedChange> parts = new ArrayList<>();
    private final boolean empty;
    private boolean committed;
    private CompletableFuture<Void> quiescence = CompletableFuture.completedFuture(null);

    /**
     * Creates the change to another configuration file, with the current state of all files that it names.
     * Throws the same exceptions as the constructor.
     */
    static BalancerChange fromFile(Balancer balancer, ActiveConfig active) throws IOException {
        return new BalancerChange(balancer, active, /* ofFile= */ true, MAX_WAIT_FOR_CHECKS);
    }

    /**
     * Creates a change that replaces only the backends of existing pools, for example after a discovery result.
     * The configuration file is not read again. Throws the same exceptions as the constructor.
     */
    static BalancerChange fromOverlay(Balancer balancer, ActiveConfig active) throws IOException {
        return new BalancerChange(balancer, active, /* ofFile= */ false, MAX_WAIT_FOR_JOINING);
    }

    /**
     * Prepares the change.
     *
     * @param maxWait time limit for the first checks of new backends
     * @throws IOException if an address cannot be bound, or a file cannot be used; the message names it and the
     *     reason
     * @throws IllegalStateException if a certificate cannot be used, or the transport does not support the change
     */
    private BalancerChange(Balancer balancer, ActiveConfig active, boolean ofFile, Duration maxWait)
            throws IOException {
        this.balancer = balancer;
        this.active = active;
        this.fromFile = ofFile;
        BallastConfig next = active.mergedConfig();
        if (ofFile) {
            checkTransport(balancer, next);
            balancer.names().lookUp(next);
        } else {
            balancer.names().lookUpNew(next);
        }
        this.pools = balancer.topologies().next(next.pools(), balancer.topology());
        try {
            if (ofFile) {
                parts.add(balancer.backendTls()
                        .prepare(FrontendConfig.backendTls(next))); // needed by the checks of new backends
            }
            CompletableFuture<Void> checks = balancer.health().watchAhead(pools.joining());
            parts.add(pools);
            parts.add(balancer.geography().prepare(next, pools.next()));
            parts.add(balancer.policyGeography().prepare(next));
            PolicyRegistry.Change policies = balancer.policies()
                    .prepare(next.policies().values(), next.pools().values());
            parts.add(policies);
            parts.add(balancer.telemetry().prepare(next.otlp()));
            parts.add(balancer.acme().prepare(next)); // creates the files that listeners open
            parts.add(balancer.http().prepare(FrontendConfig.http(next), pools.next(), policies.policies()));
            boolean otherZones = false;
            if (ofFile) {
                DnsPart.Change dns = balancer.dnsPart().prepare(next, pools.next());
                parts.add(dns);
                parts.add(balancer.dashboardPart().prepare(next.dashboard()));
                otherZones = dns.hasChangedZones();
            }
            this.empty = next.equals(balancer.mergedConfig())
                    && active.fileConfig().equals(balancer.config())
                    && pools.changed().isEmpty()
                    && !otherZones;
            awaitChecks(checks, maxWait);
            pools.compile();
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Checks that the transport, which is selected at the start of the process, supports the next configuration. */
    private static void checkTransport(Balancer balancer, BallastConfig next) {
        TransportKind kind = balancer.workers().all().get(0).transport().kind();
        if (next.hasUnixSockets() && !balancer.config().hasUnixSockets() && kind != TransportKind.EPOLL) {
            throw new IllegalStateException("Unix sockets require the transport epoll, but this process uses "
                    + kind.name().toLowerCase(Locale.ROOT) + "; restart the process");
        }
        boolean datagrams = next.listeners().stream().anyMatch(each -> each.protocol() == ListenerProtocol.UDP);
        if (datagrams && kind == TransportKind.IO_URING) {
            LOG.warn(
                    "msg=\"UDP listeners are slower on io_uring; {}\"",
                    next.transport() == TransportKind.AUTO
                            ? "a restart will select epoll for them"
                            : "set transport: auto and restart to select epoll for them");
        }
    }

    private static void awaitChecks(CompletableFuture<Void> checks, Duration max) {
        try {
            checks.get(max.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            LOG.info("msg=\"not all new backends were checked within {} ms\"", max.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("waiting for the first health checks failed", e);
        }
    }

    @Override
    public List<String> warnings() {
        return parts.stream().flatMap(part -> part.warnings().stream()).toList();
    }

    @Override
    public boolean isEmpty() {
        return empty;
    }

    @Override
    public void commit() {
        committed = true;
        for (PreparedChange part : parts) {
            part.commit();
            if (part == pools) {
                balancer.follow(pools, active);
            }
        }
        if (fromFile) {
            balancer.reportListeners();
            LogSetup.apply(balancer.config().log());
        } else {
            balancer.dnsPart().switchTopology(pools.next());
        }
        quiescence = balancer.http().retire(pools.disconnecting());
    }

    @Override
    public boolean isCurrent() {
        return pools.isCurrent();
    }

    @Override
    public void update() {
        pools.compile();
    }

    @Override
    public CompletableFuture<Void> quiescence() {
        return quiescence;
    }

    @Override
    public void releasePrevious() {
        for (PreparedChange part : parts) {
            try {
                part.releasePrevious();
            } catch (RuntimeException e) {
                LOG.error("msg=\"cannot release resources of the previous configuration\" part={}", part, e);
            }
        }
    }

    @Override
    public void close() {
        if (committed) {
            return;
        }
        List<PreparedChange> inReverse = new ArrayList<>(parts);
        Collections.reverse(inReverse);
        inReverse.forEach(PreparedChange::close);
        if (!parts.contains(pools)) {
            pools.close();
        }
        balancer.health().watch(balancer.topology()); // ends checks of new backends
    }
}
