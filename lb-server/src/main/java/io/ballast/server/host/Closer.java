package io.ballast.server.host;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes the parts of the process in reverse order of their start. Not thread-safe. */
public final class Closer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Closer.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /** Registers {@code part}, which {@link #close} closes, and returns it. */
    public <T extends AutoCloseable> T register(T part) {
        parts.push(part);
        return part;
    }

    /** Closes all registered resources. A failure is logged, and the remaining resources are still closed. */
    @Override
    public void close() {
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.warn("could not close {}", part, e);
            }
        }
    }
}
