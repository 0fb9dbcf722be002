package io.ballast.dns.secondary;

import io.ballast.dns.testing.partner.Knot;

/** Catalog zones between Knot DNS and us. */
class KnotCatalogTest extends CatalogPartnerTest {

    KnotCatalogTest() {
        super(new Knot());
    }
}
