package io.ballast.dns.transfer;

import io.ballast.dns.testing.partner.Knot;

/** Tests Knot DNS as a secondary. */
class KnotSecondaryTest extends SecondaryPartnerTest {

    KnotSecondaryTest() {
        super(new Knot());
    }
}
