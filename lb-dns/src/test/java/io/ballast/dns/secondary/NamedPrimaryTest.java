package io.ballast.dns.secondary;

import io.ballast.dns.testing.partner.Named;

/** BIND as a primary of ours. */
class NamedPrimaryTest extends PrimaryPartnerTest {

    NamedPrimaryTest() {
        super(new Named());
    }
}
