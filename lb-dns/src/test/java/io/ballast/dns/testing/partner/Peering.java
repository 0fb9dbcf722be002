package io.ballast.dns.testing.partner;

import io.ballast.core.config.HostPort;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.TransferWorld;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Between whom zones go: a partner and us, both on loopback.
 *
 * @param directory of the partner's files
 * @param partner where it listens
 * @param ours where we listen
 * @param secret of the key {@link TransferWorld#KEY}, by which it signs
 * @param tls over which zones go, if so
 */
public record Peering(Path directory, HostPort partner, HostPort ours, String secret, Optional<Secured> tls) {

    /** With the secret that tests know. */
    public Peering(Path directory, HostPort partner, HostPort ours) {
        this(directory, partner, ours, TransferWorld.SECRET, Optional.empty());
    }

    public Peering withSecret(String other) {
        return new Peering(directory, partner, ours, other, tls);
    }

    /** The same over TLS. */
    public Peering withTls() throws IOException {
        Secured secured =
                new Secured(TestCertificate.forHosts(Secured.NAME).write(directory), Reload.free(), Reload.free());
        return new Peering(directory, partner, ours, secret, Optional.of(secured));
    }

    /** The file of a zone that a partner is the primary of. */
    public Path zoneFile(String zone) {
        return directory.resolve(zone + ".zone");
    }
}
