package io.ballast.server.reload;

import io.ballast.cluster.config.ClusterConfig;
import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigException;
import io.ballast.config.load.ConfigLoader;
import io.ballast.config.load.LoadedConfig;
import io.ballast.config.load.Sources;
import io.ballast.config.shared.SharedCopy;
import io.ballast.config.shared.SharedVersion;
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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Reloads a configuration file; reloads are serialized. A request shares the result of an equal request that still
 * waits, so that a burst of signals causes two reloads at most. An invalid file, or one whose resources are not
 * available, changes nothing; results are logged and added to the timeline.
 */
public final class ConfigReloader implements Reloader {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigReloader.class);

    /** The maximum number of changes or errors in the timeline; the response and the log contain all of them. */
    private static final int MAX_REPORTED = 3;

    private final Path file;
    private final Reloadable reloadable;
    private final ControlPlane control;
    private final Function<BallastConfig, List<String>> fileCheck;
    private volatile Sources sources;
    /** The last valid configuration that was read, active or not; confined to {@link #thread}. */
    private LoadedConfig lastRead;

    private volatile Optional<SharedVersion> versionInUse;

    private final Executor thread;
    /** The reloads that have not begun to read the file. */
    private final Map<ReloadRequest, CompletableFuture<ReloadReport>> waiting = new ConcurrentHashMap<>();

    /**
     * @param first the loaded active configuration
     * @param thread the executor that runs all changes, one at a time; its tasks may block
     * @param check returns the errors in the files to which a configuration refers; each error contains its
     *     location
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
        this.lastRead = first;
        this.versionInUse = first.version();
        this.reloadable = running;
        this.control = control;
        this.thread = thread;
        this.fileCheck = check;
    }

    /**
     * Returns the files of the last reload. A file that could not be read has its earlier state. Any thread may call
     * it.
     */
    public Sources sources() {
        return sources;
    }

    /**
     * The version of the cluster whose configuration is active; empty if the configuration comes from the node's own
     * file. Any thread may call it.
     */
    public Optional<SharedVersion> versionInUse() {
        return versionInUse;
    }

    @Override
    public CompletableFuture<ReloadReport> reload(boolean dryRun, String who) {
        CompletableFuture<ReloadReport> report = new CompletableFuture<>();
        ReloadRequest request = new ReloadRequest(dryRun, who);
        CompletableFuture<ReloadReport> before = waiting.putIfAbsent(request, report);
        if (before != null) {
            return before; // the waiting reload has not read the file yet
        }
        try {
            start(request, report);
        } catch (RuntimeException e) {
            waiting.remove(request, report);
            throw e;
        }
        return report;
    }

    private void start(ReloadRequest request, CompletableFuture<ReloadReport> report) {
        thread.execute(() -> {
            waiting.remove(request, report);
            try {
                report.complete(run(request.dryRun(), request.who()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                report.completeExceptionally(e);
            } catch (Publication.FailedHalfWay e) {
                addToTimeline("reload by " + request.who()
                        + " failed and was only partly applied; restart the process to apply it completely");
                report.completeExceptionally(e);
                throw e;
            } catch (RuntimeException | Error e) {
                report.completeExceptionally(e);
                throw e;
            }
        });
    }

    private ReloadReport run(boolean dryRun, String who) throws InterruptedException {
        ReloadReport report = tryReload(dryRun, who);
        if (!dryRun) {
            log(report, who);
            addToTimeline(report, who);
        }
        return report;
    }

    private ReloadReport tryReload(boolean dryRun, String who) throws InterruptedException {
        LoadedConfig loaded;
        try {
            loaded = load();
        } catch (IOException e) {
            return refusedReport(List.of(), List.of("the version of the cluster cannot be read: " + ErrorText.of(e)));
        } catch (ConfigException e) {
            sources = e.sources().mergedWith(sources);
            return refusedReport(
                    e.warnings().stream().map(Problem::toString).toList(),
                    e.problems().stream().map(Problem::toString).toList());
        }
        lastRead = loaded;
        sources = loaded.sources();
        BallastConfig before = reloadable.config();
        BallastConfig next = GeneratedSecrets.addMissing(loaded.config().withFixedSettingsOf(before));
        List<String> warnings = new ArrayList<>(
                loaded.warnings().stream().map(Problem::toString).toList());
        loaded.version()
                .filter(version -> !who.startsWith(SharedReload.AUTHOR))
                .ifPresent(version -> warnings.add(file + " provides only cluster and data_dir: version "
                        + version.number() + " of the cluster is in use"));
        for (String key : ConfigDifference.changedFixedKeys(before, loaded.config())) {
            warnings.add(key + ": the change takes effect only after a restart");
        }
        List<String> changes = ConfigDifference.of(before, next);
        List<String> problems = fileCheck.apply(next);
        if (!problems.isEmpty()) {
            return refusedReport(
                    warnings,
                    problems.stream()
                            .map(problem -> mainFile(loaded) + ": " + problem)
                            .toList());
        }
        if (dryRun) {
            return new ReloadReport(Outcome.DRY_RUN, changes, warnings, List.of(), Duration.ZERO);
        }
        try (Reloadable.Preparation ready = reloadable.prepare(next)) {
            warnings.addAll(ready.warnings());
            if (ready.isEmpty()) {
                versionInUse = loaded.version();
                return new ReloadReport(Outcome.UNCHANGED, changes, warnings, List.of(), Duration.ZERO);
            }
            Duration published = Publication.activate(ready, control);
            versionInUse = loaded.version();
            return new ReloadReport(Outcome.APPLIED, changes, warnings, List.of(), published);
        } catch (IOException | IllegalStateException | IllegalArgumentException e) {
            return refusedReport(warnings, List.of(mainFile(loaded) + ": " + ErrorText.of(e)));
        }
    }

    /** Loads the version of the cluster that this node uses, or the file if there is none. */
    private LoadedConfig load() throws ConfigException, IOException {
        BallastConfig running = reloadable.config();
        Optional<SharedCopy.Located> version =
                running.cluster().filter(ClusterConfig::isShared).isPresent()
                        ? SharedCopy.of(running.dataDir()).active()
                        : Optional.empty();
        ConfigLoader loader = ConfigLoader.ofProcess();
        return version.isPresent() ? loader.load(file, version.get(), lastRead) : loader.load(file, lastRead);
    }

    /** Returns the main file of the cluster's active version, or this node's own file if there is no version. */
    private Path mainFile(LoadedConfig loaded) {
        return loaded.version().isPresent()
                ? loaded.sources().files().keySet().iterator().next()
                : file;
    }

    private static ReloadReport refusedReport(List<String> warnings, List<String> errors) {
        return new ReloadReport(Outcome.REFUSED, List.of(), warnings, errors, Duration.ZERO);
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
                        report.activationDuration().toNanos() / 1e6,
                        report.changes());
        }
        report.warnings().forEach(warning -> LOG.warn("reload msg=\"{}\"", warning));
    }

    private void addToTimeline(ReloadReport report, String who) {
        switch (report.outcome()) {
            case REFUSED ->
                addToTimeline("reload by " + who + " refused; no changes were applied: "
                        + summary(report.errors(), " errors"));
            case APPLIED ->
                addToTimeline("reload by " + who + ": "
                        + (report.changes().isEmpty()
                                ? "contents of files or resolved addresses"
                                : summary(report.changes(), " changes")));
            default -> {
                // nothing to report
            }
        }
    }

    private void addToTimeline(String text) {
        control.execute(() -> control.timeline().add(Origin.OPERATOR, "ballast", text));
    }

    private static String summary(List<String> lines, String noun) {
        int more = lines.size() - MAX_REPORTED;
        String text = String.join("; ", lines.subList(0, Math.min(lines.size(), MAX_REPORTED)));
        return more > 0 ? text + "; and " + more + " more" + noun : text;
    }

    private record ReloadRequest(boolean dryRun, String who) {}
}
