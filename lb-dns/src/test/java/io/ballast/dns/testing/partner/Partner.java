package io.ballast.dns.testing.partner;

import java.nio.file.Path;
import java.util.List;

/**
 * A name server of another house, by what its configuration looks like. It reads configuration and zone files again at SIGHUP, and logs
 * to its output. Immutable.
 */
public interface Partner {

    /** The name of its program. */
    String program();

    /** How the program is run, in the foreground. */
    List<String> arguments(Path config);

    /** The configuration of a secondary of ours for these zones; what it asks is signed, and goes over TLS if the peering has it. */
    String secondary(Peering peering, String... zones);

    /** The configuration of a primary of ours for these zones, from their files; it gives them to those that sign. */
    String primary(Peering peering, String... zones);
}
