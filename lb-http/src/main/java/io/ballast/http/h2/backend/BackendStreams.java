package io.ballast.http.h2.backend;

import io.netty.util.collection.IntObjectHashMap;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The open streams of a connection to a backend by their numbers, and those that wait to be used again, so that in the long
 * run a stream costs no allocation.
 *
 * <p>A stream that is over is not used again before {@link #settle}: while frames are read, an exchange may end below a method
 * of its stream, which must then find the stream over and not another one's. Afterwards nothing knows the stream: exchange,
 * deadlines and flow have let go of it, and what is executed later compares its number.
 *
 * <p>Event-loop confined.
 */
final class BackendStreams {

    private final Http2BackendConnection connection;
    private final int mostUnused;
    private final IntObjectHashMap<BackendStream> open = new IntObjectHashMap<>(8);
    private final ArrayDeque<BackendStream> unused = new ArrayDeque<>();
    /** How many of them, from the first on, may be used. */
    private int settled;

    /** @param mostUnused how many are kept at most to be used again */
    BackendStreams(Http2BackendConnection connection, int mostUnused) {
        this.connection = connection;
        this.mostUnused = mostUnused;
    }

    /** A stream with this number, which is to begin. */
    BackendStream add(int id) {
        BackendStream stream = take();
        open.put(id, stream);
        return stream;
    }

    private BackendStream take() {
        if (settled == 0) {
            return new BackendStream(connection);
        }
        settled--;
        return unused.remove();
    }

    /** A stream that is over, and let go of everything, may be used for another one after the next {@link #settle}. */
    void recycle(BackendStream stream) {
        if (unused.size() < mostUnused) {
            unused.add(stream);
        }
    }

    /** No method of a stream is running. */
    void settle() {
        settled = unused.size();
    }

    @Nullable BackendStream find(int id) {
        return open.get(id);
    }

    /** The stream with that number is known no more; null if it was not known. */
    @Nullable BackendStream remove(int id) {
        return open.remove(id);
    }

    /** Those that are open now, whatever becomes of them meanwhile. Allocates. */
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
