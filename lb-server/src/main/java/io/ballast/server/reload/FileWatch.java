package io.ballast.server.reload;

import io.ballast.config.load.Sources;
import io.ballast.core.control.Reloader;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks once a second whether what the configuration was read from has changed, and reloads when it has and then has not for a
 * second, so that one who writes several files, or a long one, is not read half-way. A file that joins because a pattern
 * includes it is a change; what else happens in its directory is none. On a thread of its own: file systems can be slow.
 */
public final class FileWatch implements AutoCloseable {

    /** The name of this trigger in the log. */
    static final String NAME = "watch";

    private static final Logger LOG = LoggerFactory.getLogger(FileWatch.class);

    private final Supplier<Sources> read;
    private final Reloader reloader;
    private final ScheduledExecutorService thread;
    private Sources lastSeen;
    private Sources lastTried = Sources.NONE;

    /** @param read what was read last, well or badly, as it was then */
    FileWatch(Supplier<Sources> read, Reloader reloader, ScheduledExecutorService thread) {
        this.read = read;
        this.reloader = reloader;
        this.thread = thread;
        this.lastSeen = read.get();
    }

    /** Begins to look. */
    public static FileWatch start(Supplier<Sources> read, Reloader reloader) {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "config-watch");
            made.setDaemon(true);
            return made;
        });
        FileWatch watch = new FileWatch(read, reloader, thread);
        thread.scheduleWithFixedDelay(watch::tick, 1, 1, TimeUnit.SECONDS);
        return watch;
    }

    void tick() {
        try {
            Sources active = read.get();
            Sources now = active.now();
            boolean quiet = now.equals(lastSeen);
            lastSeen = now;
            // Tried once: what made a reload fail beside its files would make it fail each second.
            if (quiet && !now.equals(active) && !now.equals(lastTried)) {
                lastTried = now;
                reloader.reload(/* dryRun= */ false, NAME).whenComplete((report, failure) -> {
                    if (failure != null) {
                        LOG.error("msg=\"reload failed\"", failure);
                    }
                });
            }
        } catch (RuntimeException e) {
            LOG.error("msg=\"cannot check files for changes\"", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
