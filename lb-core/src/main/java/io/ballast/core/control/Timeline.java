package io.ballast.core.control;

import io.ballast.core.Checks;
import io.ballast.core.backend.HealthStatus.Origin;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The most recent events, newest last.
 *
 * <p>Thread safety: events are added by the control plane only; any thread may read or subscribe. Listeners are called
 * on the control plane's thread and must not block.
 */
public final class Timeline {

    private static final Logger LOG = LoggerFactory.getLogger(Timeline.class);

    private final Deque<Event> events = new ArrayDeque<>();
    private final List<Consumer<Event>> listeners = new CopyOnWriteArrayList<>();
    private final Clock clock;
    private final int capacity;
    private long nextId = 1;

    public Timeline(Clock clock, int capacity) {
        this.clock = clock;
        this.capacity = Checks.positive(capacity, "capacity");
    }

    /** Adds an event; if the capacity is exceeded, the oldest event is dropped. */
    public void add(Origin origin, String subject, String text) {
        Event event;
        synchronized (events) {
            event = new Event(nextId++, clock.instant(), origin, subject, text);
            if (events.size() == capacity) {
                events.removeFirst();
            }
            events.addLast(event);
        }
        listeners.forEach(listener -> notifyListener(listener, event));
    }

    /** Returns the stored events, oldest first. */
    public List<Event> recent() {
        synchronized (events) {
            return List.copyOf(events);
        }
    }

    /**
     * Registers a listener that is called with each new event. If a listener throws, the exception is logged and
     * the remaining listeners are called.
     */
    public void onEvent(Consumer<Event> listener) {
        listeners.add(listener);
    }

    private static void notifyListener(Consumer<Event> listener, Event event) {
        try {
            listener.accept(event);
        } catch (RuntimeException e) {
            LOG.error("event={} msg=\"event listener failed\"", event.id(), e);
        }
    }
}
