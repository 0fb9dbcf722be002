package io.ballast.replication;

import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns before the certificate of this node expires: 30 days before, 7 days before, and when it expires. Each warning
 * is given once for a certificate. Confined to one thread, which may block.
 */
final class NodeCertificateWatch {

    /** The times before the expiry at which warnings are given, the longest time first. */
    static final List<Duration> WARNINGS = List.of(Duration.ofDays(30), Duration.ofDays(7), Duration.ZERO);

    private static final Logger LOG = LoggerFactory.getLogger(NodeCertificateWatch.class);

    private final String node;
    private final Supplier<Instant> end;
    private final Consumer<Instant> publish;
    private final ControlPlane control;
    private Instant known = Instant.MIN;
    private int given;

    /**
     * @param node the name of this node
     * @param end reads the expiry time of the certificate
     * @param publish sends a new expiry time to the other nodes
     */
    NodeCertificateWatch(String node, Supplier<Instant> end, Consumer<Instant> publish, ControlPlane control) {
        this.node = node;
        this.end = end;
        this.publish = publish;
        this.control = control;
    }

    /** Reads the certificate, if it has changed, and gives a warning if one is due. */
    void check() {
        Instant now = control.clock().instant();
        Instant current = end.get();
        if (!current.equals(known)) {
            known = current;
            given = 0;
            publish.accept(current);
        }
        Duration left = Duration.between(now, current);
        int due = (int)
                WARNINGS.stream().filter(before -> left.compareTo(before) <= 0).count();
        if (due > given) {
            given = due;
            warn(left, current);
        }
    }

    private void warn(Duration left, Instant current) {
        boolean hasEnded = left.compareTo(Duration.ZERO) <= 0;
        LOG.warn(
                "cluster=certificate_{} node={} end={} action=\"issue a new one with lb cluster cert\"",
                hasEnded ? "ended" : "ends",
                node,
                current);
        String text = hasEnded
                ? "the certificate ended at " + current + "; new connections to other nodes fail"
                : "the certificate ends in " + left.toDays() + " days, at " + current;
        control.execute(
                () -> control.timeline().add(Origin.CLUSTER, node, text + ": issue a new one with lb cluster cert"));
    }
}
