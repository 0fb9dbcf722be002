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
 * The query log of a frontend: recent queries in memory, a file, dnstap, and listeners. Its log thread starts when
 * there is something to log, its file thread when there is a file to write.
 *
 * <p>Thread safety: any thread may call any method; configurations are prepared and committed one at a time. Answering
 * threads use only a {@link QueryRecorder}.
 */
public final class QueryLog implements AutoCloseable {

    /** Maximum number of listeners at a time. */
    public static final int MAX_LISTENERS = 16;

    private static final Logger LOG = LoggerFactory.getLogger(QueryLog.class);
    /** Maximum wait at close: a hanging disk must not keep the process from ending. */
    private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final DeciderLabeler deciders;
    private final LongSupplier nanoTime;
    private final LogFileWriter files;
    private final LogDispatcher telling;
    private final List<QueryRecorder> recorders = new CopyOnWriteArrayList<>();
    private final List<QueryListener> listeners = new CopyOnWriteArrayList<>();
    private final RecentQueries last = new RecentQueries(RecentQueries.MAX_BYTES);
    private final LogCounts inMemory = new LogCounts();
    private final LogCounts inFile = new LogCounts();
    private final LogCounts inDnstap = new LogCounts();
    private final LogCounts byListeners = new LogCounts();
    private final FailureReport listenerReport = new FailureReport("a query listener failed");

    private Consumer<List<Heartbeat>> addedHeartbeats = hearts -> {};
    private @Nullable Thread thread;
    private @Nullable Thread fileThread;
    private boolean closed;
    private LogOutputs outputs = LogOutputs.NONE;
    private boolean forwards;
    private volatile @Nullable RecordingPolicy recording;

    /** A prepared configuration that has not been committed. */
    public static final class Prepared {

        private final LogOutputs outputs;
        private final boolean forwards;

        Prepared(LogOutputs outputs, boolean forwards) {
            this.outputs = outputs;
            this.forwards = forwards;
        }
    }

    /** @param deciders converts deciders to their names */
    public QueryLog(DeciderLabeler deciders) {
        this(deciders, Clock.systemUTC(), System::nanoTime);
    }

    QueryLog(DeciderLabeler deciders, Clock clock, LongSupplier nanoTime) {
        this.deciders = deciders;
        this.nanoTime = nanoTime;
        this.files = new LogFileWriter(this, clock, nanoTime);
        this.telling = new LogDispatcher(this, files, clock, nanoTime);
    }

    /**
     * Creates the recorder of an answering thread. It lives as long as this log; later threads should reuse existing
     * recorders.
     */
    public QueryRecorder recorder() {
        QueryRecorder recorder = new QueryRecorder(this);
        recorders.add(recorder);
        return recorder;
    }

    /**
     * Opens the files of a configuration that are not open yet. Nothing else changes before the commit.
     *
     * @param config configuration whose identity is a resolved name
     * @param isForwarding whether names outside the zones are forwarded
     * @throws IOException if a file cannot be written; the message names it
     */
    public synchronized Prepared prepare(DnsLogging config, boolean isForwarding) throws IOException {
        QueryFile file = file(config.queryLog());
        try {
            Dnstap dnstap =
                    config.dnstap().isEmpty() ? null : dnstap(config.dnstap().get());
            return new Prepared(LogOutputs.of(config, file, dnstap), isForwarding);
        } catch (IOException | RuntimeException e) {
            LogOutputs.of(config, file, /* dnstap= */ null).leaveTo(outputs);
            throw e;
        }
    }

    private @Nullable QueryFile file(DnsQueryLogConfig next) throws IOException {
        DnsQueryLogConfig present = outputs.config().queryLog();
        if (next.file().isEmpty()) {
            return null;
        }
        boolean isSame = next.file().equals(present.file())
                && next.format() == present.format()
                && next.rotate().equals(present.rotate());
        return isSame && outputs.file() != null
                ? outputs.file()
                : QueryFile.open(next.file().get(), next, inFile);
    }

    private Dnstap dnstap(DnstapConfig next) throws IOException {
        Dnstap present = outputs.dnstap();
        boolean isSame = outputs.config().dnstap().filter(next::equals).isPresent();
        return isSame && present != null ? present : Dnstap.open(next, inDnstap);
    }

    /** Activates a prepared configuration. */
    public synchronized void commit(Prepared prepared) {
        outputs = prepared.outputs;
        forwards = prepared.forwards;
        last.max(outputs.config().queryLog().memory());
        telling.change(outputs);
        decide();
    }

    /** Discards a prepared configuration. */
    public synchronized void abandon(Prepared prepared) {
        prepared.outputs.leaveTo(outputs);
    }

    /**
     * Passes logged queries to {@code listener} from now on; sampling and client privacy apply.
     *
     * @throws IllegalStateException if there are {@value #MAX_LISTENERS} already
     */
    public synchronized void attach(QueryListener listener) {
        if (listeners.size() >= MAX_LISTENERS) {
            throw new IllegalStateException(
                    "listeners: " + (MAX_LISTENERS + 1) + " (expected: <= " + MAX_LISTENERS + ")");
        }
        listeners.add(listener);
        decide();
    }

    /** Removes a listener. Does nothing if it is not attached. */
    public synchronized void detach(QueryListener listener) {
        listeners.remove(listener);
        decide();
    }

    private void decide() {
        DnsLogging config = outputs.config();
        DnsQueryLogConfig queries = config.queryLog();
        boolean isRequested =
                queries.enabled() && (queries.memory() > 0 || outputs.file() != null || !listeners.isEmpty());
        RecordingPolicy next = new RecordingPolicy(
                isRequested && forwards,
                isRequested && queries.authority(),
                queries.sample(),
                taps(config, MessageKind.CLIENT_QUERY) || taps(config, MessageKind.CLIENT_RESPONSE),
                taps(config, MessageKind.AUTH_QUERY) || taps(config, MessageKind.AUTH_RESPONSE));
        recording = next.isNothing() || closed ? null : next;
        if (closed || (next.isNothing() && !outputs.hasFiles())) {
            return;
        }
        if (thread == null) {
            thread = telling.start();
            addedHeartbeats.accept(List.of(telling.heartbeat()));
        }
        if (fileThread == null && outputs.hasFiles()) {
            fileThread = files.start();
            addedHeartbeats.accept(List.of(files.heartbeat()));
        }
    }

    private static boolean taps(DnsLogging config, MessageKind kind) {
        return config.dnstap()
                .filter(dnstap -> dnstap.messages().contains(kind))
                .isPresent();
    }

    /**
     * The last queries in memory, newest first.
     *
     * @param limit maximum number of queries
     * @param fits filter of queries
     */
    public List<AnsweredQuery> newest(int limit, Predicate<AnsweredQuery> fits) {
        return last.newest(limit, fits);
    }

    /** Whether queries are logged and passed to listeners. */
    public synchronized boolean isEnabled() {
        return outputs.config().queryLog().enabled();
    }

    /** The sampling rate: one in this many queries is logged. */
    public synchronized int sample() {
        return outputs.config().queryLog().sample();
    }

    /** The number of written entries or messages by output. The set of keys is fixed. */
    public Map<String, Long> written() {
        Map<String, Long> written = new LinkedHashMap<>();
        written.put("memory", inMemory.written());
        written.put("file", inFile.written());
        written.put("dnstap", inDnstap.written());
        return written;
    }

    /**
     * The number of dropped entries or messages by place: the queues to the log's threads, and the outputs. The set of
     * keys is fixed.
     */
    public Map<String, Long> dropped() {
        Map<String, Long> dropped = new LinkedHashMap<>();
        dropped.put(
                "queue", recorders.stream().mapToLong(QueryRecorder::dropped).sum());
        dropped.put("file", inFile.dropped());
        dropped.put("listener", byListeners.dropped());
        dropped.put(
                "dnstap_queue",
                recorders.stream().mapToLong(QueryRecorder::droppedTaps).sum());
        dropped.put("dnstap", inDnstap.dropped());
        return dropped;
    }

    /** The heartbeats of its threads that have started. */
    public synchronized List<Heartbeat> heartbeats() {
        List<Heartbeat> hearts = new ArrayList<>();
        if (thread != null) {
            hearts.add(telling.heartbeat());
        }
        if (fileThread != null) {
            hearts.add(files.heartbeat());
        }
        return hearts;
    }

    /** Reports threads that start later to {@code consumer}. */
    public synchronized void onAddedHeartbeats(Consumer<List<Heartbeat>> consumer) {
        addedHeartbeats = consumer;
    }

    /** The recording settings; null if nothing is recorded. */
    @Nullable RecordingPolicy recording() {
        return recording;
    }

    LongSupplier nanoTime() {
        return nanoTime;
    }

    List<QueryRecorder> recorders() {
        return recorders;
    }

    DeciderLabeler deciders() {
        return deciders;
    }

    void hurry() {
        telling.hurry();
        files.hurry();
    }

    /** Passes a query to memory and listeners. Called on the log's thread. */
    void tell(AnsweredQuery query) {
        last.add(query);
        inMemory.write(1);
        for (QueryListener listener : listeners) {
            try {
                listener.answered(query);
            } catch (RuntimeException e) {
                byListeners.drop(1);
                listenerReport.tell(e, byListeners.dropped());
            }
        }
    }

    /** Discards all queries in memory and at listeners. Called on the log's thread. */
    void forget() {
        last.forget();
        listeners.forEach(QueryListener::forget);
    }

    /** Writes the queued entries, waiting at most two seconds, and closes the files. */
    @Override
    public void close() {
        Thread teller;
        Thread writer;
        synchronized (this) {
            closed = true;
            recording = null;
            teller = thread;
            writer = fileThread;
            if (writer == null) {
                outputs.leaveTo(LogOutputs.NONE);
            }
        }
        telling.stop();
        long deadline = System.nanoTime() + MAX_WAIT_NANOS;
        join(teller, deadline);
        join(writer, deadline);
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
