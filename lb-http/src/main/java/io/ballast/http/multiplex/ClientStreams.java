package io.ballast.http.multiplex;

import io.netty.util.collection.LongObjectHashMap;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The open streams of a connection by number, a pool of stream objects, and the numbers of recently reset streams.
 * Event-loop confined.
 *
 * @param <S> the streams of a protocol
 */
public final class ClientStreams<S extends ClientStream> {

    /** Number of reset streams that are remembered, because frames for them may still arrive. */
    private static final int REMEMBERED_RESETS = 128;

    private final Supplier<S> factory;
    private final LongObjectHashMap<S> open = new LongObjectHashMap<>(8);
    private final ObjectPool<S> unused = new ObjectPool<>();
    private int @Nullable [] resets;
    private int resetCount;

    public ClientStreams(Supplier<S> factory) {
        this.factory = factory;
    }

    /** Opens a stream. */
    public S add(long id) {
        S used = unused.acquire();
        S stream = used == null ? factory.get() : used;
        open.put(id, stream);
        return stream;
    }

    public @Nullable S find(long id) {
        return open.get(id);
    }

    public void remove(ClientStream stream) {
        open.remove(stream.id());
    }

    /** Returns a removed and released stream object to the pool, unless its exchange still runs. */
    public void recycle(S stream) {
        if (!stream.isDetached()) {
            unused.release(stream);
        }
    }

    /** Whether the object pool contains unused streams. */
    public boolean hasUnused() {
        return !unused.isEmpty();
    }

    public void clearUnused() {
        unused.clear();
    }

    public void removeAll(Consumer<S> end) {
        List<S> all = List.copyOf(open.values());
        open.clear();
        all.forEach(end);
    }

    public void forEach(Consumer<S> action) {
        if (!open.isEmpty()) {
            List.copyOf(open.values()).forEach(action);
        }
    }

    public boolean allMatch(Predicate<S> test) {
        return open.values().stream().allMatch(test);
    }

    public int count() {
        return open.size();
    }

    public boolean isEmpty() {
        return open.isEmpty();
    }

    public void noteReset(int id) {
        int[] ring = resets;
        if (ring == null) {
            ring = new int[REMEMBERED_RESETS];
            resets = ring;
        }
        ring[resetCount++ % REMEMBERED_RESETS] = id;
    }

    public boolean wasReset(int id) {
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
    public long localResponseBytes() {
        long kept = 0;
        for (S stream : open.values()) {
            kept += stream.localResponseBytes();
        }
        return kept;
    }

    public long bufferedBytes() {
        long held = 0;
        for (S stream : open.values()) {
            held += stream.bufferedBytes();
        }
        return held;
    }
}
