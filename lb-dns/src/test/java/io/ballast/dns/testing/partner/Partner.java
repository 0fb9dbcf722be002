package io.ballast.dns.testing.partner;

import java.nio.file.Path;
import java.util.List;

/**
 * Another vendor's name server, described by its configuration. It reloads configuration and zone files at SIGHUP, and
 * logs to its output. Immutable.
 */
public interface Partner {

    /** Name of the server program. */
    String program();

    /** Returns the arguments that run the program in the foreground. */
    List<String> arguments(Path config);

    /**
     * Returns the configuration of this server as our secondary for these zones. The server signs its queries,
     * and uses TLS if the peering has it.
     */
    String secondary(Peering peering, String... zones);

    /**
     * Returns the configuration of this server as our primary for these zones from files. The server transfers
     * the zones to signed queries.
     */
    String primary(Peering peering, String... zones);
}
