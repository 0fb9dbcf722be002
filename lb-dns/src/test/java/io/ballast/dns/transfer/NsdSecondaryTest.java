package io.ballast.dns.transfer;

import io.ballast.dns.testing.partner.Nsd;

/** NSD as a secondary of ours. */
class NsdSecondaryTest extends SecondaryPartnerTest {

    NsdSecondaryTest() {
        super(new Nsd());
    }
}
