package io.ballast.dns.secondary;

import io.ballast.dns.testing.partner.Knot;

/** Tests Knot DNS as a primary. */
class KnotPrimaryTest extends PrimaryPartnerTest {

    KnotPrimaryTest() {
        super(new Knot());
    }
}
