package io.ballast.dashboard;

import io.ballast.core.control.ReloadReport;
import io.ballast.core.control.Reloader;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Another reloader, whose last report is remembered, whoever asked for it; dry runs change nothing and are not. Thread
 * safety: any thread.
 */
public final class RecordedReloader implements Reloader {

    private final Reloader reloader;
    private final Clock clock;
    private volatile @Nullable LastReload last;

    /**
     * The last reload.
     *
     * @param time when it ended
     * @param who asked for it
     */
    public record LastReload(Instant time, String who, ReloadReport report) {

        /** Whether it was refused, so that the file is not what runs. */
        public boolean isRefused() {
            return report.outcome() == ReloadReport.Outcome.REFUSED;
        }
    }

    private RecordedReloader(Reloader reloader, Clock clock) {
        this.reloader = reloader;
        this.clock = clock;
    }

    /** Records what {@code reloader} does; returns it if it does so already. */
    public static RecordedReloader of(Reloader reloader, Clock clock) {
        return reloader instanceof RecordedReloader same ? same : new RecordedReloader(reloader, clock);
    }

    @Override
    public CompletableFuture<ReloadReport> reload(boolean dryRun, String who) {
        CompletableFuture<ReloadReport> report = reloader.reload(dryRun, who);
        return dryRun
                ? report
                : report.thenApply(done -> {
                    last = new LastReload(clock.instant(), who, done);
                    return done;
                });
    }

    /** The last one that ended; empty before the first. */
    public Optional<LastReload> last() {
        return Optional.ofNullable(last);
    }
}
