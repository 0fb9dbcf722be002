package io.ballast.acme.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ballast.acme.order.RenewalWindow;
import io.ballast.acme.testing.TestCertificates;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the times of renewals of a certificate with a lifetime of 90 days. */
class RenewalTimeTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final X509Certificate CERTIFICATE = TestCertificates.create(
                    "shop.example.com", START, Duration.ofDays(90))
            .certificate();

    private static Instant hours(int afterStart) {
        return START.plus(Duration.ofHours(afterStart));
    }

    @ParameterizedTest
    @CsvSource({"0, 1440", "0.5, 1386", "1, 1332"})
    void renewalIsUpToFivePercentBeforeTwoThirds(double random, int hours) {
        assertThat(RenewalTime.of(CERTIFICATE, random)).isCloseTo(hours(hours), within(1, ChronoUnit.SECONDS));
    }

    @ParameterizedTest
    @CsvSource({"240, 480, 0, 240", "240, 480, 0.5, 360", "240, 480, 1, 480", "2000, 2100, 0, 1944"})
    void suggestedTimeIsInTheWindowAndBeforeNineTenths(int from, int to, double random, int hours) {
        RenewalWindow window = new RenewalWindow(hours(from), hours(to), Optional.empty());

        assertThat(RenewalTime.within(window, CERTIFICATE, random))
                .isCloseTo(hours(hours), within(1, ChronoUnit.SECONDS));
    }
}
