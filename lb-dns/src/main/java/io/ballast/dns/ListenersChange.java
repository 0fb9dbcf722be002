package io.ballast.dns;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dns.config.DnsListenerConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A prepared change of listeners. Thread safety: confined to one thread at a time. */
final class ListenersChange implements AutoCloseable {

    private final DnsListeners listeners;
    /**
     * While listeners are being opened: the active listeners that are not yet matched by a listener of the new
     * configuration. After that: the listeners to remove.
     */
    private final List<DnsListener> unusedListeners;

    private final List<DnsListener> opened = new ArrayList<>();
    /** Maps each replaced listener to its successor. */
    private final Map<DnsListener, DnsListener> successors = new LinkedHashMap<>();

    private final List<DnsListener> next = new ArrayList<>();
    private boolean done;

    ListenersChange(DnsListeners listeners, List<DnsListener> current) {
        this.listeners = listeners;
        this.unusedListeners = new ArrayList<>(current);
    }

    /** The next listeners, in configuration order. */
    List<DnsListener> next() {
        return next;
    }

    /**
     * @throws IOException if a listener cannot be opened; {@link #close} closes the listeners that are already
     *     open
     */
    void open(List<DnsListenerConfig> configs) throws IOException {
        Map<DnsListenerConfig, DnsListener> ready = new HashMap<>();
        for (DnsListenerConfig config : configs) {
            for (DnsListener listener : List.copyOf(unusedListeners)) {
                if (listener.config().equals(config)) {
                    ready.put(config, listener);
                    unusedListeners.remove(listener);
                }
            }
        }
        for (DnsListenerConfig config : configs) {
            DnsListener successor = ready.containsKey(config) ? null : openSuccessor(config);
            if (successor != null) {
                ready.put(config, successor);
            }
        }
        List<InetSocketAddress> ownAddresses = unusedListeners.stream()
                .flatMap(listener -> listener.addresses().stream())
                .toList();
        for (DnsListenerConfig config : configs) {
            DnsListener listener = ready.get(config);
            if (listener == null) {
                listener = listeners.open(config, ownAddresses);
                opened.add(listener);
            }
            next.add(listener);
        }
    }

    private @Nullable DnsListener openSuccessor(DnsListenerConfig config) throws IOException {
        for (DnsListener before : List.copyOf(unusedListeners)) {
            if (before.config().bind().equals(config.bind())) {
                DnsListener successor = listeners.openSuccessor(before, config);
                if (successor != null) {
                    successors.put(before, successor);
                    unusedListeners.remove(before);
                }
                return successor;
            }
        }
        return null;
    }

    /** Activates the listeners. Returns immediately. */
    void commit() {
        done = true;
        List<Heartbeat> heartbeats = new ArrayList<>();
        opened.forEach(listener -> heartbeats.addAll(listener.heartbeats()));
        successors
                .values()
                .forEach(listener -> heartbeats.addAll(listener.sockets().addedHeartbeats()));
        opened.forEach(listener -> listener.sockets().start());
        successors.forEach((before, after) -> {
            after.acceptor().setService(after.service());
            after.sockets().takeOver(before.sockets());
            listeners.retire(after.sockets()::awaitEnded, before);
        });
        unusedListeners.forEach(listener -> {
            listener.sockets().drain();
            listeners.retire(listener.sockets(), listener);
        });
        listeners.current(next);
        if (!heartbeats.isEmpty()) {
            listeners.reportHeartbeats(heartbeats);
        }
    }

    /** Frees the resources of removed listeners. Returns immediately. */
    void settle() {
        listeners.releaseInactiveConfigs();
        listeners.awaitEndedLater();
    }

    /** Discards the change, unless it was committed. */
    @Override
    public void close() {
        if (done) {
            return;
        }
        done = true;
        opened.forEach(listener -> {
            listener.sockets().abandon();
            listener.protocol().close();
        });
        successors.values().forEach(listener -> {
            listener.sockets().closeAdded();
            listener.protocol().close();
        });
        listeners.resumeScan();
    }
}
