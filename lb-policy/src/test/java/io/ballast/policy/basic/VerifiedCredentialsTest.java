package io.ballast.policy.basic;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.policy.identity.KnownIdentity;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VerifiedCredentialsTest {

    private static final KnownIdentity ALICE = new KnownIdentity("alice", Optional.empty());
    private static final KnownIdentity BOB = new KnownIdentity("bob", Optional.empty());

    private final VerifiedCredentials table = new VerifiedCredentials(/* lifetimeNanos= */ 1000);

    @Test
    void findsCredentialsUntilTheyExpire() {
        table.add(new CredentialsDigest(1, 2), ALICE, /* now= */ Long.MAX_VALUE);

        assertThat(table.find(1, 2, Long.MAX_VALUE + 999)).isSameAs(ALICE);
        assertThat(table.find(1, 2, Long.MAX_VALUE + 1000)).isNull();
        assertThat(table.find(1, 3, Long.MAX_VALUE)).isNull();
        assertThat(table.find(2, 2, Long.MAX_VALUE)).isNull();
    }

    @Test
    void newEntryReplacesTheOldestOfItsSet() {
        for (int i = 0; i < 5; i++) {
            table.add(new CredentialsDigest(i, 0), ALICE, /* now= */ i);
        }

        assertThat(table.find(0, 0, 5)).isNull();
        for (int i = 1; i < 5; i++) {
            assertThat(table.find(i, 0, 5)).isSameAs(ALICE);
        }
    }

    @Test
    void repeatedVerificationRenewsTheEntry() {
        table.add(new CredentialsDigest(1, 2), ALICE, /* now= */ 0);
        table.add(new CredentialsDigest(1, 2), BOB, /* now= */ 900);

        assertThat(table.find(1, 2, 1500)).isSameAs(BOB);
        for (int i = 2; i < 5; i++) {
            table.add(new CredentialsDigest(i, 2), ALICE, /* now= */ 1000);
        }
        assertThat(table.find(1, 2, 1500)).isSameAs(BOB); // the second entry replaced the first one
    }
}
