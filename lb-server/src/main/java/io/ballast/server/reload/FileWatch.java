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
 * Checks the files of the configuration once per second, and reloads after a change that has been stable for
 * one second, so that partly written files are not read. A file that starts to match an include pattern
 * counts as a change; other files of its directory are ignored. Runs on a thread of its own, because file
 * systems can be slow.
 */
public final class FileWatch implements AutoCloseable {

    /** The name of this trigger in the log. */
    static final String NAME = "watch";

    private static final Logger LOG = LoggerFactory.getLogger(FileWatch.class);

    private final Supplier<Sources> loadedSources;
    private final Reloader reloader;
    private final ScheduledExecutorService thread;
    private Sources lastSeen;
    private Sources lastTried = Sources.NONE;

    /** @param read state of the last read file, whether valid or invalid */
    FileWatch(Supplier<Sources> read, Reloader reloader, ScheduledExecutorService thread) {
        this.loadedSources = read;
        this.reloader = reloader;
        this.thread = thread;
        this.lastSeen = read.get();
    }

    /** Starts a daemon thread that checks the configuration files for changes every second. */
    public static FileWatch start(Supplier<Sources> read, Reloader reloader) {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "config-watch");
            made.setDaemon(true);
            return made;
        });
        FileWatch watch = new FileWatch(read, reloader, thread);
        thread.scheduleWithFixedDelay(watch::checkFiles, 1, 1, TimeUnit.SECONDS);
        return watch;
    }

    void checkFiles() {
        try {
            Sources active = loadedSources.get();
            Sources now = active.withCurrentState();
            boolean quiet = now.equals(lastSeen);
            lastSeen = now;
            // Try each state of the files only once. If the cause of a failure is outside the files, the reload would
            // otherwise fail every second.
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
