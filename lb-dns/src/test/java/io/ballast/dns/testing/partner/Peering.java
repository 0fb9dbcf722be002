package io.ballast.dns.testing.partner;

import io.ballast.core.config.HostPort;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.TransferFixture;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A partner and our server, both on loopback. */
public record Peering(Path directory, HostPort partner, HostPort ballast, String secret, Optional<TlsPeering> tls) {

    /** Creates a peering without TLS that uses the common secret of the tests. */
    public Peering(Path directory, HostPort partner, HostPort ballast) {
        this(directory, partner, ballast, TransferFixture.SECRET, Optional.empty());
    }

    public Peering withSecret(String other) {
        return new Peering(directory, partner, ballast, other, tls);
    }

    /** Returns a copy with TLS. */
    public Peering withTls() throws IOException {
        TlsPeering secured = new TlsPeering(
                TestCertificate.forHosts(TlsPeering.NAME).write(directory), Reload.free(), Reload.free());
        return new Peering(directory, partner, ballast, secret, Optional.of(secured));
    }

    /** Returns the file of a zone of which the partner is the primary. */
    public Path zoneFile(String zone) {
        return directory.resolve(zone + ".zone");
    }
}
