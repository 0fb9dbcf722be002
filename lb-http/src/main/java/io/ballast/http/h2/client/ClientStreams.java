package io.ballast.http.h2.client;

import io.netty.util.collection.IntObjectHashMap;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The open streams of a connection by number, a pool of stream objects, and the numbers of recently reset streams.
 * Event-loop confined.
 */
final class ClientStreams {

    /** Number of reset streams that are remembered, because frames for them may still arrive. */
    private static final int REMEMBERED_RESETS = 128;

    private final Supplier<Http2Stream> factory;
    private final IntObjectHashMap<Http2Stream> open = new IntObjectHashMap<>(8);
    private final ObjectPool<Http2Stream> unused = new ObjectPool<>();
    private int @Nullable [] resets;
    private int resetCount;

    ClientStreams(Supplier<Http2Stream> factory) {
        this.factory = factory;
    }

    /** Opens a stream. */
    Http2Stream add(int id) {
        Http2Stream used = unused.acquire();
        Http2Stream stream = used == null ? factory.get() : used;
        open.put(id, stream);
        return stream;
    }

    @Nullable Http2Stream find(int id) {
        return open.get(id);
    }

    void remove(Http2Stream stream) {
        open.remove(stream.id());
    }

    /** Returns a removed and released stream object to the pool, unless its exchange still runs. */
    void recycle(Http2Stream stream) {
        if (!stream.isDetached()) {
            unused.release(stream);
        }
    }

    /** Whether the object pool contains unused streams. */
    boolean hasUnused() {
        return !unused.isEmpty();
    }

    void clearUnused() {
        unused.clear();
    }

    void removeAll(Consumer<Http2Stream> end) {
        List<Http2Stream> all = List.copyOf(open.values());
        open.clear();
        all.forEach(end);
    }

    void forEach(Consumer<Http2Stream> action) {
        if (!open.isEmpty()) {
            List.copyOf(open.values()).forEach(action);
        }
    }

    boolean allMatch(Predicate<Http2Stream> test) {
        return open.values().stream().allMatch(test);
    }

    int count() {
        return open.size();
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    void noteReset(int id) {
        int[] ring = resets;
        if (ring == null) {
            ring = new int[REMEMBERED_RESETS];
            resets = ring;
        }
        ring[resetCount++ % REMEMBERED_RESETS] = id;
    }

    boolean wasReset(int id) {
        int[] ring = resets;
        if (ring != null) {
            for (int each : ring) {
                if (each == id) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns the bytes of memory held by generated responses that wait for flow-control windows. */
    long localResponseBytes() {
        long kept = 0;
        for (Http2Stream stream : open.values()) {
            kept += stream.localResponseBytes();
        }
        return kept;
    }

    long bufferedBytes() {
        long held = 0;
        for (Http2Stream stream : open.values()) {
            held += stream.bufferedBytes();
        }
        return held;
    }
}
