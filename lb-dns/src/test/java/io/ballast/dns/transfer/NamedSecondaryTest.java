package io.ballast.dns.transfer;

import io.ballast.dns.testing.partner.Named;
import org.junit.jupiter.api.Test;

/** Tests BIND as a secondary. */
class NamedSecondaryTest extends SecondaryPartnerTest {

    NamedSecondaryTest() {
        super(new Named());
    }

    @Test
    void transfersZoneOverTls() throws Exception {
        followsOverTls();
    }
}
