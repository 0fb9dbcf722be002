package io.ballast.dns.querylog;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dns.querylog.dnstap.Exchange;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The thread of the log: looks into the rings again and again, and passes on what it finds. It sleeps in between, the longer the
 * less there is to do, and is woken when a ring is half full. A disk that hangs stops this thread and nothing else: queries are then
 * dropped and counted where they are answered.
 */
final class LogThread implements Runnable {

    private static final String NAME = "dns-log";
    private static final long SHORTEST_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LONGEST_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(64);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** What one ring gets before the others have their turn. */
    private static final int MOST_AT_ONCE = 1024;

    private final QueryLog log;
    private final Clock clock;
    private final LongSupplier nanoTime;
    private final Heartbeat heartbeat = new Heartbeat(NAME, PATIENCE);
    private final Entry entry = new Entry();
    private @Nullable Exchange exchange;

    /** One after the other: what leaves is seen leaving. */
    private final Queue<Outputs> changes = new ConcurrentLinkedQueue<>();

    private Outputs outputs = Outputs.NONE;
    private volatile boolean stopping;
    private volatile boolean asleep;
    private volatile @Nullable Thread thread;

    LogThread(QueryLog log, Clock clock, LongSupplier nanoTime) {
        this.log = log;
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    Thread start() {
        Thread started = new Thread(this, NAME);
        started.setDaemon(true);
        thread = started;
        started.start();
        return started;
    }

    /** Has it write there from now on, and close what it does not go on with. */
    void change(Outputs next) {
        changes.add(next);
        hurry();
    }

    /** Wakes it if it sleeps. */
    void hurry() {
        if (asleep) {
            LockSupport.unpark(thread);
        }
    }

    /** Has it pass on what there is, and end. */
    void stop() {
        heartbeat.stop();
        stopping = true;
        LockSupport.unpark(thread);
    }

    Heartbeat heartbeat() {
        return heartbeat;
    }

    @Override
    public void run() {
        try {
            serve();
        } catch (RuntimeException | Error e) {
            heartbeat.ended(e);
        }
    }

    private void serve() {
        long sleep = SHORTEST_SLEEP_NANOS;
        while (!stopping) {
            heartbeat.beat();
            boolean busy = turn();
            sleep = busy ? SHORTEST_SLEEP_NANOS : Math.min(2 * sleep, LONGEST_SLEEP_NANOS);
            asleep = true;
            LockSupport.parkNanos(sleep);
            asleep = false;
        }
        while (turn()) {}
        outputs.leaveTo(Outputs.NONE);
    }

    /** Passes on a piece of every ring; whether there was anything. */
    private boolean turn() {
        Outputs next = changes.poll();
        while (next != null) {
            outputs.leaveTo(next);
            outputs = next;
            next = changes.poll();
        }
        Instant now = clock.instant();
        long nowNanos = nanoTime.getAsLong();
        long epochNanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - nowNanos;
        boolean any = false;
        for (QueryRecorder recorder : log.recorders()) {
            any |= passEntries(recorder, epochNanos, nowNanos);
            any |= passTaps(recorder, epochNanos, nowNanos);
        }
        flush(nowNanos);
        return any;
    }

    private boolean passEntries(QueryRecorder recorder, long epochNanos, long nowNanos) {
        EntryRing ring = recorder.entries();
        QueryFile file = outputs.file();
        int count = 0;
        while (ring != null && count < MOST_AT_ONCE && ring.take(entry)) {
            AnsweredQuery query = entry.read(epochNanos, outputs.privacy(), log.deciders());
            if (file != null) {
                file.add(query);
            }
            log.tell(query);
            flushIfFull(nowNanos);
            count++;
        }
        return count > 0;
    }

    private boolean passTaps(QueryRecorder recorder, long epochNanos, long nowNanos) {
        TapRing ring = recorder.taps();
        if (ring == null) {
            return false;
        }
        Dnstap dnstap = outputs.dnstap();
        Exchange into = exchange();
        int count = 0;
        while (count < MOST_AT_ONCE && ring.take(epochNanos, into)) {
            if (dnstap != null) {
                into.tellClient(outputs.privacy().apply(into.client(), into.clientBytes()));
                dnstap.add(into);
            }
            flushIfFull(nowNanos);
            count++;
        }
        return count > 0;
    }

    private Exchange exchange() {
        Exchange present = exchange;
        if (present == null) {
            present = new Exchange();
            exchange = present;
        }
        return present;
    }

    private void flushIfFull(long nowNanos) {
        if (outputs.isFull()) {
            flush(nowNanos);
        }
    }

    private void flush(long nowNanos) {
        heartbeat.waitsFor("the file of the query log or of dnstap");
        outputs.flush(nowNanos);
        heartbeat.works();
    }
}
