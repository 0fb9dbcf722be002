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
 * The log of a frontend's queries: the last ones in memory, a file, dnstap, and who else listens. Its threads begin when there is
 * something to log first, the one that writes files when there are some.
 *
 * <p>Thread safety: any thread may call any method; configurations are prepared and committed one after the other. Those who answer
 * queries know a {@link QueryRecorder} alone.
 */
public final class QueryLog implements AutoCloseable {

    /** That may be attached at once. */
    public static final int MOST_LISTENERS = 16;

    private static final Logger LOG = LoggerFactory.getLogger(QueryLog.class);
    /** A disk that hangs must not keep the process from ending. */
    private static final long MOST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final DeciderNames deciders;
    private final LongSupplier nanoTime;
    private final FileThread files;
    private final LogThread telling;
    private final List<QueryRecorder> recorders = new CopyOnWriteArrayList<>();
    private final List<QueryListener> listeners = new CopyOnWriteArrayList<>();
    private final LastQueries last = new LastQueries(LastQueries.MOST_BYTES);
    private final LogCounts inMemory = new LogCounts();
    private final LogCounts inFile = new LogCounts();
    private final LogCounts inDnstap = new LogCounts();
    private final LogCounts byListeners = new LogCounts();
    private final FailureReport listenerReport = new FailureReport("what listens to queries does not work");

    private Consumer<List<Heartbeat>> laterHeartbeats = hearts -> {};
    private @Nullable Thread thread;
    private @Nullable Thread fileThread;
    private boolean closed;
    private Outputs outputs = Outputs.NONE;
    private boolean forwards;
    private volatile @Nullable Recording recording;

    /** A configuration that waits for its commit. */
    public static final class Prepared {

        private final Outputs outputs;
        private final boolean forwards;

        Prepared(Outputs outputs, boolean forwards) {
            this.outputs = outputs;
            this.forwards = forwards;
        }
    }

    /** @param deciders tells what is called what decides */
    public QueryLog(DeciderNames deciders) {
        this(deciders, Clock.systemUTC(), System::nanoTime);
    }

    QueryLog(DeciderNames deciders, Clock clock, LongSupplier nanoTime) {
        this.deciders = deciders;
        this.nanoTime = nanoTime;
        this.files = new FileThread(this, clock, nanoTime);
        this.telling = new LogThread(this, files, clock, nanoTime);
    }

    /** Where a thread that answers leaves what it has answered. Lasts as long as this: threads that come later should go on with it. */
    public QueryRecorder recorder() {
        QueryRecorder recorder = new QueryRecorder(this);
        recorders.add(recorder);
        return recorder;
    }

    /**
     * Opens the files of a configuration that are not open yet. Nothing changes until it is committed.
     *
     * @param config whose identity is a name
     * @param isForwarding whether there are queries for names outside the zones
     * @throws IOException if a file cannot be written; the message says which
     */
    public synchronized Prepared prepare(DnsLogging config, boolean isForwarding) throws IOException {
        QueryFile file = file(config.queryLog());
        try {
            Dnstap dnstap =
                    config.dnstap().isEmpty() ? null : dnstap(config.dnstap().get());
            return new Prepared(Outputs.of(config, file, dnstap), isForwarding);
        } catch (IOException | RuntimeException e) {
            Outputs.of(config, file, /* dnstap= */ null).leaveTo(outputs);
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

    /** The configuration is in force. */
    public synchronized void commit(Prepared prepared) {
        outputs = prepared.outputs;
        forwards = prepared.forwards;
        last.most(outputs.config().queryLog().memory());
        telling.change(outputs);
        decide();
    }

    /** It does not come into force. */
    public synchronized void giveUp(Prepared prepared) {
        prepared.outputs.leaveTo(outputs);
    }

    /**
     * Has {@code listener} told of queries from now on, as they are logged: in samples, without the client if that is so.
     *
     * @throws IllegalStateException if there are {@value #MOST_LISTENERS} already
     */
    public synchronized void attach(QueryListener listener) {
        if (listeners.size() >= MOST_LISTENERS) {
            throw new IllegalStateException(
                    "listeners: " + (MOST_LISTENERS + 1) + " (expected: <= " + MOST_LISTENERS + ")");
        }
        listeners.add(listener);
        decide();
    }

    /** Has it told no more. Does nothing if it is not told. */
    public synchronized void detach(QueryListener listener) {
        listeners.remove(listener);
        decide();
    }

    private void decide() {
        DnsLogging config = outputs.config();
        DnsQueryLogConfig queries = config.queryLog();
        boolean isWanted =
                queries.enabled() && (queries.memory() > 0 || outputs.file() != null || !listeners.isEmpty());
        Recording next = new Recording(
                isWanted && forwards,
                isWanted && queries.authority(),
                queries.sample(),
                taps(config, MessageKind.CLIENT_QUERY) || taps(config, MessageKind.CLIENT_RESPONSE),
                taps(config, MessageKind.AUTH_QUERY) || taps(config, MessageKind.AUTH_RESPONSE));
        recording = next.isNothing() || closed ? null : next;
        if (closed || (next.isNothing() && !outputs.hasFiles())) {
            return;
        }
        if (thread == null) {
            thread = telling.start();
            laterHeartbeats.accept(List.of(telling.heartbeat()));
        }
        if (fileThread == null && outputs.hasFiles()) {
            fileThread = files.start();
            laterHeartbeats.accept(List.of(files.heartbeat()));
        }
    }

    private static boolean taps(DnsLogging config, MessageKind kind) {
        return config.dnstap()
                .filter(dnstap -> dnstap.messages().contains(kind))
                .isPresent();
    }

    /**
     * The last queries, the newest first, as far as they are kept in memory.
     *
     * @param limit most that are returned
     * @param fits which are
     */
    public List<AnsweredQuery> newest(int limit, Predicate<AnsweredQuery> fits) {
        return last.newest(limit, fits);
    }

    /** Whether queries are logged, and what listens is told of them. */
    public synchronized boolean isEnabled() {
        return outputs.config().queryLog().enabled();
    }

    /** One in so many queries is logged. */
    public synchronized int sample() {
        return outputs.config().queryLog().sample();
    }

    /** How many entries or messages went where. The keys stay the same. */
    public Map<String, Long> written() {
        Map<String, Long> written = new LinkedHashMap<>();
        written.put("memory", inMemory.written());
        written.put("file", inFile.written());
        written.put("dnstap", inDnstap.written());
        return written;
    }

    /** How many were lost where: where they had to wait for the log's thread, or where that could not pass them on. Likewise. */
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

    /** Those of its threads, as far as they have begun. */
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

    /** Has {@code consumer} told of those of its threads that begin later. */
    public synchronized void onLaterHeartbeats(Consumer<List<Heartbeat>> consumer) {
        laterHeartbeats = consumer;
    }

    /** What is recorded; null for nothing. */
    @Nullable Recording recording() {
        return recording;
    }

    LongSupplier nanoTime() {
        return nanoTime;
    }

    List<QueryRecorder> recorders() {
        return recorders;
    }

    DeciderNames deciders() {
        return deciders;
    }

    void hurry() {
        telling.hurry();
        files.hurry();
    }

    /** Tells those in this process. On the log's thread. */
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

    /** Has those in this process forget what they were told. On the log's thread. */
    void forget() {
        last.forget();
        listeners.forEach(QueryListener::forget);
    }

    /** Writes what is queued, waiting two seconds at most, and closes the files. */
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
                outputs.leaveTo(Outputs.NONE);
            }
        }
        telling.stop();
        long deadline = System.nanoTime() + MOST_WAIT_NANOS;
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
            LOG.warn("msg=\"the query log hangs; what is queued is lost\"");
        }
    }
}
