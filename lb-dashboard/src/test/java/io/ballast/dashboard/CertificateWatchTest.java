package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.Event;
import io.ballast.dashboard.source.CertificateStats;
import io.ballast.dashboard.testing.FakeListener;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CertificateWatchTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final ControlPlane control = ControlPlane.start(Clock.systemUTC());
    private final FakeListener listener = new FakeListener("front");
    private final CertificateWatch watch =
            new CertificateWatch(() -> Duration.ofDays(14), () -> List.of(listener), control);

    @AfterEach
    void stop() {
        control.close();
    }

    @Test
    void eachStageBeforeTheExpiryIsReportedOnce() throws Exception {
        expiresIn(Duration.ofDays(20));
        look(0);
        look(5);
        look(7);
        look(8);
        look(19);
        look(21);
        look(22);

        assertThat(events())
                .extracting(Event::subject, Event::text)
                .containsExactly(
                        tuple(
                                "listener front",
                                "certificate a.pem for shop.example expires in 13 days, at 2026-01-21T00:00:00Z"),
                        tuple(
                                "listener front",
                                "certificate a.pem for shop.example expires in 24 hours, at 2026-01-21T00:00:00Z"),
                        tuple(
                                "listener front",
                                "certificate a.pem for shop.example expired 24 hours ago, at 2026-01-21T00:00:00Z"));
    }

    @Test
    void aCertificateThatExpiresSoonAtStartIsReportedAtOnce() throws Exception {
        expiresIn(Duration.ofHours(5));
        look(0);

        assertThat(events()).extracting(Event::text).singleElement().asString().contains("expires in 5 hours");
    }

    @Test
    void aRenewalIsReportedAndLaterTheNextExpiry() throws Exception {
        expiresIn(Duration.ofDays(1));
        look(0);
        expiresIn(Duration.ofDays(90));
        look(0);
        look(80);

        assertThat(events())
                .extracting(Event::text)
                .hasSize(3)
                .element(1)
                .asString()
                .contains("was renewed");
    }

    private void expiresIn(Duration time) {
        listener.certificates(
                List.of(new CertificateStats("a.pem", List.of("shop.example"), "CN=Authority", START.plus(time))));
    }

    private void look(int day) {
        watch.checkCertificates(START.plus(Duration.ofDays(day)));
    }

    private List<Event> events() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        control.execute(done::countDown);
        assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
        return control.timeline().recent();
    }
}
