package io.ballast.dns.secondary;

import io.ballast.dns.testing.partner.Nsd;
import org.junit.jupiter.api.Test;

/** Tests NSD as a primary. */
class NsdPrimaryTest extends PrimaryPartnerTest {

    NsdPrimaryTest() {
        super(new Nsd());
    }

    @Test
    void transfersZoneOverTls() throws Exception {
        followsOverTls();
    }
}
