package io.ballast.server.process;

import io.ballast.config.BallastConfig;
import io.ballast.config.load.LoadedConfig;
import io.ballast.core.control.Reloader;
import io.ballast.server.compose.Balancer;
import io.ballast.server.compose.NeededFiles;
import io.ballast.server.host.DataDirectoryCheck;
import io.ballast.server.reload.ConfigReloader;
import io.ballast.server.reload.FileWatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The triggers of a reload: SIGHUP, the API and, if enabled, changes of the file. */
final class Reloads implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Reloads.class);

    private final Reloader reloader;
    private final @Nullable FileWatch watch;

    private Reloads(Reloader reloader, @Nullable FileWatch watch) {
        this.reloader = reloader;
        this.watch = watch;
    }

    /** Begins to listen to them. */
    public static Reloads of(Path file, LoadedConfig loaded, Balancer balancer, boolean watched) {
        ConfigReloader reloader =
                new ConfigReloader(file, loaded, balancer, balancer.control(), balancer.changes(), Reloads::problems);
        Reloader recorded = balancer.reloadBy(reloader);
        Reloads reloads = new Reloads(recorded, watched ? FileWatch.start(reloader::sources, recorded) : null);
        Signals.handle("HUP", name -> reloads.begin("SIG" + name));
        return reloads;
    }

    private static List<String> problems(BallastConfig next) {
        List<String> problems = new ArrayList<>(NeededFiles.problems(next));
        problems.addAll(new DataDirectoryCheck(next.dataDir()).problems(next));
        return problems;
    }

    /** Reloads once; the log and the timeline name {@code who}. Returns at once. */
    public void begin(String who) {
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
