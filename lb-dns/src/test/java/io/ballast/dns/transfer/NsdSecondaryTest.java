package io.ballast.dns.transfer;

import io.ballast.dns.testing.partner.Nsd;
import org.junit.jupiter.api.Test;

/** Tests NSD as a secondary. */
class NsdSecondaryTest extends SecondaryPartnerTest {

    NsdSecondaryTest() {
        super(new Nsd());
    }

    @Test
    void transfersZoneOverTls() throws Exception {
        followsOverTls();
    }
}
