package io.ballast.dns.secondary;

import io.ballast.dns.testing.partner.Named;
import org.junit.jupiter.api.Test;

/** Tests BIND as a primary. */
class NamedPrimaryTest extends PrimaryPartnerTest {

    NamedPrimaryTest() {
        super(new Named());
    }

    @Test
    void transfersZoneOverTls() throws Exception {
        followsOverTls();
    }
}
