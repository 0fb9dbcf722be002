package io.ballast.dns.secondary;

import io.ballast.dns.testing.partner.Nsd;

/** NSD as a primary of ours. */
class NsdPrimaryTest extends PrimaryPartnerTest {

    NsdPrimaryTest() {
        super(new Nsd());
    }
}
