package io.ballast.dns.transfer;

import io.ballast.dns.testing.partner.Named;

/** BIND as a secondary of ours. */
class NamedSecondaryTest extends SecondaryPartnerTest {

    NamedSecondaryTest() {
        super(new Named());
    }
}
