package io.ballast.dns.querylog;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dns.config.DnsLogging;
import io.ballast.dns.config.DnsQueryLogConfig;
import io.ballast.dns.config.DnstapConfig;
import io.ballast.dns.config.DnstapConfig.MessageKind;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The query log of a frontend: recent queries in memory, a file, dnstap, and listeners. Its log thread starts
 * when there is something to log; its file thread starts when there is a file to write.
 *
 * <p>Thread safety: any thread may call any method; configurations are prepared and committed one at a time.
 * Answering threads use only a {@link QueryRecorder}.
 */
public final class QueryLog implements AutoCloseable {

    /** Maximum number of listeners at a time. */
    public static final int MAX_LISTENERS = 16;

    private static final Logger LOG = LoggerFactory.getLogger(QueryLog.class);
    /** Maximum time that {@link #close} waits: a hanging disk must not keep the process from ending. */
    private static final long CLOSE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final DeciderLabeler deciderLabeler;
    private final LongSupplier nanoTime;
    private final LogFileWriter fileWriter;
    private final LogDispatcher dispatcher;
    private final List<QueryRecorder> recorders = new CopyOnWriteArrayList<>();
    private final List<QueryListener> listeners = new CopyOnWriteArrayList<>();
    private final RecentQueries recentQueries = new RecentQueries(RecentQueries.MAX_BYTES);
    private final LogCounts memoryCounts = new LogCounts();
    private final LogCounts fileCounts = new LogCounts();
    private final LogCounts dnstapCounts = new LogCounts();
    private final LogCounts listenerCounts = new LogCounts();
    private final FailureReport listenerReport = new FailureReport("a query listener failed");

    private Consumer<List<Heartbeat>> heartbeatConsumer = hearts -> {};
    private @Nullable Thread dispatcherThread;
    private @Nullable Thread fileThread;
    private boolean closed;
    private LogOutputs outputs = LogOutputs.NONE;
    private boolean isForwarding;
    private volatile @Nullable RecordingPolicy recordingPolicy;

    /** A prepared configuration that has not been committed. */
    public static final class Prepared {

        private final LogOutputs outputs;
        private final boolean isForwarding;

        Prepared(LogOutputs outputs, boolean isForwarding) {
            this.outputs = outputs;
            this.isForwarding = isForwarding;
        }
    }

    /** @param deciderLabeler function that returns the name of a decider */
    public QueryLog(DeciderLabeler deciderLabeler) {
        this(deciderLabeler, Clock.systemUTC(), System::nanoTime);
    }

    QueryLog(DeciderLabeler deciderLabeler, Clock clock, LongSupplier nanoTime) {
        this.deciderLabeler = deciderLabeler;
        this.nanoTime = nanoTime;
        this.fileWriter = new LogFileWriter(this, clock, nanoTime);
        this.dispatcher = new LogDispatcher(this, fileWriter, clock, nanoTime);
    }

    /**
     * Creates the recorder of an answering thread. The recorder lives as long as this log, so threads that start
     * later should reuse existing recorders.
     */
    public QueryRecorder recorder() {
        QueryRecorder recorder = new QueryRecorder(this);
        recorders.add(recorder);
        return recorder;
    }

    /**
     * Opens the files of a configuration that are not open yet. Nothing else changes before the commit.
     *
     * @param config configuration in which the identity has already been resolved to a name
     * @param isForwarding whether names outside the zones are forwarded
     * @throws IOException if a file cannot be written; the message names the file
     */
    public synchronized Prepared prepare(DnsLogging config, boolean isForwarding) throws IOException {
        QueryFile file = openFile(config.queryLog());
        try {
            Dnstap dnstap = config.dnstap().isEmpty()
                    ? null
                    : openDnstap(config.dnstap().get());
            return new Prepared(LogOutputs.of(config, file, dnstap), isForwarding);
        } catch (IOException | RuntimeException e) {
            LogOutputs.of(config, file, /* dnstap= */ null).closeUnused(outputs);
            throw e;
        }
    }

    private @Nullable QueryFile openFile(DnsQueryLogConfig next) throws IOException {
        DnsQueryLogConfig current = outputs.config().queryLog();
        if (next.file().isEmpty()) {
            return null;
        }
        boolean isSame = next.file().equals(current.file())
                && next.format() == current.format()
                && next.rotate().equals(current.rotate());
        return isSame && outputs.file() != null
                ? outputs.file()
                : QueryFile.open(next.file().get(), next, fileCounts);
    }

    private Dnstap openDnstap(DnstapConfig next) throws IOException {
        Dnstap current = outputs.dnstap();
        boolean isSame = outputs.config().dnstap().filter(next::equals).isPresent();
        return isSame && current != null ? current : Dnstap.open(next, dnstapCounts);
    }

    /** Activates a prepared configuration. */
    public synchronized void commit(Prepared prepared) {
        outputs = prepared.outputs;
        isForwarding = prepared.isForwarding;
        recentQueries.maxQueries(outputs.config().queryLog().memory());
        dispatcher.switchOutputs(outputs);
        updateRecording();
    }

    /** Discards a prepared configuration. */
    public synchronized void abandon(Prepared prepared) {
        prepared.outputs.closeUnused(outputs);
    }

    /**
     * Starts to pass logged queries to {@code listener}; sampling and client privacy apply.
     *
     * @throws IllegalStateException if {@value #MAX_LISTENERS} listeners are already attached
     */
    public synchronized void attach(QueryListener listener) {
        if (listeners.size() >= MAX_LISTENERS) {
            throw new IllegalStateException(
                    "listeners: " + (MAX_LISTENERS + 1) + " (expected: <= " + MAX_LISTENERS + ")");
        }
        listeners.add(listener);
        updateRecording();
    }

    /** Removes a listener. Does nothing if it is not attached. */
    public synchronized void detach(QueryListener listener) {
        listeners.remove(listener);
        updateRecording();
    }

    private void updateRecording() {
        DnsLogging config = outputs.config();
        DnsQueryLogConfig queries = config.queryLog();
        boolean isRequested =
                queries.enabled() && (queries.memory() > 0 || outputs.file() != null || !listeners.isEmpty());
        RecordingPolicy next = new RecordingPolicy(
                isRequested && isForwarding,
                isRequested && queries.authority(),
                queries.sample(),
                hasDnstapKind(config, MessageKind.CLIENT_QUERY) || hasDnstapKind(config, MessageKind.CLIENT_RESPONSE),
                hasDnstapKind(config, MessageKind.AUTH_QUERY) || hasDnstapKind(config, MessageKind.AUTH_RESPONSE));
        recordingPolicy = next.isEmpty() || closed ? null : next;
        if (closed || (next.isEmpty() && !outputs.hasFiles())) {
            return;
        }
        if (dispatcherThread == null) {
            dispatcherThread = dispatcher.start();
            heartbeatConsumer.accept(List.of(dispatcher.heartbeat()));
        }
        if (fileThread == null && outputs.hasFiles()) {
            fileThread = fileWriter.start();
            heartbeatConsumer.accept(List.of(fileWriter.heartbeat()));
        }
    }

    private static boolean hasDnstapKind(DnsLogging config, MessageKind kind) {
        return config.dnstap()
                .filter(dnstap -> dnstap.messages().contains(kind))
                .isPresent();
    }

    /**
     * The last queries in memory, newest first.
     *
     * @param limit maximum number of queries
     * @param filter condition that the returned queries meet
     */
    public List<AnsweredQuery> newestQueries(int limit, Predicate<AnsweredQuery> filter) {
        return recentQueries.newest(limit, filter);
    }

    /** Whether queries are logged and passed to listeners. */
    public synchronized boolean isEnabled() {
        return outputs.config().queryLog().enabled();
    }

    /** The sampling rate: one in this many queries is logged. */
    public synchronized int samplingRate() {
        return outputs.config().queryLog().sample();
    }

    /** The number of written entries or messages by output. The set of keys is fixed. */
    public Map<String, Long> writtenCounts() {
        Map<String, Long> written = new LinkedHashMap<>();
        written.put("memory", memoryCounts.writtenCount());
        written.put("file", fileCounts.writtenCount());
        written.put("dnstap", dnstapCounts.writtenCount());
        return written;
    }

    /**
     * Returns the number of entries or messages that each queue, each output and the listeners dropped. The set
     * of keys is fixed.
     */
    public Map<String, Long> droppedCounts() {
        Map<String, Long> dropped = new LinkedHashMap<>();
        dropped.put(
                "queue", recorders.stream().mapToLong(QueryRecorder::dropped).sum());
        dropped.put("file", fileCounts.droppedCount());
        dropped.put("listener", listenerCounts.droppedCount());
        dropped.put(
                "dnstap_queue",
                recorders.stream().mapToLong(QueryRecorder::droppedTaps).sum());
        dropped.put("dnstap", dnstapCounts.droppedCount());
        return dropped;
    }

    /** Returns the heartbeats of the log's threads that have started. */
    public synchronized List<Heartbeat> heartbeats() {
        List<Heartbeat> started = new ArrayList<>();
        if (dispatcherThread != null) {
            started.add(dispatcher.heartbeat());
        }
        if (fileThread != null) {
            started.add(fileWriter.heartbeat());
        }
        return started;
    }

    /** Sets the {@code consumer} to which the heartbeats of threads that start later are reported. */
    public synchronized void setHeartbeatConsumer(Consumer<List<Heartbeat>> consumer) {
        heartbeatConsumer = consumer;
    }

    /** The recording settings; null if nothing is recorded. */
    @Nullable RecordingPolicy recordingPolicy() {
        return recordingPolicy;
    }

    LongSupplier nanoTime() {
        return nanoTime;
    }

    List<QueryRecorder> recorders() {
        return recorders;
    }

    DeciderLabeler deciderLabeler() {
        return deciderLabeler;
    }

    void wakeUp() {
        dispatcher.wakeUp();
        fileWriter.wakeUp();
    }

    /** Stores a query in memory and passes it to the listeners. Called on the log's thread. */
    void publish(AnsweredQuery query) {
        recentQueries.add(query);
        memoryCounts.addWritten(1);
        for (QueryListener listener : listeners) {
            try {
                listener.onAnswer(query);
            } catch (RuntimeException e) {
                listenerCounts.addDropped(1);
                listenerReport.report(e, listenerCounts.droppedCount());
            }
        }
    }

    /** Discards all queries in memory and at listeners. Called on the log's thread. */
    void clearQueries() {
        recentQueries.clear();
        listeners.forEach(QueryListener::clear);
    }

    /** Writes the queued entries, waiting at most two seconds, and closes the files. */
    @Override
    public void close() {
        Thread logThread;
        Thread writerThread;
        synchronized (this) {
            closed = true;
            recordingPolicy = null;
            logThread = dispatcherThread;
            writerThread = fileThread;
            if (writerThread == null) {
                outputs.closeUnused(LogOutputs.NONE);
            }
        }
        dispatcher.stop();
        long deadline = System.nanoTime() + CLOSE_TIMEOUT_NANOS;
        join(logThread, deadline);
        join(writerThread, deadline);
    }

    private static void join(@Nullable Thread started, long deadlineNanos) {
        if (started == null) {
            return;
        }
        try {
            TimeUnit.NANOSECONDS.timedJoin(started, Math.max(1, deadlineNanos - System.nanoTime()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (started.isAlive()) {
            LOG.warn("msg=\"the query log threads did not end in time; queued entries are lost\"");
        }
    }
}
