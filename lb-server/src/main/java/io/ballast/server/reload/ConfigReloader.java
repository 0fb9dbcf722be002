package io.ballast.server.reload;

import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigException;
import io.ballast.config.load.ConfigLoader;
import io.ballast.config.load.LoadedConfig;
import io.ballast.config.load.Sources;
import io.ballast.config.yaml.Problem;
import io.ballast.core.ErrorText;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.ReloadReport;
import io.ballast.core.control.ReloadReport.Outcome;
import io.ballast.core.control.Reloader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Reloads a configuration file; reloads are serialized. An invalid file, or one whose resources are not available,
 * changes nothing; results are logged and added to the timeline.
 */
public final class ConfigReloader implements Reloader {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigReloader.class);

    /** The maximum number of changes or errors in the timeline; the response and the log contain all of them. */
    private static final int MAX_REPORTED = 3;

    private final Path file;
    private final Reloadable running;
    private final ControlPlane control;
    private final Function<BallastConfig, List<String>> check;
    private volatile Sources sources;
    private final Executor thread;

    /**
     * @param first the loaded active configuration
     * @param thread executor of all changes, one after the other; tasks may block
     * @param check finds errors in the files that a configuration names, each with its position
     */
    public ConfigReloader(
            Path file,
            LoadedConfig first,
            Reloadable running,
            ControlPlane control,
            Executor thread,
            Function<BallastConfig, List<String>> check) {
        this.file = file;
        this.sources = first.sources();
        this.running = running;
        this.control = control;
        this.thread = thread;
        this.check = check;
    }

    /** Returns the files of the last read; for an unreadable file, its previous state. Any thread may call it. */
    public Sources sources() {
        return sources;
    }

    @Override
    public CompletableFuture<ReloadReport> reload(boolean dryRun, String who) {
        CompletableFuture<ReloadReport> report = new CompletableFuture<>();
        thread.execute(() -> {
            try {
                report.complete(run(dryRun, who));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                report.completeExceptionally(e);
            } catch (Publication.FailedHalfWay e) {
                tell("reload by " + who + " failed halfway; restart the process to apply it completely");
                report.completeExceptionally(e);
                throw e;
            } catch (RuntimeException | Error e) {
                report.completeExceptionally(e);
                throw e;
            }
        });
        return report;
    }

    private ReloadReport run(boolean dryRun, String who) throws InterruptedException {
        ReloadReport report = attempt(dryRun);
        if (!dryRun) {
            log(report, who);
            tell(report, who);
        }
        return report;
    }

    private ReloadReport attempt(boolean dryRun) throws InterruptedException {
        LoadedConfig loaded;
        try {
            loaded = ConfigLoader.ofProcess().load(file);
        } catch (ConfigException e) {
            sources = e.sources().or(sources);
            return refused(
                    e.warnings().stream().map(Problem::toString).toList(),
                    e.problems().stream().map(Problem::toString).toList());
        }
        sources = loaded.sources();
        BallastConfig before = running.config();
        BallastConfig next = StickyKeyFile.complete(withFixed(loaded.config(), before));
        List<String> warnings = new ArrayList<>(
                loaded.warnings().stream().map(Problem::toString).toList());
        for (String key : ConfigDifference.fixed(before, loaded.config())) {
            warnings.add(key + ": a change takes effect after a restart");
        }
        List<String> changes = ConfigDifference.of(before, next);
        List<String> problems = check.apply(next);
        if (!problems.isEmpty()) {
            return refused(
                    warnings,
                    problems.stream().map(problem -> file + ": " + problem).toList());
        }
        if (dryRun) {
            return new ReloadReport(Outcome.DRY_RUN, changes, warnings, List.of(), Duration.ZERO);
        }
        try (Reloadable.Preparation ready = running.prepare(next)) {
            warnings.addAll(ready.warnings());
            if (ready.isEmpty()) {
                return new ReloadReport(Outcome.UNCHANGED, changes, warnings, List.of(), Duration.ZERO);
            }
            Duration published = Publication.of(ready, control);
            return new ReloadReport(Outcome.APPLIED, changes, warnings, List.of(), published);
        } catch (IOException | IllegalStateException | IllegalArgumentException e) {
            return refused(warnings, List.of(file + ": " + ErrorText.of(e)));
        }
    }

    private static ReloadReport refused(List<String> warnings, List<String> errors) {
        return new ReloadReport(Outcome.REFUSED, List.of(), warnings, errors, Duration.ZERO);
    }

    /** Returns {@code next} with those settings of {@code running} that are fixed for the life of a process. */
    private static BallastConfig withFixed(BallastConfig next, BallastConfig running) {
        return new BallastConfig(
                next.listeners(),
                next.pools(),
                next.dns(),
                next.dashboard(),
                running.eventLoops(),
                running.transport(),
                next.grace(),
                running.dataDir(),
                next.geo(),
                next.log());
    }

    private static void log(ReloadReport report, String who) {
        switch (report.outcome()) {
            case REFUSED ->
                report.errors().forEach(error -> LOG.error("reload=refused by={} reason=\"{}\"", who, error));
            case UNCHANGED ->
                LOG.atLevel(who.equals(FileWatch.NAME) ? Level.DEBUG : Level.INFO)
                        .log("reload=unchanged by={}", who);
            default ->
                LOG.info(
                        "reload=applied by={} changes={} published_ms={} difference={}",
                        who,
                        report.changes().size(),
                        report.published().toNanos() / 1e6,
                        report.changes());
        }
        report.warnings().forEach(warning -> LOG.warn("reload msg=\"{}\"", warning));
    }

    private void tell(ReloadReport report, String who) {
        switch (report.outcome()) {
            case REFUSED ->
                tell("reload by " + who + " refused, nothing was changed: " + summary(report.errors(), " errors"));
            case APPLIED ->
                tell("reload by " + who + ": "
                        + (report.changes().isEmpty() ? "files or addresses" : summary(report.changes(), " changes")));
            default -> {
                // nothing to report
            }
        }
    }

    private void tell(String text) {
        control.execute(() -> control.timeline().add(Origin.OPERATOR, "ballast", text));
    }

    private static String summary(List<String> lines, String noun) {
        int more = lines.size() - MAX_REPORTED;
        String told = String.join("; ", lines.subList(0, Math.min(lines.size(), MAX_REPORTED)));
        return more > 0 ? told + "; and " + more + " more" + noun : told;
    }
}
