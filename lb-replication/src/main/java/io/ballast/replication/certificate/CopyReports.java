package io.ballast.replication.certificate;

import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records in the log and the timeline which certificates and accounts a node has received from the cluster. A problem
 * is reported once, until it changes. Confined to one thread.
 */
final class CopyReports {

    private static final Logger LOG = LoggerFactory.getLogger(CopyReports.class);
    private static final int MAX_PROBLEMS = 20_000;

    private final Map<String, String> problems = new HashMap<>();
    private final ControlPlane control;

    CopyReports(ControlPlane control) {
        this.control = control;
    }

    /** @param isConfigured whether the timeline has an event too; there may be thousands of certificates on demand */
    void received(String name, String issuer, Instant notAfter, boolean isConfigured) {
        LOG.info("cluster=certificate_received name={} issuer={} not_after={}", name, issuer, notAfter);
        if (isConfigured) {
            event(
                    "certificate " + name,
                    "issued by " + issuer + ", and received from the cluster; expires at " + notAfter);
        }
    }

    void revoked(String name, String issuer, boolean isDeleted) {
        LOG.info("cluster=certificate_revoked name={} issuer={} deleted={}", name, issuer, isDeleted);
        event(
                "certificate " + name,
                "revoked in the cluster"
                        + (isDeleted ? "; its files are deleted" : "; it is served until a new one is issued"));
    }

    void accountReplaced(String issuer, Path kept) {
        LOG.warn(
                "cluster=acme_account_replaced issuer={} kept_as={} reason=\"the cluster has another account\"",
                issuer,
                kept);
        event("ACME account " + issuer, "the cluster has another account; the key of this node is kept as " + kept);
    }

    private void event(String subject, String text) {
        control.execute(() -> control.timeline().add(Origin.CLUSTER, subject, text));
    }

    /** @param key the fact that cannot be used */
    void unreadable(String key) {
        problem(key, "it is encrypted with another key than cluster.secret_key, or has an unknown form");
    }

    void problem(String key, String reason) {
        if (problems.size() < MAX_PROBLEMS && !reason.equals(problems.put(key, reason))) {
            LOG.error(
                    "cluster=certificate_not_shared fact={} reason=\"{}\" effect=\"this node continues to use its own files\"",
                    key,
                    reason);
        }
    }

    void solved(String key) {
        problems.remove(key);
    }
}
