package io.ballast.http.h2.backend;

import io.netty.util.collection.IntObjectHashMap;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The open streams of a backend connection by number, and a pool of stream objects, so that steady traffic allocates no
 * stream objects.
 *
 * <p>A pooled stream object is reused only after {@link #makePooledReusable}. While frames are read, an exchange may
 * end inside a method of its stream. That method must not find another stream in the object when it continues. After
 * {@link #makePooledReusable}, no exchange, deadline or queue of the flow control refers to the object. Delayed tasks
 * compare the stream number.
 *
 * <p>Event-loop confined.
 */
final class BackendStreams {

    private final Http2BackendConnection connection;
    private final int maxUnused;
    private final IntObjectHashMap<BackendStream> open = new IntObjectHashMap<>(8);
    private final ArrayDeque<BackendStream> unused = new ArrayDeque<>();
    /** Number of objects at the beginning of the pool that may be reused. */
    private int reusableCount;

    /** @param maxUnused maximum number of pooled objects */
    BackendStreams(Http2BackendConnection connection, int maxUnused) {
        this.connection = connection;
        this.maxUnused = maxUnused;
    }

    /** Returns a stream object that is registered with this number. The caller must begin the stream. */
    BackendStream add(int id) {
        BackendStream stream = reuseOrCreate();
        open.put(id, stream);
        return stream;
    }

    private BackendStream reuseOrCreate() {
        if (reusableCount == 0) {
            return new BackendStream(connection);
        }
        reusableCount--;
        return unused.remove();
    }

    /**
     * Returns an ended and released stream object to the pool; it is reusable after the next {@link
     * #makePooledReusable}.
     */
    void recycle(BackendStream stream) {
        if (unused.size() < maxUnused) {
            unused.add(stream);
        }
    }

    /** Allows the reuse of all pooled stream objects. Called while no method of a stream is running. */
    void makePooledReusable() {
        reusableCount = unused.size();
    }

    @Nullable BackendStream find(int id) {
        return open.get(id);
    }

    /** Removes and returns the stream with this number; null if there is none. */
    @Nullable BackendStream remove(int id) {
        return open.remove(id);
    }

    /** Returns a copy of the open streams. Allocates. */
    List<BackendStream> all() {
        return open.isEmpty() ? List.of() : List.copyOf(open.values());
    }

    void clear() {
        open.clear();
    }

    int count() {
        return open.size();
    }

    boolean isEmpty() {
        return open.isEmpty();
    }
}
