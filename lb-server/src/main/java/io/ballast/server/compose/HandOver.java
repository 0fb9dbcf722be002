package io.ballast.server.compose;

import io.ballast.core.ErrorText;
import io.ballast.discovery.Discovery;
import io.ballast.dns.DnsFrontend;
import io.ballast.net.config.TransportKind;
import io.ballast.net.takeover.InheritedSockets;
import io.ballast.net.takeover.SharedSocket;
import io.ballast.net.transport.NettyTransport;
import io.ballast.server.override.OverrideFile;
import io.ballast.server.restart.Predecessor;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over the sockets and the state of a previous process, after {@link Balancer#follow}, and hands them over to the
 * next process.
 */
public final class HandOver implements Predecessor {

    private static final Logger LOG = LoggerFactory.getLogger(HandOver.class);

    /**
     * Maximum time to wait for changes in progress when the gate closes. A change takes at most 5 s, and
     * writing it to disk takes milliseconds.
     */
    private static final Duration MAX_WAIT_FOR_EDITS = Duration.ofSeconds(10);

    private final Balancer balancer;
    private final Lifecycle lifecycle;
    private final TopologyChanges changes;
    private final Gate gate;
    private final Discovery discovery;
    private final OverrideFile overrideFile;
    private final InheritedSockets inherited;
    private volatile boolean isInProgress;
    private volatile boolean isTakenOver;

    /** @param inherited the listening sockets of the previous process */
    HandOver(
            Balancer balancer,
            Lifecycle lifecycle,
            TopologyChanges changes,
            Gate gate,
            Discovery discovery,
            OverrideFile overrideFile,
            InheritedSockets inherited) {
        this.balancer = balancer;
        this.lifecycle = lifecycle;
        this.changes = changes;
        this.gate = gate;
        this.discovery = discovery;
        this.overrideFile = overrideFile;
        this.inherited = inherited;
    }

    // ---- from the previous process

    /** Starts serving alongside the previous process. */
    public void startServing() {
        balancer.http().accept();
        balancer.dnsPart().startServing();
        inherited.close();
    }

    /**
     * Takes over the resources that only one process may hold. The previous process must have stopped accepting
     * connections, and released these resources.
     */
    public void activate() {
        balancer.http().activate();
        balancer.dashboardPart().startWaiting();
        overrideFile.takeOwnership();
        discovery.writePendingState();
        balancer.dns().ifPresent(DnsFrontend::activate);
        try {
            balancer.dnsPart().takeDirectory(balancer.config());
        } catch (IOException e) {
            LOG.error("msg=\"cannot lock the data directory\" reason=\"{}\"", ErrorText.of(e));
        }
        balancer.acme().activate();
        try {
            balancer.joinCluster();
        } catch (IOException e) {
            LOG.error("msg=\"cannot join the cluster\" reason=\"{}\"", ErrorText.of(e));
        }
        try {
            balancer.agents().start(balancer.cluster().agentSharing());
        } catch (IOException e) {
            LOG.error("msg=\"cannot listen for agents\" reason=\"{}\"", ErrorText.of(e));
        }
        changes.activate();
    }

    // ---- to the next process

    /** @throws IllegalStateException if another process is about to take over, or has taken over */
    public void requireNotInProgress() {
        if (isInProgress || isTakenOver) {
            throw new IllegalStateException("a restart is in progress; reload after it has finished");
        }
    }

    /** Whether another process has taken over. */
    public boolean isTakenOver() {
        return isTakenOver;
    }

    @Override
    public List<SharedSocket> sharedSockets() {
        return Stream.concat(
                        balancer.http().sharedSockets().stream(),
                        balancer.dns().stream().flatMap(frontend -> frontend.sharedSockets().stream()))
                .toList();
    }

    @Override
    public Set<Integer> vacatedPorts() {
        return balancer.dashboardPart().ports();
    }

    @Override
    public void blockChanges() {
        NettyTransport transport = balancer.workers().loops().transport();
        if (!transport.inheritsPorts()) {
            throw new IllegalStateException("transport: " + transport.label()
                    + " (expected: epoll or io_uring, whose sockets can be handed over)");
        }
        // With transport auto, the new process chooses its transport again. It then uses epoll and binds its own
        // datagram sockets.
        boolean decidesAgain = balancer.config().transport() == TransportKind.AUTO;
        if (FrontendConfig.hasUdpListener(balancer.config()) && !transport.inheritsDatagrams() && !decidesAgain) {
            throw new IllegalStateException("transport: " + transport.label()
                    + " (expected: auto or epoll, whose sockets for udp listeners can be handed over)");
        }
        // Runs on the executor that also runs reloads, so that a handover cannot start during a reload.
        CompletableFuture.runAsync(() -> isInProgress = true, changes).join();
        CompletableFuture<Void> changed = gate.close();
        try {
            changed.get(MAX_WAIT_FOR_EDITS.toSeconds(), TimeUnit.SECONDS);
            discovery.flush().get(MAX_WAIT_FOR_EDITS.toSeconds(), TimeUnit.SECONDS);
            overrideFile.flush();
        } catch (ExecutionException e) {
            allowChanges();
            throw new IllegalStateException("cannot save operators' changes to backends", e);
        } catch (IOException e) {
            allowChanges();
            throw new IllegalStateException(ErrorText.of(e), e);
        } catch (TimeoutException e) {
            allowChanges();
            throw new IllegalStateException(
                    "operators' changes did not finish within " + MAX_WAIT_FOR_EDITS.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            allowChanges();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void allowChanges() {
        isInProgress = false;
        gate.open();
    }

    @Override
    public void release() {
        isTakenOver = true;
        gate.shut();
        lifecycle.markDraining();
        balancer.http().releaseToSuccessor();
        balancer.dns().ifPresent(DnsFrontend::releaseToSuccessor);
        balancer.dashboardPart().releaseAddress();
        discovery.close();
        balancer.acme().release();
        balancer.cluster().close();
        try {
            balancer.agents().close();
            overrideFile.releaseOwnership();
            balancer.dnsPart().releaseDirectory();
        } catch (IOException e) {
            LOG.warn("msg=\"cannot release the lock on the data directory\"", e);
        }
    }
}
