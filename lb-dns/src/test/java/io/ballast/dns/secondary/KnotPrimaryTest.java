package io.ballast.dns.secondary;

import io.ballast.dns.testing.partner.Knot;

/** Knot DNS as a primary of ours. */
class KnotPrimaryTest extends PrimaryPartnerTest {

    KnotPrimaryTest() {
        super(new Knot());
    }
}
