package io.ballast.http.multiplex;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A pool of reusable objects, so that steady traffic allocates no objects. The size of the pool is limited,
 * and the pool is emptied for an idle client, because the objects use some KiB each and are not counted in
 * any memory budget. Confined to one thread.
 */
final class ObjectPool<T> {

    /** Maximum number of pooled objects. A client with more open streams causes allocations. */
    static final int MAX = 32;

    private final ArrayDeque<T> objects = new ArrayDeque<>(2);

    /** Takes an object; null if the pool is empty. */
    @Nullable T acquire() {
        return objects.poll();
    }

    /** Returns {@code object} to the pool, or drops it if the pool is full. */
    void release(T object) {
        if (objects.size() < MAX) {
            objects.push(object);
        }
    }

    boolean isEmpty() {
        return objects.isEmpty();
    }

    void clear() {
        objects.clear();
    }
}
