package io.ballast.dns.testing.partner;

import java.io.IOException;

/** A name server of another house that knows catalog zones (RFC 9432). Immutable. */
public interface CatalogPartner extends Partner {

    /** The group whose zones are signed by who reads the catalog. */
    String GROUP = "signed";

    /** Whether it serves zones as their group says. */
    boolean knowsGroups();

    /** The configuration of a secondary of ours for a catalog and for the zones that it names; it signs those of {@link #GROUP}. */
    String catalogConsumer(Peering peering, String catalog);

    /**
     * The configuration of a primary of ours for zones, from their files, and for a catalog that names them, which may be
     * written; all zones but the first are in {@link #GROUP}.
     */
    String catalogProducer(Peering peering, String catalog, String... zones) throws IOException;
}
