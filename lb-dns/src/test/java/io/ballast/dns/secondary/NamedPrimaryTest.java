package io.ballast.dns.secondary;

import io.ballast.dns.testing.partner.Named;
import org.junit.jupiter.api.Test;

/** BIND as a primary of ours. */
class NamedPrimaryTest extends PrimaryPartnerTest {

    NamedPrimaryTest() {
        super(new Named());
    }

    @Test
    void zoneComesOverTls() throws Exception {
        followsOverTls();
    }
}
