package io.ballast.server.reload;

import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigException;
import io.ballast.config.load.ConfigLoader;
import io.ballast.config.load.LoadedConfig;
import io.ballast.config.shared.ConfigurationBundle;
import io.ballast.config.shared.SharedCopy;
import io.ballast.config.shared.SharedVersion;
import io.ballast.config.yaml.Problem;
import io.ballast.core.ErrorText;
import io.ballast.core.control.ReloadReport;
import io.ballast.core.control.Reloader;
import io.ballast.replication.configuration.ConfigurationTarget;
import io.ballast.server.check.ExecPermission;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks versions of the cluster's configuration, and activates them by reloads. Confined to one thread at a time. */
public final class SharedReload implements ConfigurationTarget {

    /** The beginning of the author's name for reloads that activate a version; the version's number follows. */
    static final String AUTHOR = "cluster version ";

    private static final Logger LOG = LoggerFactory.getLogger(SharedReload.class);

    private final Path file;
    private final Supplier<BallastConfig> running;
    private final Supplier<Optional<SharedVersion>> inUse;
    private final Reloader reloader;
    private final Function<BallastConfig, List<String>> check;

    /**
     * @param file the node's own file
     * @param running returns the active configuration
     * @param inUse returns the version of the last reload
     * @param reloader reloads the version in use
     * @param check returns the errors in the files to which a configuration refers; each contains its location
     */
    public SharedReload(
            Path file,
            Supplier<BallastConfig> running,
            Supplier<Optional<SharedVersion>> inUse,
            Reloader reloader,
            Function<BallastConfig, List<String>> check) {
        this.file = file;
        this.running = running;
        this.inUse = inUse;
        this.reloader = reloader;
        this.check = check;
    }

    private SharedCopy copy() {
        return SharedCopy.of(running.get().dataDir());
    }

    @Override
    public Optional<SharedVersion> inUse() {
        return inUse.get();
    }

    @Override
    public List<String> check(SharedVersion version, ConfigurationBundle content) {
        SharedCopy copy = copy();
        try {
            SharedCopy.Located checked = copy.writeChecked(version, content);
            return errors(checked).stream().map(checked::relative).toList();
        } catch (IOException e) {
            return List.of("cannot write the files of the version: " + ErrorText.of(e));
        } finally {
            try {
                copy.removeChecked();
            } catch (IOException e) {
                LOG.warn("cluster=checked_version_not_removed reason=\"{}\"", ErrorText.of(e));
            }
        }
    }

    private List<String> errors(SharedCopy.Located version) {
        try {
            LoadedConfig loaded = ConfigLoader.ofProcess().load(file, version);
            BallastConfig next = loaded.config().withFixedSettingsOf(running.get());
            ExecPermission.require(next);
            return check.apply(next).stream()
                    .map(problem -> version.main() + ": " + problem)
                    .toList();
        } catch (IllegalStateException e) {
            return List.of(version.main() + ": " + ErrorText.of(e));
        } catch (ConfigException e) {
            return e.problems().stream().map(Problem::toString).toList();
        }
    }

    @Override
    public Optional<String> use(SharedVersion version, ConfigurationBundle content) {
        SharedCopy copy = copy();
        SharedCopy.Located next;
        try {
            next = copy.replace(version, content);
        } catch (IOException e) {
            return Optional.of("cannot write the files of the version: " + ErrorText.of(e));
        }
        Optional<String> failure = reload(version).map(next::relative);
        try {
            if (failure.isPresent()) {
                copy.revert();
            } else {
                copy.keep();
            }
        } catch (IOException e) {
            LOG.error("cluster=version_directory_not_cleaned reason=\"{}\"", ErrorText.of(e));
        }
        return failure;
    }

    private Optional<String> reload(SharedVersion version) {
        try {
            ReloadReport report = reloader.reload(/* dryRun= */ false, AUTHOR + version.number())
                    .get();
            return report.outcome() == ReloadReport.Outcome.REFUSED
                    ? Optional.of(String.join("; ", report.errors()))
                    : Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("the process is stopping");
        } catch (ExecutionException e) {
            return Optional.of("the reload failed: " + ErrorText.of(e));
        }
    }
}
