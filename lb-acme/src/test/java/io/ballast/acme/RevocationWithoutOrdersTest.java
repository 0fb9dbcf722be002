package io.ballast.acme;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.acme.challenge.ChallengeResponder;
import io.ballast.acme.challenge.ChallengeResponse;
import io.ballast.acme.config.AcmeChallenge;
import io.ballast.acme.config.AcmeConfig;
import io.ballast.acme.order.RevocationCode;
import io.ballast.acme.schedule.FailedOrder;
import io.ballast.acme.schedule.RenewalListener;
import io.ballast.acme.schedule.Revocation;
import io.ballast.core.control.UnavailableException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests revocations in a process that orders no certificates. */
class RevocationWithoutOrdersTest {

    private static final Revocation REVOCATION = new Revocation(RevocationCode.UNSPECIFIED, "ann");

    @TempDir
    private Path dataDir;

    private Certificates certificates;

    @BeforeEach
    void create() {
        certificates = new Certificates(dataDir, InstantSource.system(), new NoChallenges(), new NoEvents());
    }

    @AfterEach
    void close() {
        certificates.close();
    }

    @Test
    void withoutAcmeNoCertificateIsFound() {
        assertThat(certificates.revoke("shop.example.com", REVOCATION))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(NoSuchElementException.class);
    }

    @Test
    void processThatDoesNotOwnTheDirectoryIsUnavailable() {
        AcmeConfig config = AcmeConfig.of(URI.create("https://ca.example/dir"), AcmeChallenge.HTTP_01);
        certificates.follow(Optional.of(config), Map.of());

        assertThat(certificates.revoke("shop.example.com", REVOCATION))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(UnavailableException.class);
    }

    private static final class NoChallenges implements ChallengeResponder {

        @Override
        public void publish(ChallengeResponse response) {}

        @Override
        public void withdraw(ChallengeResponse response) {}
    }

    private static final class NoEvents implements RenewalListener {

        @Override
        public void issued(String name, String issuer, Instant notAfter) {}

        @Override
        public void failed(String name, FailedOrder failure) {}

        @Override
        public void revoked(String name, Revocation revocation, boolean isReplaced) {}
    }
}
