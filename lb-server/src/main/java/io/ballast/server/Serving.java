package io.ballast.server;

import io.ballast.server.config.ConfigException;
import io.ballast.server.config.ConfigLoader;
import io.ballast.server.config.LoadedConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The life of a balancer in this process, from its file to its end. Knows nothing of the command line's library. */
final class Serving {

    private static final Logger LOG = LoggerFactory.getLogger(Serving.class);
    private static final Duration MOST_WAIT_FOR_CHECKS = Duration.ofSeconds(2);

    private Serving() {}

    /**
     * Serves what the file asks for until {@code stop} is counted down or a signal comes. SIGHUP has it read again.
     *
     * @param watch whether it is read again whenever it changes
     * @return the exit code: 0 ended as told, 1 could not start, 2 the file is wrong, {@value ProcessEnd#DEATH} a thread
     *     died; {@code err} or the log then says why
     */
    static int run(Path file, boolean watch, PrintWriter err, CountDownLatch stop) throws InterruptedException {
        IgnoredSignals.install();
        Balancer.prepare();
        SoftHeapLimit.start();
        ConfigReport report = new ConfigReport(err);
        LoadedConfig loaded;
        try {
            loaded = ConfigLoader.ofProcess().load(file);
            report.warnings(loaded);
            LogSetup.apply(loaded.config().log());
        } catch (ConfigException e) {
            return report.failure(e);
        }
        ProcessEnd end = new ProcessEnd(stop);
        try {
            Balancer balancer = Balancer.start(loaded.config(), end::died);
            try (Reloads reloads = Reloads.of(file, loaded, balancer, watch)) {
                return serve(balancer, stop, end);
            }
        } catch (IOException | IllegalStateException e) {
            err.println("lb: " + e.getMessage());
            return 1;
        }
    }

    /**
     * Serves until the first signal or the first death of a thread, then ends gracefully; a second signal ends the process
     * at once.
     *
     * @return the exit code: 0 ended as told, {@value ProcessEnd#DEATH} a thread died
     */
    static int serve(Balancer balancer, CountDownLatch stop, ProcessEnd end) throws InterruptedException {
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
        return end.orderly(balancer);
    }
}
