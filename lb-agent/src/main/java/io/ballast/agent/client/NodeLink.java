package io.ballast.agent.client;

import io.ballast.core.ErrorText;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.ScheduledTask;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one node informed: sends a report after each change, repeats it as a heartbeat, registers if the node does not
 * know the agent, and waits for commands. It retries without limit; the time between two attempts is at most
 * {@link #MAX_WAIT}.
 *
 * <p>Thread safety: confined to the thread of the control plane.
 */
final class NodeLink {

    /** The wait after the first failure; it doubles with each further failure. */
    static final Duration FIRST_WAIT = Duration.ofMillis(250);

    static final Duration MAX_WAIT = Duration.ofSeconds(5);

    /** The longest wait after the node has refused a request, for example because the agent was revoked. */
    static final Duration MAX_REFUSAL_WAIT = Duration.ofSeconds(60);

    /** The maximum time for which the node may hold a request for commands. */
    static final Duration POLL = Duration.ofSeconds(45);

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int CONFLICT = 409;
    private static final int MAX_DOUBLINGS = 5;

    private final String node;
    private final NodeApi api;
    private final ControlPlane control;
    private final Supplier<byte[]> report;
    private final Duration heartbeat;
    private final RandomGenerator random;
    private final Listener listener;
    private @Nullable ScheduledTask next;
    private boolean isRunning;
    private boolean isSending;
    private boolean hasChanged;
    private boolean isConnected;
    private boolean isPolling;
    private int failures;
    /** The last report if the node has accepted all of its backends. A heartbeat repeats this report. */
    private byte @Nullable [] accepted;

    private String commandVersion = "";
    /** The number of the current run. Responses to requests of earlier runs are ignored. */
    private int run;

    /** Receives the events of a link, on the thread of the control plane. */
    interface Listener {

        /** Called when the node has accepted a report. */
        void onAccepted(NodeLink link, NodeApi.Reply reply);

        /** Called when a request failed or was refused. The link tries again, unless it is stopped. */
        void onFailed(NodeLink link, String reason);

        /** Called when the node has refused the round-trip times of clients. */
        void onLatencyRefused(NodeLink link, String reason);

        /** Called when the node has sent commands that differ from the previous commands. */
        void onCommands(NodeLink link, NodeApi.Reply commands);
    }

    /**
     * @param node the address of the node, for messages
     * @param report supplies the current report
     * @param heartbeat the time after which an unchanged report is repeated
     */
    NodeLink(
            String node,
            NodeApi api,
            ControlPlane control,
            Supplier<byte[]> report,
            Duration heartbeat,
            RandomGenerator random,
            Listener listener) {
        this.node = node;
        this.api = api;
        this.control = control;
        this.report = report;
        this.heartbeat = heartbeat;
        this.random = random;
        this.listener = listener;
    }

    String node() {
        return node;
    }

    boolean isConnected() {
        return isConnected;
    }

    boolean isRunning() {
        return isRunning;
    }

    /** Starts reporting. */
    void start() {
        if (!isRunning) {
            isRunning = true;
            run++;
            isSending = false;
            isPolling = false;
            send();
        }
    }

    /** Stops reporting; the node keeps the backends until it forgets the agent. */
    void stop() {
        isRunning = false;
        isConnected = false;
        run++;
        cancel();
    }

    /** Called when the report has changed. */
    void changed() {
        if (isRunning && isConnected) {
            send();
        }
    }

    /** Sends the round-trip times of clients, if the node is connected. They are lost if that fails. */
    void sendLatency(byte[] document) {
        if (isRunning && isConnected) {
            await(api.latency(document), (reply, failure) -> {
                if (reply != null && !reply.isOk()) {
                    listener.onLatencyRefused(this, reply.detail());
                }
            });
        }
    }

    /** Removes the backends of the agent from the node; completes also if that fails. */
    CompletableFuture<Void> deregister() {
        stop();
        return api.deregister().handle((reply, failure) -> null);
    }

    private void send() {
        if (isSending) {
            hasChanged = true;
            return;
        }
        cancel();
        isSending = true;
        hasChanged = false;
        byte[] document = report.get();
        if (isConnected && Arrays.equals(document, accepted)) {
            await(api.repeat(document), this::onRepeat);
        } else {
            accepted = null;
            await(api.report(document), (reply, failure) -> {
                if (reply != null
                        && reply.isOk()
                        && NodeMessages.refusals(reply).isEmpty()) {
                    accepted = document;
                }
                onReport(reply, failure);
            });
        }
    }

    private void onRepeat(NodeApi.@Nullable Reply reply, @Nullable Throwable failure) {
        if (reply != null && reply.status() == CONFLICT) {
            accepted = null; // the node has forgotten the report, for example after a restart
            isSending = false;
            send();
        } else {
            onReport(reply, failure);
        }
    }

    private void onReport(NodeApi.@Nullable Reply reply, @Nullable Throwable failure) {
        if (reply == null) {
            fail(text(failure), wait(Duration.ZERO));
        } else if (reply.isOk()) {
            failures = 0;
            isConnected = true;
            isSending = false;
            listener.onAccepted(this, reply);
            if (hasChanged) {
                send();
            } else {
                scheduleSend(Duration.ofNanos((long) (heartbeat.toNanos() * (1 - random.nextDouble() / 10))));
            }
            poll();
        } else if (reply.status() == UNAUTHORIZED) {
            await(api.register(), this::onRegistered);
        } else {
            refuse(reply);
        }
    }

    private void onRegistered(NodeApi.@Nullable Reply reply, @Nullable Throwable failure) {
        if (reply == null) {
            fail(text(failure), wait(Duration.ZERO));
        } else if (reply.isOk()) {
            isSending = false;
            send();
        } else {
            refuse(reply);
        }
    }

    private void refuse(NodeApi.Reply reply) {
        boolean isFinal = reply.status() == UNAUTHORIZED || reply.status() == FORBIDDEN;
        fail("status " + reply.status() + ": " + reply.detail(), isFinal ? MAX_REFUSAL_WAIT : wait(reply.retryAfter()));
    }

    private void fail(String reason, Duration wait) {
        failures++;
        isConnected = false;
        isSending = false;
        scheduleSend(wait);
        listener.onFailed(this, reason);
    }

    /**
     * Returns the time until the next attempt, with a jitter of a quarter, so that agents do not reconnect at the same
     * time.
     */
    private Duration wait(Duration requested) {
        long doubled = FIRST_WAIT.toNanos() << Math.min(failures, MAX_DOUBLINGS);
        long nanos = Math.min(doubled, MAX_WAIT.toNanos());
        long jittered = (long) (nanos * (0.75 + random.nextDouble() / 4));
        long asked = Math.min(requested.toNanos(), MAX_REFUSAL_WAIT.toNanos());
        return Duration.ofNanos(Math.max(jittered, asked));
    }

    private void poll() {
        if (isPolling) {
            return;
        }
        isPolling = true;
        await(api.commands(commandVersion, POLL), this::onCommands);
    }

    private void onCommands(NodeApi.@Nullable Reply reply, @Nullable Throwable failure) {
        isPolling = false;
        if (reply == null || !reply.isOk()) {
            if (isConnected) {
                send(); // checks whether the node still responds; the next success polls again
            }
            return;
        }
        String version = Objects.toString(reply.body().get("version"), "");
        if (!version.equals(commandVersion)) {
            commandVersion = version;
            listener.onCommands(this, reply);
        }
        if (isConnected) {
            poll();
        }
    }

    private void await(
            CompletableFuture<NodeApi.Reply> pending, BiConsumer<NodeApi.@Nullable Reply, @Nullable Throwable> next) {
        int current = run;
        CompletableFuture<NodeApi.Reply> unused = pending.whenComplete((reply, failure) -> control.execute(() -> {
            if (current == run) {
                next.accept(reply, failure);
            }
        }));
    }

    private void scheduleSend(Duration wait) {
        cancel();
        next = control.scheduleTask(this::send, wait);
    }

    private void cancel() {
        if (next != null) {
            next.cancel();
            next = null;
        }
    }

    private static String text(@Nullable Throwable failure) {
        return failure == null ? "no response" : ErrorText.of(failure);
    }
}
