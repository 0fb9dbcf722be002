package io.ballast.dashboard.source;

import io.ballast.core.control.ReloadReport;
import io.ballast.core.control.Reloader;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Wraps a reloader and remembers the report of the last reload by any caller, except dry runs. Thread safety:
 * may be called from any thread.
 */
public final class RecordingReloader implements Reloader {

    private final Reloader reloader;
    private final Clock clock;
    private volatile @Nullable LastReload lastReload;

    /**
     * The last reload.
     *
     * @param time the time at which the reload completed
     * @param who the user or trigger that requested the reload
     */
    public record LastReload(Instant time, String who, ReloadReport report) {

        /**
         * Returns whether the reload was refused, which means that the file differs from the active configuration.
         */
        public boolean isRefused() {
            return report.outcome() == ReloadReport.Outcome.REFUSED;
        }
    }

    private RecordingReloader(Reloader reloader, Clock clock) {
        this.reloader = reloader;
        this.clock = clock;
    }

    /** Wraps {@code reloader}, or returns it unchanged if it is already a recording reloader. */
    public static RecordingReloader of(Reloader reloader, Clock clock) {
        return reloader instanceof RecordingReloader same ? same : new RecordingReloader(reloader, clock);
    }

    @Override
    public CompletableFuture<ReloadReport> reload(boolean dryRun, String who) {
        CompletableFuture<ReloadReport> report = reloader.reload(dryRun, who);
        return dryRun
                ? report
                : report.thenApply(done -> {
                    lastReload = new LastReload(clock.instant(), who, done);
                    return done;
                });
    }

    /** Returns the last completed reload; empty if there was none. */
    public Optional<LastReload> lastReload() {
        return Optional.ofNullable(lastReload);
    }
}
