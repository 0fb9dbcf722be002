package io.ballast.agent.client;

import io.ballast.core.config.HealthCheck;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.health.Probe;
import io.ballast.core.health.ProbeResult;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Runs checks through another probe, and counts the checks that fail. The counts are confined to the thread of the
 * control plane; checks may be started by any thread.
 */
final class CountedProbe implements Probe {

    private final Probe probe;
    private final ControlPlane control;
    private final Map<SocketAddress, FailedShare> shares = new HashMap<>();

    CountedProbe(Probe probe, ControlPlane control) {
        this.probe = probe;
        this.control = control;
    }

    @Override
    public void start(
            SocketAddress target, HealthCheck check, String hostHeader, Duration timeout, Consumer<ProbeResult> done) {
        probe.start(target, check, hostHeader, timeout, result -> {
            if (result.isConclusive()) {
                control.execute(() -> shares.computeIfAbsent(target, each -> new FailedShare())
                        .add(result.ok()));
            }
            done.accept(result);
        });
    }

    /** Returns the share of failed checks at an address in percent; absent before the first check. */
    OptionalInt failedPercent(SocketAddress target) {
        FailedShare share = shares.get(target);
        return share == null ? OptionalInt.empty() : share.percent();
    }
}
