package io.ballast.agent.client;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes the messages from nodes: logs changes, and stores which backends their operators have drained. Confined to
 * the thread of the control plane.
 */
final class NodeMessages implements NodeLink.Listener {

    /** The time after which the commands of a node that does not respond no longer count. */
    static final Duration MAX_COMMAND_AGE = Duration.ofMinutes(5);

    private static final Logger LOG = LoggerFactory.getLogger(NodeMessages.class);
    private static final int MAX_TEXT = 300;

    private final Agent agent;
    /** The state of each node, by its address. */
    private final Map<String, NodeState> nodes = new HashMap<>();

    private static final class NodeState {
        private boolean isConnected;
        private String failure = "";
        private String refusals = "";
        private Set<String> drained = Set.of();
        private long lastSuccessNanos;
        private boolean refusesLatency;
    }

    NodeMessages(Agent agent) {
        this.agent = agent;
    }

    private NodeState state(NodeLink link) {
        return nodes.computeIfAbsent(link.node(), node -> new NodeState());
    }

    @Override
    public void onAccepted(NodeLink link, NodeApi.Reply reply) {
        agent.links().onAccepted();
        NodeState state = state(link);
        state.lastSuccessNanos = agent.nanoTime();
        if (!state.isConnected) {
            state.isConnected = true;
            state.failure = "";
            LOG.info("node={} msg=\"reports are accepted\"", link.node());
        }
        String refusals = refusals(reply);
        if (!refusals.equals(state.refusals)) {
            state.refusals = refusals;
            if (!refusals.isEmpty()) {
                LOG.warn("node={} msg=\"the node refuses backends\" reason=\"{}\"", link.node(), oneLine(refusals));
            }
        }
    }

    @Override
    public void onFailed(NodeLink link, String reason) {
        NodeState state = state(link);
        if (state.isConnected || !reason.equals(state.failure)) {
            state.isConnected = false;
            state.failure = reason;
            LOG.warn("node={} msg=\"cannot report; trying again\" reason=\"{}\"", link.node(), oneLine(reason));
        }
        agent.links().onFailed(link);
    }

    @Override
    public void onLatencyRefused(NodeLink link, String reason) {
        NodeState state = state(link);
        if (!state.refusesLatency) {
            state.refusesLatency = true;
            LOG.warn("node={} msg=\"the node refuses round-trip times\" reason=\"{}\"", link.node(), oneLine(reason));
        }
    }

    @Override
    public void onCommands(NodeLink link, NodeApi.Reply commands) {
        Set<String> drained = new HashSet<>();
        for (Map<?, ?> each : backends(commands)) {
            if (!"serve".equals(each.get("wanted"))) {
                drained.add(key(text(each, "pool"), text(each, "address")));
            }
        }
        NodeState state = state(link);
        if (!drained.equals(state.drained)) {
            state.drained = drained;
            LOG.info("node={} msg=\"operators drain {} of the backends\"", link.node(), drained.size());
            agent.update();
        }
    }

    /** Drops the commands of nodes that have not responded for a long time. */
    void tick(long nowNanos) {
        nodes.values().stream()
                .filter(state -> !state.isConnected && nowNanos - state.lastSuccessNanos > MAX_COMMAND_AGE.toNanos())
                .forEach(state -> state.drained = Set.of());
    }

    /** Returns whether an operator of a node has requested that a backend gets no new clients. */
    boolean wantsDrain(String pool, String address) {
        String key = key(pool, address);
        return nodes.values().stream().anyMatch(state -> state.drained.contains(key));
    }

    private static String key(String pool, String address) {
        return pool + "/" + address;
    }

    /** Returns the backends that a node has refused in a report, with the reasons; empty if there is none. */
    static String refusals(NodeApi.Reply reply) {
        StringBuilder all = new StringBuilder();
        for (Map<?, ?> each : backends(reply)) {
            if (Boolean.FALSE.equals(each.get("accepted"))) {
                all.append(all.isEmpty() ? "" : "; ")
                        .append(key(text(each, "pool"), text(each, "address")))
                        .append(": ")
                        .append(text(each, "reason"));
            }
        }
        return all.toString();
    }

    private static List<Map<?, ?>> backends(NodeApi.Reply reply) {
        return reply.body().get("backends") instanceof List<?> list
                ? list.stream()
                        .filter(Map.class::isInstance)
                        .<Map<?, ?>>map(each -> (Map<?, ?>) each)
                        .toList()
                : List.of();
    }

    private static String text(Map<?, ?> fields, String name) {
        return Objects.toString(fields.get(name), "");
    }

    /** Converts a text from a node to one line for the log. */
    private static String oneLine(String text) {
        String line = text.replaceAll("[\\p{Z}\\p{C}]+", " ").replace('"', '\'');
        return line.substring(0, Math.min(line.length(), MAX_TEXT));
    }
}
