package io.ballast.dns.secondary;

import io.ballast.dns.testing.partner.Knot;

/** Tests catalog zones with Knot DNS. */
class KnotCatalogTest extends CatalogPartnerTest {

    KnotCatalogTest() {
        super(new Knot());
    }
}
