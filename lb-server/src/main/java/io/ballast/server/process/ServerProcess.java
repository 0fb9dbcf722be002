package io.ballast.server.process;

import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigException;
import io.ballast.config.load.ConfigLoader;
import io.ballast.config.load.ConfigReport;
import io.ballast.config.load.LoadedConfig;
import io.ballast.core.ErrorText;
import io.ballast.server.compose.Balancer;
import io.ballast.server.compose.EventLoops;
import io.ballast.server.compose.ServedAddresses;
import io.ballast.server.host.DataDirectoryCheck;
import io.ballast.server.host.LogSetup;
import io.ballast.server.host.ProcessMemory;
import io.ballast.server.host.SoftHeapLimit;
import io.ballast.server.host.TeeWriter;
import io.ballast.server.reload.GeneratedSecrets;
import io.ballast.server.restart.Restarts;
import io.ballast.server.restart.SupervisorNotifier;
import io.ballast.server.restart.TakeOver;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The life cycle of a balancer in this process. Does not depend on the command line library. */
public final class ServerProcess {

    private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);
    private static final Duration MAX_WAIT_FOR_CHECKS = Duration.ofSeconds(2);

    private ServerProcess() {}

    /**
     * Serves the configuration in the file until {@code stop} is counted down or a signal arrives. SIGHUP reloads
     * the file.
     *
     * @param watch whether the file is reloaded after each change
     * @return the exit code: 0 after a regular stop, 1 if the start failed, 2 for an invalid file,
     *     {@value ProcessEnd#EX_SOFTWARE} if a thread or the successor process failed; {@code err} or the log has
     *     the reason
     */
    public static int run(Path file, boolean watch, PrintWriter err, CountDownLatch stop) throws InterruptedException {
        return run(file, watch, err, stop, Optional.empty(), /* replaceable= */ false);
    }

    /**
     * Like {@link #run}, for a process that only runs this balancer. It takes over from the process that started
     * it, if any. Later, another process may take over from it.
     */
    public static int runProcess(Path file, boolean watch, PrintWriter err) throws InterruptedException {
        CountDownLatch stop = new CountDownLatch(1);
        Optional<TakeOver> takeOver;
        try {
            takeOver = TakeOver.ofEnvironment();
        } catch (IOException | RuntimeException e) {
            err.println("lb: cannot take over from the previous process: " + ErrorText.of(e));
            return 1;
        }
        if (takeOver.isEmpty()) {
            return run(file, watch, err, stop, takeOver, /* replaceable= */ true);
        }
        try (TakeOver before = takeOver.get()) {
            TeeWriter tee = new TeeWriter(err);
            PrintWriter both = new PrintWriter(tee, /* autoFlush= */ true);
            int code = run(file, watch, both, stop, takeOver, /* replaceable= */ true);
            if (code != 0) {
                before.reportFailure(tee.captured());
            }
            return code;
        }
    }

    private static int run(
            Path file,
            boolean watch,
            PrintWriter err,
            CountDownLatch stop,
            Optional<TakeOver> takeOver,
            boolean replaceable)
            throws InterruptedException {
        AtomicBoolean disconnect = IgnoredSignals.install();
        ProcessMemory memory = ProcessMemory.ofProcess();
        Optional<String> tooLittle = memory.shortage();
        if (tooLittle.isPresent()) {
            err.println("lb: " + tooLittle.get());
            return 1;
        }
        memory.limitDirectBuffers();
        EventLoops.prepare();
        SoftHeapLimit.start();
        ConfigReport report = new ConfigReport(err);
        LoadedConfig loaded;
        try {
            loaded = load(file, takeOver.isPresent(), err);
            report.printWarnings(loaded);
            LogSetup.apply(loaded.config().log());
            loaded.version()
                    .ifPresent(version -> LOG.info(
                            "cluster=configuration_in_use version={} sha256={} file={} msg=\"only cluster and data_dir of"
                                    + " the file are used\"",
                            version.number(),
                            version.sha256(),
                            file));
        } catch (ConfigException e) {
            return report.printFailure(e);
        }
        List<String> problems = unusableDirectory(loaded.config());
        if (!problems.isEmpty()) {
            problems.forEach(problem -> err.println("lb: " + problem));
            return 1;
        }
        ProcessEnd end = new ProcessEnd(stop);
        try {
            BallastConfig config = GeneratedSecrets.addMissing(loaded.config());
            Balancer balancer = takeOver.isPresent()
                    ? Balancer.follow(
                            config, end::onThreadFailure, takeOver.get().receiveSockets())
                    : Balancer.start(config, end::onThreadFailure);
            Restarts restarts = new Restarts(
                    balancer.handOver(),
                    loaded.config().dataDir(),
                    stop,
                    reason -> end.onSuccessorLost(reason, balancer));
            try (restarts;
                    ReloadTriggers reloads = ReloadTriggers.of(file, loaded, balancer, watch)) {
                if (disconnect.get()) {
                    reloads.startReload("SIGHUP");
                }
                return serve(balancer, stop, end, () -> {
                    takeOver.ifPresent(before -> takeOver(balancer, before));
                    if (replaceable) {
                        restarts.listen();
                    }
                });
            }
        } catch (IOException | IllegalStateException e) {
            err.println("lb: " + ErrorText.of(e));
            return 1;
        }
    }

    /** Loads the file, or the version of the cluster that the last process used. */
    private static LoadedConfig load(Path file, boolean follows, PrintWriter err) throws ConfigException {
        Consumer<String> damaged = reason -> err.println("lb: the version of the cluster cannot be used: " + reason
                + "; starting with " + file + " until the cluster sends a version");
        ConfigLoader loader = ConfigLoader.ofProcess();
        return follows ? loader.loadInUse(file, damaged) : loader.loadAtStart(file, damaged);
    }

    private static List<String> unusableDirectory(BallastConfig config) {
        DataDirectoryCheck directory = new DataDirectoryCheck(config.dataDir());
        Optional<String> danger = directory.securityProblem();
        return danger.isPresent() ? List.of(danger.get()) : directory.problems(config);
    }

    /**
     * Serves until the first signal or the first thread failure, then ends gracefully; a second signal ends the
     * process immediately.
     *
     * @return the exit code: 0 after a regular stop, {@value ProcessEnd#EX_SOFTWARE} if a thread failed
     */
    public static int serve(Balancer balancer, CountDownLatch stop, ProcessEnd end) throws InterruptedException {
        return serve(balancer, stop, end, () -> {});
    }

    /** @param checked runs after the first checks of the backends, or after the time limit for these checks */
    private static int serve(Balancer balancer, CountDownLatch stop, ProcessEnd end, Runnable checked)
            throws InterruptedException {
        for (String signal : new String[] {"TERM", "INT"}) {
            Signals.handle(signal, name -> {
                if (stop.getCount() == 0) {
                    LOG.warn("signal={} msg=\"exiting immediately\"", name);
                    Runtime.getRuntime().halt(1);
                }
                stop.countDown();
            });
        }
        boolean all = balancer.awaitFirstChecks(MAX_WAIT_FOR_CHECKS);
        checked.run();
        LOG.info("ready all_backends_checked={}", all);
        ServedAddresses.of(balancer).forEach(LOG::info);
        SupervisorNotifier.notifyReady();
        stop.await();
        if (!balancer.handOver().isTakenOver()) {
            SupervisorNotifier.notifyStopping();
        }
        LOG.info("shutdown msg=\"draining\"");
        return end.endGracefully(balancer);
    }

    private static void takeOver(Balancer balancer, TakeOver before) {
        balancer.handOver().startServing();
        before.complete();
        balancer.handOver().activate();
        LOG.info("msg=\"took over from the previous process\"");
    }
}
