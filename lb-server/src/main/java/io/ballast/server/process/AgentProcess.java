package io.ballast.server.process;

import io.ballast.agent.client.Agent;
import io.ballast.agent.client.AgentPools;
import io.ballast.agent.client.AgentStart;
import io.ballast.agent.config.AgentConfig;
import io.ballast.config.LogConfig;
import io.ballast.config.load.AgentFileLoader;
import io.ballast.config.load.AgentFileLoader.LoadedAgent;
import io.ballast.config.load.ConfigException;
import io.ballast.config.load.ConfigReport;
import io.ballast.core.ErrorText;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.health.Probe;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Workers;
import io.ballast.net.config.TransportKind;
import io.ballast.net.transport.NettyTransport;
import io.ballast.server.check.ExecPermission;
import io.ballast.server.check.HealthChecks;
import io.ballast.server.host.Closer;
import io.ballast.server.host.LogSetup;
import io.ballast.server.restart.SupervisorNotifier;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The life cycle of an agent in this process. Does not depend on the command line library. */
public final class AgentProcess {

    private static final Logger LOG = LoggerFactory.getLogger(AgentProcess.class);

    /** The maximum time to wait until the nodes have removed the backends, in addition to the drain. */
    private static final Duration MAX_DEREGISTRATION = Duration.ofSeconds(5);

    private AgentProcess() {}

    /**
     * Runs an agent until {@code stop} is counted down or a signal arrives.
     *
     * @return the exit code: 0 after a regular stop, 1 if the start failed, 2 for an invalid file; {@code err} has the
     *     reason
     */
    public static int run(Path file, PrintWriter err, CountDownLatch stop) throws InterruptedException {
        ConfigReport report = new ConfigReport(err);
        AgentConfig config;
        try {
            LoadedAgent loaded = AgentFileLoader.ofProcess().load(file);
            report.printWarnings(loaded.warnings());
            LogSetup.apply(LogConfig.DEFAULT);
            config = loaded.config();
        } catch (ConfigException e) {
            return report.printFailure(e);
        }
        Closer parts = new Closer();
        try {
            ExecPermission.require(config);
            SplittableRandom random = new SplittableRandom();
            Workers workers = parts.register(
                    Workers.start(NettyTransport.choose(TransportKind.NIO), /* count= */ 1, random.split()));
            PoolTls tls = parts.register(PoolTls.open(new PoolTls.Inputs(List.of(), AgentPools.of(config), List.of())));
            Probe probe = HealthChecks.probe(parts, workers, tls);
            Agent agent = parts.register(AgentStart.start(config, ControlPlane.start(Clock.systemUTC()), probe));
            return serve(agent, config, stop);
        } catch (IOException | IllegalStateException e) {
            err.println("lb: " + ErrorText.of(e));
            err.flush();
            return 1;
        } finally {
            parts.close();
        }
    }

    private static int serve(Agent agent, AgentConfig config, CountDownLatch stop) throws InterruptedException {
        for (String signal : new String[] {"TERM", "INT"}) {
            Signals.handle(signal, name -> {
                if (stop.getCount() == 0) {
                    LOG.warn("signal={} msg=\"exiting immediately\"", name);
                    Runtime.getRuntime().halt(1);
                }
                stop.countDown();
            });
        }
        LOG.info(
                "ready nodes={} backends={}",
                config.nodes().size(),
                config.register().size());
        SupervisorNotifier.notifyReady();
        stop.await();
        SupervisorNotifier.notifyStopping();
        LOG.info("shutdown msg=\"draining\"");
        try {
            agent.stop().get(config.drainTime().plus(MAX_DEREGISTRATION).toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("msg=\"cannot remove the backends from all nodes\" reason=\"{}\"", ErrorText.of(e));
        }
        return 0;
    }
}
