package io.ballast.server;

import io.ballast.core.control.Reloader;
import io.ballast.server.config.LoadedConfig;
import io.ballast.server.reload.ConfigReloader;
import io.ballast.server.reload.FileWatch;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What has a balancer read its file again: SIGHUP, its API and, if it is to, changes of the file. */
final class Reloads implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Reloads.class);

    private final @Nullable FileWatch watch;

    private Reloads(@Nullable FileWatch watch) {
        this.watch = watch;
    }

    /** Begins to listen to them. */
    static Reloads of(Path file, LoadedConfig loaded, Balancer balancer, boolean watched) {
        ConfigReloader reloader = new ConfigReloader(
                file, loaded, balancer, balancer.control(), balancer.changes(), NeededFiles::problems);
        Reloader recorded = balancer.reloadBy(reloader);
        Signals.handle(
                "HUP",
                name -> recorded.reload(/* dryRun= */ false, "SIG" + name).whenComplete((report, failure) -> {
                    if (failure != null) {
                        LOG.error("msg=\"reload failed\"", failure);
                    }
                }));
        return new Reloads(watched ? FileWatch.start(reloader::files, recorded) : null);
    }

    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
    }
}
