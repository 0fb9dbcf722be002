package io.ballast.dns.transfer;

import io.ballast.core.ErrorText;
import io.ballast.core.control.Background;
import io.ballast.core.stats.Counters;
import io.ballast.dns.stats.DnsCounter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.TSIG;

/**
 * Notifies other servers that a zone has changed (<a href="https://datatracker.ietf.org/doc/html/rfc1996">RFC
 * 1996</a>). Each NOTIFY message is sent up to {@value #MAX_TRIES} times, with a delay that doubles each
 * time, until the server acknowledges it. The result is counted and logged once for each change and server.
 * A newer change replaces a pending one. A server is notified of at most {@value ServerNotices#MAX_OPEN}
 * zones at a time; further notifications wait.
 *
 * <p>Thread safety: any thread may call it. Messages are sent and received by one thread, which ends when no
 * messages are pending.
 */
public final class Notifier implements AutoCloseable {

    static final int MAX_TRIES = 5;

    /** Time until the first retransmission. */
    public static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(Notifier.class);

    private final Background thread = Background.of("dns-notify", /* max= */ 1);
    private final Counters.Shard<DnsCounter> counters;
    private final long timeoutNanos;
    private final Queue<NotifyMessage> newNotices = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean running = new AtomicBoolean();
    private final Map<InetSocketAddress, ServerNotices> servers = new HashMap<>();
    private volatile boolean closed;
    private volatile @Nullable Selector selector;

    /**
     * @param counters a shard that only the notifier uses
     * @param timeout time until the first retransmission
     */
    public Notifier(Counters.Shard<DnsCounter> counters, Duration timeout) {
        this.counters = counters;
        this.timeoutNanos = timeout.toNanos();
    }

    /**
     * Starts to notify a server of a new version of a zone; returns immediately.
     *
     * @param key key that signs the notification; empty for an unsigned notification
     */
    public void sendNotify(InetSocketAddress server, Name zone, SOARecord version, Optional<TSIG> key) {
        newNotices.add(new NotifyMessage(new NotifyMessage.Destination(server, zone), version, key));
        run();
        Selector waiting = selector;
        if (waiting != null) {
            waiting.wakeup();
        }
    }

    private void run() {
        if (!closed && running.compareAndSet(/* expectedValue= */ false, /* newValue= */ true)) {
            thread.execute(this::processNotices);
        }
    }

    private void processNotices() {
        try (Selector events = Selector.open()) {
            selector = events;
            do {
                enqueueNewNotices();
                sendNext(events);
                await(events);
                retransmitDue(System.nanoTime());
            } while (!closed && !(servers.isEmpty() && newNotices.isEmpty()));
        } catch (IOException e) {
            LOG.error("msg=\"cannot send NOTIFY messages for changed zones\"", e);
            servers.values()
                    .forEach(server ->
                            server.drain().forEach(message -> counters.increment(DnsCounter.NOTIFIES_FAILED)));
        } finally {
            selector = null;
            servers.values().forEach(ServerNotices::drain);
            servers.clear();
            running.set(false);
        }
        if (!newNotices.isEmpty()) {
            run(); // handle a NOTIFY that was queued after the last check of the queue
        }
    }

    private void enqueueNewNotices() {
        for (NotifyMessage next = newNotices.poll(); next != null; next = newNotices.poll()) {
            servers.computeIfAbsent(next.server(), first -> new ServerNotices()).add(next);
        }
    }

    private void sendNext(Selector events) {
        for (ServerNotices server : servers.values()) {
            for (NotifyMessage next = server.next(); next != null; next = server.next()) {
                send(next, events);
            }
        }
        servers.values().removeIf(ServerNotices::isEmpty);
    }

    private void send(NotifyMessage message, Selector events) {
        try {
            message.send(events, System.nanoTime(), timeoutNanos);
        } catch (IOException e) {
            onFailed(message, ErrorText.of(e));
        }
    }

    private void await(Selector events) throws IOException {
        long due = Long.MAX_VALUE;
        for (NotifyMessage each : openNotices()) {
            due = Math.min(due, each.dueNanos() - System.nanoTime());
        }
        if (due == Long.MAX_VALUE) {
            return;
        }
        events.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(due) + 1));
        for (SelectionKey key : events.selectedKeys()) {
            receive((NotifyMessage) key.attachment());
        }
        events.selectedKeys().clear();
    }

    private void receive(NotifyMessage message) {
        try {
            int code = message.receive();
            if (code == Rcode.NOERROR) {
                onAcknowledged(message);
            } else if (code != NotifyMessage.NO_ANSWER) {
                onFailed(message, Rcode.string(code));
            }
        } catch (IOException e) {
            // The port is closed; the message is sent again when it is due.
        }
    }

    private void retransmitDue(long nowNanos) {
        for (NotifyMessage message : openNotices()) {
            if (nowNanos - message.dueNanos() < 0) {
                continue;
            }
            if (message.tries() >= MAX_TRIES) {
                onFailed(message, "no answer to " + MAX_TRIES + " messages");
                continue;
            }
            try {
                message.retransmit(nowNanos, timeoutNanos);
            } catch (IOException e) {
                onFailed(message, ErrorText.of(e));
            }
        }
    }

    private void onAcknowledged(NotifyMessage message) {
        counters.increment(DnsCounter.NOTIFIES_ACKNOWLEDGED);
        LOG.info(
                "zone={} serial={} server={} msg=\"the server was notified of the change\"",
                message.zone(),
                message.serial(),
                message.server());
        end(message);
    }

    private void onFailed(NotifyMessage message, String why) {
        counters.increment(DnsCounter.NOTIFIES_FAILED);
        LOG.warn(
                "zone={} serial={} server={} reason=\"{}\" msg=\"cannot notify the server of the change\"",
                message.zone(),
                message.serial(),
                message.server(),
                why);
        end(message);
    }

    private void end(NotifyMessage message) {
        ServerNotices server = servers.get(message.server());
        if (server != null) {
            server.end(message);
        }
    }

    private List<NotifyMessage> openNotices() {
        return servers.values().stream()
                .flatMap(server -> server.openNotices().stream())
                .toList();
    }

    /** Stops all notifications. Returns immediately. */
    @Override
    public void close() {
        closed = true;
        thread.close();
        Selector waiting = selector;
        if (waiting != null) {
            waiting.wakeup();
        }
    }
}
