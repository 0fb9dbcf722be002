package io.ballast.server.check;

import io.ballast.core.control.Background;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.health.HealthMonitor;
import io.ballast.core.health.Probe;
import io.ballast.dns.check.DnsProbe;
import io.ballast.http.check.SocketProbe;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Worker;
import io.ballast.http.net.Workers;
import io.ballast.server.host.Closer;
import io.ballast.server.host.OpenFiles;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Starts the health monitor with the probes of all types of checks, and waits for their first results. */
public final class HealthChecks {

    private HealthChecks() {}

    /** @param parts receives the monitor and its threads, to close them at the end of the process */
    public static HealthMonitor start(
            Closer parts, ControlPlane control, Workers workers, PoolTls backendTls, SplittableRandom random) {
        Probe probe = probe(parts, workers, backendTls);
        // Several threads update the pools after a change, so that a small pool does not wait for a large one.
        Background pools = parts.register(
                Background.of("pools", Math.max(2, Runtime.getRuntime().availableProcessors())));
        return parts.register(new HealthMonitor(control, probe, random, pools, OpenFiles.maxChecks()));
    }

    /**
     * Returns a probe that runs all types of checks.
     *
     * @param parts receives the threads of the probe, to close them at the end of the process
     */
    public static Probe probe(Closer parts, Workers workers, PoolTls backendTls) {
        List<EventLoop> loops = workers.all().stream().map(Worker::eventLoop).toList();
        return new Probes(
                new SocketProbe(
                        workers,
                        backendTls,
                        parts.register(Background.of("checks", SocketProbe.maxConcurrentSearches()))),
                new DnsProbe(workers.all().get(0).transport(), loops),
                parts.register(new ExecProbe()));
    }

    /** Waits until every backend was checked once, or {@code max} has passed; returns whether all were checked. */
    public static boolean awaitFirst(HealthMonitor health, Duration max) throws InterruptedException {
        try {
            health.firstResults().get(max.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("waiting for the first health checks failed", e);
        }
    }
}
