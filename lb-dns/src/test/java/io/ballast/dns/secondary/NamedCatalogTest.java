package io.ballast.dns.secondary;

import io.ballast.dns.testing.partner.Named;

/** Tests catalog zones with BIND. */
class NamedCatalogTest extends CatalogPartnerTest {

    NamedCatalogTest() {
        super(new Named());
    }
}
