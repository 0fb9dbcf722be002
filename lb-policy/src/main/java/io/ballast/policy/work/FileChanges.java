package io.ballast.policy.work;

import io.ballast.core.FileState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the files of policies. A file is checked every {@link #INTERVAL}; a change is reported when the file has been
 * stable for one interval, so that partly written files are not read.
 *
 * <p>Thread safety: any thread may call any method. Changes are reported on one thread, which starts with the first
 * watched file. Cost: one file system call per file and interval.
 */
public final class FileChanges implements AutoCloseable {

    /** The time between two checks of a file. */
    public static final Duration INTERVAL = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(FileChanges.class);

    private final Object checks = new Object();
    private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
    private @Nullable ScheduledExecutorService thread; // guarded by this
    private boolean closed; // guarded by this

    /** A watched file. */
    public final class Watch implements AutoCloseable {

        private final Path file;
        private final Runnable changed;
        private FileState reported; // guarded by checks
        private FileState lastSeen; // guarded by checks

        private Watch(Path file, FileState known, Runnable changed) {
            this.file = file;
            this.changed = changed;
            this.reported = known;
            this.lastSeen = known;
        }

        /** Stops watching the file; a change that is being reported may still arrive. */
        @Override
        public void close() {
            watches.remove(this);
        }

        private void check() {
            FileState now = FileState.of(file);
            boolean isStable = now.equals(lastSeen);
            lastSeen = now;
            if (isStable && !now.equals(reported)) {
                reported = now;
                changed.run();
            }
        }
    }

    /**
     * Watches a file until the result is closed.
     *
     * @param known the state of the file when it was read
     * @param changed called after each change; may read files
     */
    public Watch watch(Path file, FileState known, Runnable changed) {
        Watch watch = new Watch(file, known, changed);
        watches.add(watch);
        startThread();
        return watch;
    }

    private synchronized void startThread() {
        if (thread != null || closed) {
            return;
        }
        ScheduledExecutorService started = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "policy-files");
            made.setDaemon(true);
            return made;
        });
        ScheduledFuture<?> unused = started.scheduleWithFixedDelay(
                this::checkAll, INTERVAL.toNanos(), INTERVAL.toNanos(), TimeUnit.NANOSECONDS);
        thread = started;
    }

    /** Checks all files now, as the thread does after each interval. */
    public void checkAll() {
        synchronized (checks) {
            for (Watch watch : watches) {
                try {
                    watch.check();
                } catch (RuntimeException | Error e) {
                    LOG.error("file={} msg=\"the check of a changed file failed\"", watch.file, e);
                }
            }
        }
    }

    /** Stops watching all files. */
    @Override
    public synchronized void close() {
        closed = true;
        watches.clear();
        if (thread != null) {
            thread.shutdownNow();
        }
    }
}
