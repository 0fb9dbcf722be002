package io.ballast.server.reload;

import io.ballast.core.config.BallastConfig;
import io.ballast.core.config.DnsConfig;
import io.ballast.core.config.ZoneConfig;
import io.ballast.core.control.Reloader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks once a second whether files have changed, and reloads when they have and then have not for a second, so that one who
 * writes several of them, or a long one, is not read half-way. Their directories are looked at too: files may join that a
 * pattern includes, and a link may be put in place of another. On a thread of its own: file systems can be slow.
 */
public final class FileWatch implements AutoCloseable {

    /** Who asks for these reloads. */
    static final String NAME = "watch";

    private static final Logger LOG = LoggerFactory.getLogger(FileWatch.class);

    private final Supplier<Set<Path>> files;
    private final Reloader reloader;
    private final ScheduledExecutorService thread;
    private Map<Path, Optional<Stamp>> inForce;
    private Map<Path, Optional<Stamp>> lastSeen;

    /** What changes when a file does. */
    private record Stamp(long size, Object time, Optional<Object> key) {}

    FileWatch(Supplier<Set<Path>> files, Reloader reloader, ScheduledExecutorService thread) {
        this.files = files;
        this.reloader = reloader;
        this.thread = thread;
        this.inForce = look();
        this.lastSeen = inForce;
    }

    /** Begins to look. The set may be another each time. */
    public static FileWatch start(Supplier<Set<Path>> files, Reloader reloader) {
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "config-watch");
            made.setDaemon(true);
            return made;
        });
        FileWatch watch = new FileWatch(files, reloader, thread);
        thread.scheduleWithFixedDelay(watch::tick, 1, 1, TimeUnit.SECONDS);
        return watch;
    }

    /** The files of a configuration: those that it was read from, and the zone files that it names. */
    public static Set<Path> filesOf(List<Path> read, BallastConfig config) {
        Set<Path> all = new LinkedHashSet<>(read);
        config.dns().map(DnsConfig::zones).orElse(List.of()).stream()
                .map(ZoneConfig::file)
                .flatMap(Optional::stream)
                .map(Path::toAbsolutePath)
                .forEach(all::add);
        return all;
    }

    void tick() {
        try {
            Map<Path, Optional<Stamp>> now = look();
            boolean quiet = now.equals(lastSeen);
            lastSeen = now;
            if (quiet && !now.equals(inForce)) {
                inForce = now;
                reloader.reload(/* dryRun= */ false, NAME).whenComplete((report, failure) -> {
                    if (failure != null) {
                        LOG.error("msg=\"reload failed\"", failure);
                    }
                });
            }
        } catch (RuntimeException e) {
            LOG.error("msg=\"files could not be looked at\"", e);
        }
    }

    private Map<Path, Optional<Stamp>> look() {
        Map<Path, Optional<Stamp>> stamps = new LinkedHashMap<>();
        for (Path file : files.get()) {
            stamps.put(file, stamp(file));
            Path directory = file.getParent();
            if (directory != null) {
                stamps.computeIfAbsent(directory, FileWatch::stamp);
            }
        }
        return stamps;
    }

    private static Optional<Stamp> stamp(Path file) {
        try {
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
            return Optional.of(new Stamp(found.size(), found.lastModifiedTime(), Optional.ofNullable(found.fileKey())));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
