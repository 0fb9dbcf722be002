package io.ballast.core.testing;

import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.Probe;
import io.ballast.core.health.ProbeResult;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A probe that records the started checks; the test completes them. Confined to one thread. */
public final class ManualProbe implements Probe {

    /** The reported duration of every check. */
    public static final Duration TOOK = Duration.ofMillis(3);

    private final List<Check> open = new ArrayList<>();
    private int started;

    /** A check that was started. */
    public record Check(
            SocketAddress target, HealthCheck check, String hostHeader, Duration timeout, Consumer<ProbeResult> done) {

        public void succeed(String text) {
            done.accept(new ProbeResult(/* ok= */ true, TOOK, text));
        }

        /** Completes the check successfully, with this duration. */
        public void succeedAfter(Duration took) {
            done.accept(new ProbeResult(/* ok= */ true, took, "connected"));
        }

        /** Reports that the check could not run for a local reason. */
        public void cannot(String text) {
            done.accept(ProbeResult.skipped(TOOK, text));
        }

        public void fail(String text) {
            done.accept(new ProbeResult(/* ok= */ false, TOOK, text));
        }
    }

    @Override
    public void start(
            SocketAddress target, HealthCheck check, String hostHeader, Duration timeout, Consumer<ProbeResult> done) {
        started++;
        open.add(new Check(target, check, hostHeader, timeout, done));
    }

    /** The number of checks that were started. */
    public int started() {
        return started;
    }

    /** The checks that wait for an answer, oldest first. */
    public List<Check> open() {
        return List.copyOf(open);
    }

    /** Removes and returns the oldest check that waits for an answer; fails if there is none. */
    public Check next() {
        if (open.isEmpty()) {
            throw new AssertionError("no check is running");
        }
        return open.remove(0);
    }
}
