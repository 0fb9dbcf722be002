package io.ballast.http.log;

import io.ballast.core.ErrorText;
import io.ballast.core.log.FileTarget;
import io.ballast.core.log.LogTarget;
import io.ballast.core.log.StreamTarget;
import io.ballast.core.log.TcpSyslogTarget;
import io.ballast.core.log.UdpSyslogTarget;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.http.config.AccessLogConfig;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.http.config.SyslogConfig;
import io.ballast.http.config.SyslogServer;
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
 * The access logs of all listeners and their single writer thread, which starts with the first log. Logs with the same
 * file share one open file. A log stays open while it is in use. After its release, the queued lines are written before
 * the file is closed.
 *
 * <p>Thread safety: any thread may call any method; opening a file and closing block.
 */
public final class AccessLogs implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AccessLogs.class);
    /**
     * The longest wait for the writer at shutdown, so that a hanging disk does not keep the process from exiting.
     */
    private static final long MAX_WAIT_MILLIS = TimeUnit.SECONDS.toMillis(2);

    private final LogWriter writer;
    private final int shards;
    private final List<OpenLog> open = new ArrayList<>();
    private Consumer<List<Heartbeat>> addedHeartbeats = heartbeats -> {};
    private @Nullable Thread thread;

    /** @param shards the number of event loops */
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
     * Returns the log of a listener, which the caller must release; null if none is configured. The log is reused
     * while its configuration is unchanged.
     *
     * @throws IllegalStateException if a file cannot be opened; the message names the file and the reason
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
        AccessLog log = new AccessLog(listener, config, shards, targetOf(config), writer);
        open.add(new OpenLog(listener, config, log));
        updateWriter();
        return log;
    }

    /**
     * Releases one use of a log. After its last use is released, the log accepts no more exchanges. Does nothing
     * for null.
     */
    public synchronized void release(@Nullable AccessLog log) {
        if (open.removeIf(known -> known.log == log && --known.uses == 0)) {
            updateWriter();
        }
    }

    private void updateWriter() {
        List<AccessLog> logs = open.stream().map(known -> known.log).toList();
        if (thread != null) {
            writer.replaceLogs(logs);
            return;
        }
        thread = writer.start(logs);
        addedHeartbeats.accept(heartbeats());
    }

    private LogTarget targetOf(AccessLogConfig config) {
        for (OpenLog known : open) {
            if (known.config.hasSameTarget(config)) {
                return known.log.target();
            }
        }
        return config.syslog().map(AccessLogs::syslog).orElseGet(() -> target(config.to()));
    }

    private static LogTarget syslog(SyslogConfig config) {
        SyslogServer server = config.server();
        if (server.transport() == SyslogServer.Transport.TLS) {
            return new TcpSyslogTarget(server.socketAddress(), config.tls().engines(server), System::nanoTime);
        }
        if (server.transport() == SyslogServer.Transport.TCP) {
            return new TcpSyslogTarget(server.socketAddress(), System::nanoTime);
        }
        try {
            return UdpSyslogTarget.open(server.socketAddress());
        } catch (IOException e) {
            throw new IllegalStateException("cannot send the access log to " + server + ": " + ErrorText.reason(e), e);
        }
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

    /** The heartbeat of the writer, if it has started. */
    public synchronized List<Heartbeat> heartbeats() {
        return thread == null ? List.of() : List.of(writer.heartbeat());
    }

    /** Registers {@code consumer} to receive the heartbeat of a writer that starts later. */
    public synchronized void onAddedHeartbeats(Consumer<List<Heartbeat>> consumer) {
        addedHeartbeats = consumer;
    }

    /** Writes the queued lines, waiting up to two seconds, and closes the files. */
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
            writing.join(MAX_WAIT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (writing.isAlive()) {
            LOG.warn("msg=\"timed out writing the access log; its queued lines are lost\"");
        }
    }
}
