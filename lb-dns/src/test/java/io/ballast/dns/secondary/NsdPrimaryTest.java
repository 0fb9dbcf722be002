package io.ballast.dns.secondary;

import io.ballast.dns.testing.partner.Nsd;
import org.junit.jupiter.api.Test;

/** NSD as a primary of ours. */
class NsdPrimaryTest extends PrimaryPartnerTest {

    NsdPrimaryTest() {
        super(new Nsd());
    }

    @Test
    void zoneComesOverTls() throws Exception {
        followsOverTls();
    }
}
