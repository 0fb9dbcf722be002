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

/** A reloader that does nothing but note what it is asked for; a test makes up what becomes of it. */
public final class FakeReloader implements Reloader {

    private final BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();
    private volatile boolean fails;

    /** One reload, which a test completes. */
    public record Asked(boolean dryRun, String who, CompletableFuture<ReloadReport> report) {

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
        Asked next = new Asked(dryRun, who, new CompletableFuture<>());
        asked.add(next);
        return next.report();
    }

    /** Throws when it is asked from now on. */
    public void fail() {
        fails = true;
    }

    /** The next reload that was asked for. */
    public Asked next() throws InterruptedException {
        Asked next = asked.poll(10, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no reload was asked for within 10 s");
        }
        return next;
    }

    /** How many were asked for and not handed out. */
    public int waiting() {
        return asked.size();
    }
}
