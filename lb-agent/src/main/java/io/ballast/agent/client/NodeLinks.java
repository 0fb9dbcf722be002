package io.ballast.agent.client;

import io.ballast.agent.config.ReportTo;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.ScheduledTask;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The connections of an agent to the nodes. The agent reports to all nodes, or to one node. If it reports to one node
 * and that node fails, the agent switches to the next node at once. After all nodes have failed once, it retries with
 * an increasing delay.
 *
 * <p>Thread safety: confined to the thread of the control plane.
 */
final class NodeLinks {

    private static final int MAX_DOUBLINGS = 5;

    private final ControlPlane control;
    private final ReportTo reportTo;
    private final List<NodeLink> links;
    private int active;
    private int failed;
    private boolean isStopped;
    private @Nullable ScheduledTask next;

    NodeLinks(ControlPlane control, ReportTo reportTo, List<NodeLink> links) {
        this.control = control;
        this.reportTo = reportTo;
        this.links = List.copyOf(links);
    }

    void start() {
        if (reportTo == ReportTo.ALL) {
            links.forEach(NodeLink::start);
        } else {
            links.get(active).start();
        }
    }

    void changed() {
        links.forEach(NodeLink::changed);
    }

    /** Sends the round-trip times of clients to the nodes that get reports. */
    void sendLatency(byte[] document) {
        links.forEach(link -> link.sendLatency(document));
    }

    boolean isAnyConnected() {
        return links.stream().anyMatch(NodeLink::isConnected);
    }

    void onAccepted() {
        failed = 0;
    }

    /** Changes to the next node if the active node has failed. */
    void onFailed(NodeLink link) {
        if (reportTo == ReportTo.ALL
                || isStopped
                || links.size() == 1
                || !links.get(active).equals(link)) {
            return;
        }
        link.stop();
        failed++;
        active = (active + 1) % links.size();
        int rounds = failed / links.size();
        if (next != null) {
            next.cancel();
        }
        next = control.scheduleTask(() -> links.get(active).start(), delay(failed % links.size() == 0 ? rounds : 0));
    }

    private static Duration delay(int rounds) {
        if (rounds == 0) {
            return Duration.ZERO;
        }
        Duration doubled = NodeLink.FIRST_WAIT.multipliedBy(1L << Math.min(rounds, MAX_DOUBLINGS));
        return doubled.compareTo(NodeLink.MAX_WAIT) < 0 ? doubled : NodeLink.MAX_WAIT;
    }

    /** Stops all links and removes the backends from the nodes; completes also if that fails. */
    CompletableFuture<Void> deregister() {
        isStopped = true;
        if (next != null) {
            next.cancel();
        }
        List<NodeLink> running = links.stream().filter(NodeLink::isRunning).toList();
        return CompletableFuture.allOf(
                running.stream().map(NodeLink::deregister).toArray(CompletableFuture[]::new));
    }
}
