package io.ballast.dns.testing.partner;

import java.nio.file.Path;
import java.util.List;

/**
 * Another vendor's name server, described by its configuration. It reloads configuration and zone files at SIGHUP, and
 * logs to its output. Immutable.
 */
public interface Partner {

    /** Name of its program. */
    String program();

    /** Returns the arguments to run it in the foreground. */
    List<String> arguments(Path config);

    /**
     * Returns its configuration as our secondary for these zones. It signs its queries, and uses TLS if the peering has
     * it.
     */
    String secondary(Peering peering, String... zones);

    /** Returns its configuration as our primary for these zones from files. It transfers them to signed queries. */
    String primary(Peering peering, String... zones);
}
