package io.ballast.http.files;

import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers for one second which file a name refers to. Without the cache, resolving the links of a path takes a system
 * call for each segment. Holds at most {@value #MAX_NAMES} names. Thread safety: all methods may be called
 * concurrently.
 */
final class ResolvedFiles {

    /** The maximum number of cached names; when it is reached, the cache is cleared. */
    static final int MAX_NAMES = 1024;

    /** How long a name is cached. */
    static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * The file that a name refers to.
     *
     * @param real its path without symbolic links
     * @param key identifies the file itself, independent of its path
     */
    record Resolved(Path real, Object key, long nanos) {}

    private final ConcurrentHashMap<String, Resolved> files = new ConcurrentHashMap<>();
    private final LongSupplier nanoTime;

    ResolvedFiles(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Returns the file that a name referred to within the last second; null if it is not cached. */
    @Nullable Resolved find(String name) {
        Resolved known = files.get(name);
        if (known != null && nanoTime.getAsLong() - known.nanos() > MAX_AGE_NANOS) {
            files.remove(name, known);
            return null;
        }
        return known;
    }

    /** Caches the file of a name. */
    void add(String name, Path real, Object key) {
        if (files.size() >= MAX_NAMES) {
            files.clear();
        }
        files.put(name, new Resolved(real, key, nanoTime.getAsLong()));
    }

    /** Removes a name that no longer refers to this file. */
    void remove(String name, Resolved known) {
        files.remove(name, known);
    }

    int size() {
        return files.size();
    }
}
