package io.ballast.http.net;

import io.ballast.net.loop.FrontendLoop;
import io.ballast.net.timer.DeadlineWheel;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The sources of backend connections on one event loop that wait for a file descriptor. While the process has no free
 * descriptor, the event loop tries to open a connection when one of its connections has closed, and otherwise once
 * every {@link #INTERVAL}, independent of the number of waiting requests. The sources take turns in the order in which
 * they joined. After a successful attempt the next source has its turn immediately; a failed attempt ends the round.
 *
 * <p>One unused connection to any backend is closed when a source joins, at each interval without a descriptor, and
 * when an attempt fails for a source without a connection. If this event loop has no unused connection, another event
 * loop closes one. A waiting request then gets the descriptor.
 *
 * <p>Event-loop confined. Cost: one comparison while descriptors are free; otherwise constant for each attempt. Memory:
 * one entry for each source, which is a backend with waiting requests or a TCP session.
 */
public final class DescriptorQueue {

    /** The interval between attempts while no descriptor is known to be free. */
    public static final Duration INTERVAL = Duration.ofMillis(100);

    /** The reason of failures, for operators. */
    public static final String NO_DESCRIPTOR = "too many open files";

    /** A source of backend connections. */
    public interface Source {

        /** The result of a turn. */
        enum Turn {
            /** A descriptor was free, or the first request no longer needs one. The source can have another turn. */
            USED,
            /** No request of the source waits for a descriptor. */
            NOT_NEEDED,
            NO_DESCRIPTOR
        }

        /** Tries to open a connection for the first waiting request. */
        Turn connectNext();

        /** Whether there is a connection that may become free for a waiting request. */
        boolean hasConnection();

        /** Called for each waiting source after an attempt at the end of an interval has failed. */
        void remainsShort();
    }

    private final FrontendLoop loop;
    private List<DescriptorQueue> others = List.of();
    private BooleanSupplier closer = () -> false;
    private final LinkedHashSet<Source> sources = new LinkedHashSet<>(0);
    private final Retry retry = new Retry();
    private boolean isShort;
    private boolean roundScheduled;
    private boolean inRound;
    private boolean askingOthers;

    /** Creates the queue of an event loop. */
    public DescriptorQueue(FrontendLoop loop) {
        this.loop = loop;
    }

    /** Lets the queues of these event loops close unused connections for each other. Called before any loop serves. */
    public static void share(List<DescriptorQueue> queues) {
        for (DescriptorQueue queue : queues) {
            queue.others = queues.stream().filter(other -> other != queue).toList();
        }
    }

    /**
     * Sets the function that closes one unused connection of this event loop, and that returns false if there is none.
     * Called before the loop serves.
     */
    public void closeUnusedBy(BooleanSupplier closesOne) {
        closer = closesOne;
    }

    /**
     * Whether connects must wait, because an attempt of this event loop has failed for lack of a descriptor, and no
     * descriptor is known to be free since then.
     */
    public boolean isShort() {
        return isShort;
    }

    /**
     * Adds a source, which has its turn after the sources that already wait. Called when its attempt to open a
     * connection has failed for lack of a descriptor, or because {@link #isShort} returned true. Returns false if the
     * source already waits.
     */
    public boolean add(Source source) {
        if (!isShort) {
            isShort = true;
            loop.setDeadline(retry, INTERVAL);
        }
        boolean added = sources.add(source);
        if (added) {
            closeUnused();
        }
        return added;
    }

    /** Removes a source; does nothing if it does not wait. */
    public void remove(Source source) {
        sources.remove(source);
    }

    /** Called when a connection of this event loop has closed, so that a descriptor may be free. */
    public void freed() {
        if (!isShort) {
            return;
        }
        if (sources.isEmpty()) {
            end(); // the next connect may open a socket without this queue
        } else if (!roundScheduled) {
            roundScheduled = true;
            loop.eventLoop().execute(() -> {
                roundScheduled = false;
                loop.readClock();
                round();
            });
        }
    }

    /** Gives turns to the sources until an attempt fails or no source waits. Returns whether an attempt failed. */
    private boolean round() {
        if (inRound) {
            return false;
        }
        inRound = true;
        boolean succeeded = false;
        try {
            while (!sources.isEmpty()) {
                Source first = sources.iterator().next();
                Source.Turn turn = first.connectNext();
                if (turn == Source.Turn.NO_DESCRIPTOR) {
                    if (!first.hasConnection()) {
                        closeUnused();
                    }
                    return true;
                }
                succeeded |= turn == Source.Turn.USED;
                if (sources.remove(first) && turn == Source.Turn.USED) {
                    sources.add(first); // moves the source to the end of the queue
                }
            }
        } finally {
            inRound = false;
        }
        if (succeeded) {
            end();
        }
        return false;
    }

    /**
     * Closes an unused connection of this event loop or of another event loop. If there is such a connection, {@link
     * #freed} is called afterwards.
     */
    private void closeUnused() {
        if (!closer.getAsBoolean() && !askingOthers) {
            askingOthers = true;
            ask(0);
        }
    }

    private void ask(int index) {
        if (index == others.size() || loop.eventLoop().isShuttingDown()) {
            askingOthers = false;
            return;
        }
        DescriptorQueue other = others.get(index);
        other.loop.eventLoop().execute(() -> {
            boolean closed = other.closer.getAsBoolean();
            loop.eventLoop().execute(() -> {
                if (closed) {
                    askingOthers = false;
                    freed();
                } else {
                    ask(index + 1);
                }
            });
        });
    }

    private void end() {
        isShort = false;
        loop.deadlines().remove(retry);
    }

    /**
     * Tries again after an interval. If no source is waiting by then, new connects may open a connection without this
     * queue.
     */
    private final class Retry extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            loop.setDeadline(this, INTERVAL); // set first, so that an exception does not end the retries
            if (round()) {
                closeUnused();
                List.copyOf(sources).forEach(Source::remainsShort);
            } else {
                end();
            }
        }
    }
}
