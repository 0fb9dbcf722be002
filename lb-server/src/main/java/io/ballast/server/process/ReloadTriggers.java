package io.ballast.server.process;

import io.ballast.config.BallastConfig;
import io.ballast.config.load.LoadedConfig;
import io.ballast.core.control.Reloader;
import io.ballast.server.compose.Balancer;
import io.ballast.server.compose.ReferencedFiles;
import io.ballast.server.host.DataDirectoryCheck;
import io.ballast.server.reload.ConfigReloader;
import io.ballast.server.reload.FileWatch;
import io.ballast.server.reload.SharedReload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The triggers of a reload: SIGHUP, the API and, if enabled, changes of the file. */
final class ReloadTriggers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReloadTriggers.class);

    private final Reloader reloader;
    private final @Nullable FileWatch watch;

    private ReloadTriggers(Reloader reloader, @Nullable FileWatch watch) {
        this.reloader = reloader;
        this.watch = watch;
    }

    /** Creates the triggers and starts them: SIGHUP and, if {@code watched}, a watch for file changes. */
    public static ReloadTriggers of(Path file, LoadedConfig loaded, Balancer balancer, boolean watched) {
        ConfigReloader reloader = new ConfigReloader(
                file, loaded, balancer, balancer.control(), balancer.changes(), ReloadTriggers::problems);
        Reloader recorded = balancer.setReloader(reloader);
        balancer.shareConfiguration(
                new SharedReload(file, balancer::config, reloader::versionInUse, recorded, ReloadTriggers::problems));
        ReloadTriggers reloads =
                new ReloadTriggers(recorded, watched ? FileWatch.start(reloader::sources, recorded) : null);
        Signals.handle("HUP", name -> reloads.startReload("SIG" + name));
        return reloads;
    }

    private static List<String> problems(BallastConfig next) {
        List<String> problems = new ArrayList<>(ReferencedFiles.problems(next));
        problems.addAll(new DataDirectoryCheck(next.dataDir()).problems(next));
        return problems;
    }

    /** Starts one reload, and returns immediately. The log and the timeline show {@code who} as its author. */
    public void startReload(String who) {
        reloader.reload(/* dryRun= */ false, who).whenComplete((report, failure) -> {
            if (failure != null) {
                LOG.error("msg=\"reload failed\"", failure);
            }
        });
    }

    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
    }
}
