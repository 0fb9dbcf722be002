package io.ballast.dns.testing.partner;

import io.ballast.core.config.HostPort;
import io.ballast.dns.testing.TransferWorld;
import java.nio.file.Path;

/**
 * Between whom zones go: a partner and us, both on loopback.
 *
 * @param directory of the partner's files
 * @param partner where it listens
 * @param ours where we listen
 * @param secret of the key {@link TransferWorld#KEY}, by which it signs
 */
public record Peering(Path directory, HostPort partner, HostPort ours, String secret) {

    /** With the secret that tests know. */
    public Peering(Path directory, HostPort partner, HostPort ours) {
        this(directory, partner, ours, TransferWorld.SECRET);
    }

    public Peering withSecret(String other) {
        return new Peering(directory, partner, ours, other);
    }

    /** The file of a zone that a partner is the primary of. */
    public Path zoneFile(String zone) {
        return directory.resolve(zone + ".zone");
    }
}
