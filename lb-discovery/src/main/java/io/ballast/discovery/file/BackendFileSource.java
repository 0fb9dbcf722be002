package io.ballast.discovery.file;

import io.ballast.config.load.BackendList;
import io.ballast.config.load.ConfigException;
import io.ballast.config.yaml.Problem;
import io.ballast.core.ErrorText;
import io.ballast.core.FileState;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.HostPort;
import io.ballast.discovery.source.DiscoveredBackend;
import io.ballast.discovery.source.Source;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A file with a list of backends, or a directory of such files. The files are checked once per second. A
 * changed file is read when it has been stable for one second, so that partly written files are not read. One
 * invalid file fails the whole source, so that its errors do not remove backends of other files.
 *
 * <p>In a directory, all non-hidden files that end with {@code .yaml}, {@code .yml} or {@code .json} are
 * read, at most {@value #MAX_FILES}. They are merged in the order of their names; if an address occurs
 * several times, the first entry is used.
 */
public final class BackendFileSource implements Source {

    static final int MAX_FILES = 1_000;

    private static final int MAX_PROBLEMS = 3;

    private final Path path;
    private @Nullable ScheduledExecutorService thread;
    private @Nullable Listener listener;
    private boolean started;
    /** Whether the last read result was reported. */
    private boolean wasReported;

    /** The state of the files at the last read; null before the first read, and after an I/O error. */
    private @Nullable Map<Path, FileState> lastRead;

    /** The state of the files at the last check; null after a failure. */
    private @Nullable Map<Path, FileState> lastSeen;

    /** @param path the path of the file or directory, which need not exist yet */
    public BackendFileSource(Path path) {
        this.path = path;
    }

    @Override
    public void start(Listener target) {
        ScheduledExecutorService ticking = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "discover-file");
            made.setDaemon(true);
            return made;
        });
        thread = ticking;
        listen(target);
        ticking.scheduleWithFixedDelay(this::tick, 0, 1, TimeUnit.SECONDS);
    }

    /** Like {@link #start}, but without a thread, for tests that call {@link #tick} themselves. */
    void listen(Listener target) {
        listener = target;
    }

    void tick() {
        Listener target = listener;
        if (target == null) {
            return;
        }
        boolean first = !started;
        started = true;
        try {
            Map<Path, FileState> now = states();
            boolean quiet = first || now.equals(lastSeen);
            lastSeen = now;
            if (quiet && !now.equals(lastRead)) {
                lastRead = now;
                target.onBackends(backends(now));
                wasReported = true;
            } else if (quiet && wasReported) {
                target.onUnchanged();
            }
        } catch (ConfigException e) {
            wasReported = false;
            target.onFailure(e.problems().stream()
                    .limit(MAX_PROBLEMS)
                    .map(Problem::toString)
                    .collect(Collectors.joining("; ")));
        } catch (IOException | DirectoryIteratorException e) {
            resetState();
            target.onFailure(path + " cannot be read: " + ErrorText.reason(e));
        } catch (RuntimeException | Error e) {
            resetState();
            target.onFailure(path + " cannot be read: " + ErrorText.reason(e));
        }
    }

    /** Resets the state, so that the next check reads all files again. */
    private void resetState() {
        wasReported = false;
        lastSeen = null;
        lastRead = null;
    }

    /** Returns the current state of each file, such as its size and modification time. */
    private Map<Path, FileState> states() throws IOException {
        Map<Path, FileState> states = new LinkedHashMap<>();
        if (!Files.isDirectory(path)) {
            if (!Files.exists(path)) {
                throw new NoSuchFileException(path.toString());
            }
            states.put(path, FileState.of(path));
            return states;
        }
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(path, "[!.]*.{yaml,yml,json}")) {
            for (Path each : all) {
                if (files.size() == MAX_FILES) {
                    throw new IOException("too many files (expected: at most " + MAX_FILES + ")");
                }
                files.add(each);
            }
        }
        Collections.sort(files);
        files.forEach(each -> states.put(each, FileState.of(each)));
        return states;
    }

    private static List<DiscoveredBackend> backends(Map<Path, FileState> files) throws ConfigException {
        Map<HostPort, DiscoveredBackend> all = new LinkedHashMap<>();
        for (Path file : files.keySet()) {
            for (BackendConfig backend : BackendList.read(file)) {
                HostPort address = (HostPort) backend.address();
                all.putIfAbsent(
                        address,
                        new DiscoveredBackend(address, backend.weight(), backend.backup(), /* draining= */ false));
            }
        }
        return List.copyOf(all.values());
    }

    @Override
    public void close() {
        ScheduledExecutorService ticking = thread;
        if (ticking != null) {
            ticking.shutdownNow();
        }
    }
}
