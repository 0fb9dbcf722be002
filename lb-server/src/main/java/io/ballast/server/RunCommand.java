package io.ballast.server;

import io.ballast.core.config.BallastConfig;
import io.ballast.http.BindException;
import io.ballast.server.config.ConfigException;
import io.ballast.server.config.ConfigLoader;
import io.ballast.server.config.LoadedConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lb run}: serves until it is told to stop. */
@Command(
        name = "run",
        description = "Runs the balancer with a configuration file until SIGTERM or SIGINT.",
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {

    private static final Logger LOG = LoggerFactory.getLogger(RunCommand.class);
    private static final Duration MOST_WAIT_FOR_CHECKS = Duration.ofSeconds(2);

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "CONFIG", defaultValue = "config.yaml", description = "the file (default: config.yaml)")
    private Path file = Path.of("config.yaml");

    @Override
    public Integer call() throws InterruptedException {
        ConfigReport report = new ConfigReport(spec.commandLine().getErr());
        BallastConfig config;
        try {
            LoadedConfig loaded = ConfigLoader.ofProcess().load(file);
            report.warnings(loaded);
            config = loaded.config();
        } catch (ConfigException e) {
            return report.failure(e);
        }
        try {
            serve(Balancer.start(config));
            return 0;
        } catch (IOException | BindException | IllegalStateException e) {
            spec.commandLine().getErr().println("lb: " + e.getMessage());
            return 1;
        }
    }

    /** Serves until the first signal, then ends gracefully; a second signal ends the process at once. */
    static void serve(Balancer balancer) throws InterruptedException {
        CountDownLatch stop = new CountDownLatch(1);
        for (String signal : new String[] {"TERM", "INT"}) {
            Signals.handle(signal, name -> {
                if (stop.getCount() == 0) {
                    LOG.warn("signal={} exit at once", name);
                    Runtime.getRuntime().halt(1);
                }
                stop.countDown();
            });
        }
        boolean checked = balancer.awaitFirstChecks(MOST_WAIT_FOR_CHECKS);
        LOG.info("ready all_backends_checked={}", checked);
        stop.await();
        LOG.info("shutdown msg=\"finishing what runs\"");
        int cut = balancer.shutDown();
        LOG.info("stopped cut_connections={}", cut);
    }
}
