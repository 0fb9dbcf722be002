package io.ballast.http.log;

import io.ballast.core.ErrorText;
import io.ballast.core.log.FileTarget;
import io.ballast.core.log.LogTarget;
import io.ballast.core.log.StreamTarget;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.http.config.AccessLogConfig;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.ListenerProtocol;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The access logs of all listeners and the one thread that writes them, which begins with the first log. Listeners that name
 * the same file share it. A log stays open for as long as it is used; what is queued in it when it is given back is written
 * out before its file is closed.
 *
 * <p>Thread safety: any thread may call any method; opening a file and closing wait.
 */
public final class AccessLogs implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AccessLogs.class);
    /** A disk that hangs must not keep the process from ending. */
    private static final long MOST_WAIT_MILLIS = TimeUnit.SECONDS.toMillis(2);

    private final LogWriter writer;
    private final int shards;
    private final List<OpenLog> open = new ArrayList<>();
    private Consumer<List<Heartbeat>> laterHeartbeats = heartbeats -> {};
    private @Nullable Thread thread;

    /** @param shards how many event loops there are */
    public AccessLogs(int shards, Clock clock) {
        this.shards = shards;
        this.writer = new LogWriter(clock);
    }

    private static final class OpenLog {

        private final String listener;
        private final ListenerProtocol protocol;
        private final AccessLogConfig config;
        private final AccessLog log;
        private int uses = 1;

        OpenLog(ListenerConfig listener, AccessLogConfig config, AccessLog log) {
            this.listener = listener.name();
            this.protocol = listener.protocol();
            this.config = config;
            this.log = log;
        }

        boolean isOf(ListenerConfig other, AccessLogConfig wanted) {
            return listener.equals(other.name()) && protocol == other.protocol() && config.equals(wanted);
        }
    }

    /**
     * The log of a listener, to be released again, or null if it is to have none. It is the same one as long as the
     * configuration of the log is the same.
     *
     * @throws IllegalStateException if a file cannot be opened; the message says which and why
     */
    public synchronized @Nullable AccessLog acquire(ListenerConfig listener) {
        AccessLogConfig config = listener.accessLog().orElse(null);
        if (config == null) {
            return null;
        }
        for (OpenLog known : open) {
            if (known.isOf(listener, config)) {
                known.uses++;
                return known.log;
            }
        }
        AccessLog log = new AccessLog(listener, config, shards, targetOf(config.to()), writer);
        open.add(new OpenLog(listener, config, log));
        serve();
        return log;
    }

    /** Gives a log back; after the last use it takes nothing more. Null does nothing. */
    public synchronized void release(@Nullable AccessLog log) {
        if (open.removeIf(known -> known.log == log && --known.uses == 0)) {
            serve();
        }
    }

    private void serve() {
        List<AccessLog> logs = open.stream().map(known -> known.log).toList();
        if (thread != null) {
            writer.serve(logs);
            return;
        }
        thread = writer.start(logs);
        laterHeartbeats.accept(heartbeats());
    }

    private LogTarget targetOf(String to) {
        for (OpenLog known : open) {
            if (known.config.to().equals(to)) {
                return known.log.target();
            }
        }
        return target(to);
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
            throw new IllegalStateException("cannot write the access log " + path + ": " + ErrorText.reason(e), e);
        }
    }

    /** That of the writer, if there is one. */
    public synchronized List<Heartbeat> heartbeats() {
        return thread == null ? List.of() : List.of(writer.heartbeat());
    }

    /** Has {@code consumer} told of the writer if that begins later. */
    public synchronized void onLaterHeartbeats(Consumer<List<Heartbeat>> consumer) {
        laterHeartbeats = consumer;
    }

    /** Writes what is queued, waiting two seconds at most, and closes the files. */
    @Override
    public synchronized void close() {
        writer.stop();
        Thread started = thread;
        if (started != null) {
            join(started);
        }
        open.forEach(known -> LogWriter.close(known.log.target()));
        open.clear();
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
}
