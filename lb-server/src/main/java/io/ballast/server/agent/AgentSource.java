package io.ballast.server.agent;

import io.ballast.discovery.source.DiscoveredBackend;
import io.ballast.discovery.source.Source;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A discovery source of one pool, for the backends that agents report. Thread-safe. */
final class AgentSource implements Source {

    private final Consumer<AgentSource> onClose;
    private @Nullable Listener listener;
    private @Nullable List<DiscoveredBackend> last;

    /** @param onClose called when the source is closed */
    AgentSource(Consumer<AgentSource> onClose) {
        this.onClose = onClose;
    }

    @Override
    public synchronized void start(Listener other) {
        listener = other;
        if (last != null) {
            other.onBackends(last);
        }
    }

    /** Sets the current backends. */
    synchronized void report(List<DiscoveredBackend> backends) {
        if (backends.equals(last)) {
            return;
        }
        last = backends;
        if (listener != null) {
            listener.onBackends(backends);
        }
    }

    @Override
    public synchronized void close() {
        listener = null;
        onClose.accept(this);
    }
}
