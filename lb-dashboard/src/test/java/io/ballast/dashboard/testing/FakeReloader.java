package io.ballast.dashboard.testing;

import io.ballast.core.control.ReloadReport;
import io.ballast.core.control.ReloadReport.Outcome;
import io.ballast.core.control.Reloader;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A reloader that records calls; tests complete them. */
public final class FakeReloader implements Reloader {

    private final BlockingQueue<ReloadCall> calls = new LinkedBlockingQueue<>();
    private volatile boolean fails;

    /** A reload, which a test completes. */
    public record ReloadCall(boolean dryRun, String who, CompletableFuture<ReloadReport> report) {

        public void answer(Outcome outcome) {
            report.complete(new ReloadReport(
                    outcome,
                    outcome == Outcome.REFUSED ? List.of() : List.of("pools.web: changed"),
                    List.of("data_dir: needs a restart"),
                    outcome == Outcome.REFUSED ? List.of("ballast.yaml:3:5: pools.web: no such thing") : List.of(),
                    Duration.ofNanos(1_500_000)));
        }
    }

    @Override
    public CompletableFuture<ReloadReport> reload(boolean dryRun, String who) {
        if (fails) {
            throw new IllegalStateException("expected in this test");
        }
        ReloadCall next = new ReloadCall(dryRun, who, new CompletableFuture<>());
        calls.add(next);
        return next.report();
    }

    /** Makes the following calls throw. */
    public void fail() {
        fails = true;
    }

    /** Waits for the next reload. */
    public ReloadCall next() throws InterruptedException {
        ReloadCall next = calls.poll(10, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no reload was requested within 10 s");
        }
        return next;
    }

    /** Returns the number of reloads that {@link #next} has not returned. */
    public int waiting() {
        return calls.size();
    }
}
