package io.ballast.dns.secondary;

import io.ballast.dns.testing.partner.Named;

/** Catalog zones between BIND and us. */
class NamedCatalogTest extends CatalogPartnerTest {

    NamedCatalogTest() {
        super(new Named());
    }
}
