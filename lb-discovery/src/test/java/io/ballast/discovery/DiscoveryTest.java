package io.ballast.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests how results and failures of sources are reported and activated. */
class DiscoveryTest extends DiscoverySetup {

    @Test
    void firstResultIsActivatedImmediately() {
        source("app").found("10.0.0.1", "10.0.0.2");
        scheduler.advance(Duration.ofMillis(20));

        assertThat(applied).containsExactly(List.of("10.0.0.1:80", "10.0.0.2:80"));
        assertThat(texts()).containsExactly("web 2 backends joined (dns app)");
    }

    @Test
    void changesWithinOneSecondAreActivatedTogether() {
        source("app").found("10.0.0.1");
        scheduler.advance(Duration.ofMillis(20));
        for (int i = 2; i < 12; i++) {
            source("app").found("10.0.0.1", "10.0.0." + i);
            source("more").found("10.0.1.2");
            scheduler.advance(Duration.ofMillis(50));
        }
        assertThat(applied).hasSize(1);

        scheduler.advance(SECOND);

        assertThat(applied).hasSize(2).last().isEqualTo(List.of("10.0.0.11:80", "10.0.0.1:80", "10.0.1.2:80"));
    }

    @Test
    void unchangedSetIsNoChange() {
        source("app").found("10.0.0.1", "10.0.0.2");
        scheduler.advance(SECOND);
        source("app").found("10.0.0.2", "10.0.0.1");
        scheduler.advance(SECOND.multipliedBy(10));

        assertThat(applied).hasSize(1);
    }

    @Test
    void failureIsReportedOnceAndKeepsBackends() {
        source("app").found("10.0.0.1");
        scheduler.advance(SECOND);
        source("app").failed("connection refused");
        source("app").failed("connection refused");
        source("more").failed("no such name");
        scheduler.advance(SECOND);
        source("app").found("10.0.0.1");
        scheduler.advance(SECOND);

        assertThat(applied).hasSize(1);
        assertThat(texts())
                .containsExactly(
                        "web 1 backend joined (dns app)",
                        "web dns app: connection refused; the last discovered backends stay in use",
                        "web dns more: no such name; no backends have been discovered yet",
                        "web dns app: responds again");
        assertThat(discovery().stats())
                .extracting(each -> each.source() + " " + each.backends() + " " + each.failures())
                .containsExactly("dns app 1 2", "dns more 0 1");
        assertThat(discovery().stats().get(0).lastSuccess())
                .contains(scheduler.clock().instant().minus(SECOND));
        assertThat(discovery().stats().get(1).lastSuccess()).isEmpty();
    }

    @Test
    void newFailureReasonIsReportedOncePerMinute() {
        source("app").failed("connection refused");
        scheduler.advance(SECOND);
        source("app").failed("no such name");
        scheduler.advance(Duration.ofMinutes(1));
        source("app").failed("no such name");
        scheduler.advance(SECOND);
        source("app").failed("no such name");
        scheduler.advance(Duration.ofMinutes(2));

        assertThat(texts())
                .containsExactly(
                        "web dns app: connection refused; no backends have been discovered yet",
                        "web dns app: no such name; no backends have been discovered yet");
    }

    @Test
    void confirmationAdvancesLastSuccess() {
        source("app").found("10.0.0.1");
        scheduler.advance(Duration.ofMinutes(5));
        source("app").confirmed();
        scheduler.advance(SECOND);
        assertThat(discovery().stats().get(0).lastSuccess())
                .hasValueSatisfying(time ->
                        assertThat(time).isAfter(scheduler.clock().instant().minus(SECOND.multipliedBy(2))));
        assertThat(applied).hasSize(1);

        source("app").failed("connection refused");
        scheduler.advance(Duration.ofMinutes(5));
        source("app").confirmed();
        scheduler.advance(SECOND);
        assertThat(discovery().stats().get(0).lastSuccess())
                .as("of a source that fails")
                .hasValueSatisfying(time ->
                        assertThat(time).isBefore(scheduler.clock().instant().minus(Duration.ofMinutes(4))));
    }

    @Test
    void massRemovalIsDelayed() {
        source("app").found("10.0.0.1", "10.0.0.2", "10.0.0.3");
        scheduler.advance(SECOND);
        source("app").found("10.0.0.3");
        scheduler.advance(Duration.ofSeconds(29));
        assertThat(applied).hasSize(1);

        scheduler.advance(Duration.ofSeconds(2));

        assertThat(applied).hasSize(2).last().isEqualTo(List.of("10.0.0.3:80"));
        assertThat(texts()).last().isEqualTo("web 2 backends left (dns app)");
    }

    @Test
    void massRemovalIsDelayedWhileSourceFails() {
        source("app").found("10.0.0.1", "10.0.0.2", "10.0.0.3");
        scheduler.advance(SECOND);
        source("app").found("10.0.0.3");
        source("app").failed("reset");
        scheduler.advance(Duration.ofMinutes(5));
        assertThat(applied).hasSize(1);

        source("app").found("10.0.0.3");
        scheduler.advance(SECOND);

        assertThat(applied).hasSize(2).last().isEqualTo(List.of("10.0.0.3:80"));
    }

    @Test
    void rejectedAddressesAreReportedOnce() {
        source("app").found("127.0.0.1", "10.0.0.1");
        source("app").found("127.0.0.1", "10.0.0.1");
        scheduler.advance(SECOND);

        assertThat(applied).containsExactly(List.of("10.0.0.1:80"));
        assertThat(texts())
                .filteredOn(text -> text.contains("ignored backends: "))
                .hasSize(1);
    }

    @Test
    void sourceMessagesAreShortenedToOneLine() {
        source("app").failed("status 500:\n2026 level=ERROR" + "x".repeat(1 << 20));

        assertThat(texts()).singleElement().asString().doesNotContain("\n").hasSizeLessThan(400);
    }
}
