package io.ballast.dns.testing.partner;

import java.io.IOException;

/** Another vendor's name server that supports catalog zones (RFC 9432). Immutable. */
public interface CatalogPartner extends Partner {

    /** The group whose zones the consumer of the catalog signs. */
    String GROUP = "signed";

    /** Whether this server serves zones by their group. */
    boolean knowsGroups();

    /**
     * Returns the configuration of this server as our secondary for a catalog and its member zones. The server
     * signs the zones of {@link #GROUP}.
     */
    String catalogConsumer(Peering peering, String catalog);

    /**
     * Returns the configuration of this server as our primary for zones from files and for a catalog. The method
     * may write the catalog file. All zones except the first are in {@link #GROUP}.
     */
    String catalogProducer(Peering peering, String catalog, String... zones) throws IOException;
}
