package io.ballast.telemetry.export;

import java.util.concurrent.atomic.LongAdder;

/** Counts the spans and metric values that were sent or lost, over all configurations of the process. Thread-safe. */
public final class ExportCounters {

    private final LongAdder sentSpans = new LongAdder();
    private final LongAdder lostSpans = new LongAdder();
    private final LongAdder droppedTraces = new LongAdder();
    private final LongAdder sentPoints = new LongAdder();
    private final LongAdder lostPoints = new LongAdder();

    /** Counts spans that a collector has received. */
    public void spansSent(int count) {
        sentSpans.add(count);
    }

    /** Counts spans that could not be sent. */
    public void spansLost(int count) {
        lostSpans.add(count);
    }

    /** Counts a request that was not recorded because the queue was full. */
    public void traceDropped() {
        droppedTraces.increment();
    }

    /** Counts values of metrics that a collector has received. */
    public void pointsSent(int count) {
        sentPoints.add(count);
    }

    /** Counts values of metrics that could not be sent. */
    public void pointsLost(int count) {
        lostPoints.add(count);
    }

    public long sentSpans() {
        return sentSpans.sum();
    }

    public long lostSpans() {
        return lostSpans.sum();
    }

    public long droppedTraces() {
        return droppedTraces.sum();
    }

    public long sentPoints() {
        return sentPoints.sum();
    }

    public long lostPoints() {
        return lostPoints.sum();
    }
}
