package io.ballast.replication.key;

import io.ballast.core.ErrorText;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import io.ballast.dns.dnssec.key.KeyBundle;
import io.ballast.dns.dnssec.key.KeyDirectory;
import io.ballast.dns.dnssec.key.SharedKeyFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the keys of the cluster to the key files of this node, and reports replaced keys. A problem of a zone is
 * logged once, until it changes. Confined to one thread, which may block.
 */
final class ZoneKeyCopies {

    private static final Logger LOG = LoggerFactory.getLogger(ZoneKeyCopies.class);

    private final Map<String, String> problems = new HashMap<>();
    private final ControlPlane control;
    private final Path dataDir;

    ZoneKeyCopies(ControlPlane control, Path dataDir) {
        this.control = control;
        this.dataDir = dataDir;
    }

    KeyDirectory directory(String zone) {
        return new KeyDirectory(dataDir, zone);
    }

    /** Makes the key files equal to the keys of the cluster. Returns whether this succeeded. */
    boolean install(String zone, KeyBundle keys) {
        SharedKeyFiles files = new SharedKeyFiles(directory(zone));
        try {
            if (!files.has(keys)) {
                Optional<Path> moved = files.install(keys, control.clock().instant());
                LOG.info(
                        "cluster=keys_received zone={} files={}",
                        zone,
                        keys.files().keySet());
                moved.ifPresent(directory -> reportMoved(zone, directory));
            }
            problems.remove(zone);
            return true;
        } catch (IOException | IllegalArgumentException e) {
            report(zone, ErrorText.of(e));
            return false;
        }
    }

    private void reportMoved(String zone, Path directory) {
        LOG.warn(
                "cluster=keys_replaced zone={} moved_to={} reason=\"the cluster has other keys for this zone\"",
                zone,
                directory);
        control.execute(() -> control.timeline()
                .add(
                        Origin.CLUSTER,
                        zone,
                        "the cluster has other keys for this zone; those of this node were moved to " + directory));
    }

    /** Returns the valid key files of this node; empty if there are none, or they cannot be used. */
    Optional<KeyBundle> read(String zone) {
        try {
            return Optional.of(
                    new SharedKeyFiles(directory(zone)).read(control.clock().instant()));
        } catch (IOException | IllegalArgumentException e) {
            report(zone, ErrorText.of(e));
            return Optional.empty();
        }
    }

    void report(String zone, String problem) {
        if (!problem.equals(problems.put(zone, problem))) {
            LOG.error(
                    "cluster=keys_failed zone={} reason=\"{}\" effect=\"this node continues to use its last keys\"",
                    zone,
                    problem);
        }
    }
}
