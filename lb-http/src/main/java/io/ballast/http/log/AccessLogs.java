package io.ballast.http.log;

import io.ballast.core.config.AccessLogConfig;
import io.ballast.core.config.ListenerConfig;
import io.ballast.core.watchdog.Heartbeat;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The access logs of all listeners and the one thread that writes them; no thread if no listener has a log. Listeners
 * that name the same file share it.
 */
public final class AccessLogs implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AccessLogs.class);
    /** A disk that hangs must not keep the process from ending. */
    private static final long MOST_WAIT_MILLIS = TimeUnit.SECONDS.toMillis(2);

    private final LogWriter writer;
    private final Map<String, LogTarget> targets = new HashMap<>();
    private final Map<String, AccessLog> byListener = new HashMap<>();
    private @Nullable Thread thread;

    private AccessLogs(Clock clock) {
        this.writer = new LogWriter(clock);
    }

    /**
     * Opens what the listeners log to.
     *
     * @param shards how many event loops there are
     * @throws IllegalStateException if a file cannot be opened; the message says which and why
     */
    public static AccessLogs open(List<ListenerConfig> listeners, int shards, Clock clock) {
        AccessLogs logs = new AccessLogs(clock);
        for (ListenerConfig listener : listeners) {
            listener.accessLog().ifPresent(config -> logs.add(listener.name(), config, shards));
        }
        if (!logs.byListener.isEmpty()) {
            logs.thread = logs.writer.start(new ArrayList<>(logs.byListener.values()));
        }
        return logs;
    }

    private void add(String listener, AccessLogConfig config, int shards) {
        LogTarget target = targets.computeIfAbsent(config.to(), AccessLogs::target);
        byListener.put(listener, new AccessLog(listener, config, shards, target, writer));
    }

    private static LogTarget target(String to) {
        return switch (to) {
            case AccessLogConfig.STDOUT -> new StreamTarget(new FileOutputStream(FileDescriptor.out));
            case AccessLogConfig.STDERR -> new StreamTarget(new FileOutputStream(FileDescriptor.err));
            default -> file(to);
        };
    }

    private static LogTarget file(String path) {
        try {
            return FileTarget.open(Path.of(path));
        } catch (IOException e) {
            throw new IllegalStateException("cannot write the access log " + path + ": " + e, e);
        }
    }

    /** The log of a listener, or null if it has none. */
    public @Nullable AccessLog of(ListenerConfig listener) {
        return byListener.get(listener.name());
    }

    /** That of the writer, if there is one. */
    public List<Heartbeat> heartbeats() {
        return thread == null ? List.of() : List.of(writer.heartbeat());
    }

    /** Writes what is queued, waiting two seconds at most, and closes the files. */
    @Override
    public void close() {
        writer.stop();
        Thread started = thread;
        if (started != null) {
            join(started);
        }
        targets.values().forEach(AccessLogs::close);
    }

    private static void join(Thread writing) {
        try {
            writing.join(MOST_WAIT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (writing.isAlive()) {
            LOG.warn("msg=\"the access log hangs; what is queued is lost\"");
        }
    }

    private static void close(LogTarget target) {
        try {
            target.close();
        } catch (IOException e) {
            LOG.warn("msg=\"cannot close an access log\" reason=\"{}\"", e.toString());
        }
    }
}
