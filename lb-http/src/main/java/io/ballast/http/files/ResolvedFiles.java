package io.ballast.http.files;

import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers for a second to which files names have led, because resolving the links of a path takes a system call for each
 * of its parts. At most {@value #MAX_NAMES} names. Thread safety: all methods may be called concurrently.
 */
final class ResolvedFiles {

    /** The maximum number of names; then all are forgotten. */
    static final int MAX_NAMES = 1024;

    /** How long a name is remembered. */
    static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * A file to which a name has led.
     *
     * @param real its path without symbolic links
     * @param key identifies the file itself, wherever it is
     */
    record Resolved(Path real, Object key, long nanos) {}

    private final ConcurrentHashMap<String, Resolved> files = new ConcurrentHashMap<>();
    private final LongSupplier nanoTime;

    ResolvedFiles(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Returns the file to which a name has led within the last second; null if it is unknown. */
    @Nullable Resolved find(String name) {
        Resolved known = files.get(name);
        if (known != null && nanoTime.getAsLong() - known.nanos() > MAX_AGE_NANOS) {
            files.remove(name, known);
            return null;
        }
        return known;
    }

    /** Remembers a file. */
    void add(String name, Path real, Object key) {
        if (files.size() >= MAX_NAMES) {
            files.clear();
        }
        files.put(name, new Resolved(real, key, nanoTime.getAsLong()));
    }

    /** Forgets a file to which its name leads no more. */
    void remove(String name, Resolved known) {
        files.remove(name, known);
    }

    int size() {
        return files.size();
    }
}
