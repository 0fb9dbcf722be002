package io.ballast.dns.testing.partner;

import java.io.IOException;

/** A name server of another house that knows catalog zones (RFC 9432). Immutable. */
public interface CatalogPartner extends Partner {

    /** The configuration of a secondary of ours for a catalog and for the zones that it names. */
    String catalogConsumer(Peering peering, String catalog);

    /** The configuration of a primary of ours for zones, from their files, and for a catalog that names them, which may be written. */
    String catalogProducer(Peering peering, String catalog, String... zones) throws IOException;
}
