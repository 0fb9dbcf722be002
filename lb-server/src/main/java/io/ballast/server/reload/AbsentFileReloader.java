package io.ballast.server.reload;

import io.ballast.core.control.ReloadReport;
import io.ballast.core.control.Reloader;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Refuses every reload, because the process was started without a configuration file. Stateless. */
public final class AbsentFileReloader implements Reloader {

    @Override
    public CompletableFuture<ReloadReport> reload(boolean dryRun, String who) {
        return CompletableFuture.completedFuture(new ReloadReport(
                ReloadReport.Outcome.REFUSED,
                List.of(),
                List.of(),
                List.of("this process was not started with a configuration file"),
                Duration.ZERO));
    }
}
