package io.ballast.dns.transfer;

import io.ballast.dns.testing.partner.Knot;

/** Knot DNS as a secondary of ours. */
class KnotSecondaryTest extends SecondaryPartnerTest {

    KnotSecondaryTest() {
        super(new Knot());
    }
}
