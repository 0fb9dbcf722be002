package io.ballast.dns.querylog;

import io.ballast.core.log.LogLoop;
import io.ballast.core.watchdog.Heartbeat;
import java.time.Clock;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/**
 * Takes what was answered out of the rings and tells those in this process, on a thread of its own. It never waits for a disk: what
 * is for the file is put together here and written by {@link FileThread}.
 */
final class LogThread implements LogLoop.Turns {

    /** What one ring gets before the others have their turn. */
    private static final int MOST_AT_ONCE = 1024;

    private final QueryLog log;
    private final FileThread files;
    private final Clock clock;
    private final LongSupplier nanoTime;
    private final LogLoop loop = new LogLoop("dns-log", this);
    private final Entry entry = new Entry();

    /** One after the other: what leaves is seen leaving. */
    private final Queue<Outputs> changes = new ConcurrentLinkedQueue<>();

    private Outputs outputs = Outputs.NONE;

    LogThread(QueryLog log, FileThread files, Clock clock, LongSupplier nanoTime) {
        this.log = log;
        this.files = files;
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    Thread start() {
        return loop.start();
    }

    /** Has it go on with that from now on, and {@link FileThread} once all is handed to it that is for what was before. */
    void change(Outputs next) {
        changes.add(next);
        hurry();
    }

    /** Wakes it if it sleeps. */
    void hurry() {
        loop.hurry();
    }

    /** Has it pass on what there is, end, and then have {@link FileThread} end. */
    void stop() {
        loop.stop();
    }

    Heartbeat heartbeat() {
        return loop.heartbeat();
    }

    @Override
    public boolean turn() {
        Outputs next = changes.poll();
        while (next != null) {
            outputs.giveUpTo(next);
            if (outputs.hasFiles() || next.hasFiles()) {
                files.change(next);
            }
            if (outputs.tellsMoreThan(next)) {
                log.forget();
            }
            outputs = next;
            next = changes.poll();
        }
        long epochNanos = EpochOffset.nanos(clock, nanoTime.getAsLong());
        boolean any = false;
        for (QueryRecorder recorder : log.recorders()) {
            any |= pass(recorder, epochNanos);
        }
        outputs.handOver();
        return any;
    }

    private boolean pass(QueryRecorder recorder, long epochNanos) {
        EntryRing ring = recorder.entries();
        QueryFile file = outputs.file();
        int count = 0;
        while (ring != null && count < MOST_AT_ONCE && ring.take(entry)) {
            count++;
            if (!outputs.config().queryLog().enabled()) {
                continue; // since it is off, nothing is told of what was answered before
            }
            AnsweredQuery query = entry.read(epochNanos, outputs.privacy(), log.deciders());
            if (file != null) {
                file.add(query);
            }
            log.tell(query);
        }
        return count > 0;
    }

    @Override
    public void end() {
        while (turn()) {}
        outputs.giveUpTo(Outputs.NONE);
        files.stop();
    }
}
