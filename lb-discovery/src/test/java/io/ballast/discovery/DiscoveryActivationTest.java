package io.ballast.discovery;

import static io.ballast.discovery.DiscoveryFixture.config;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests the activation of discovered and edited backends: failures, retries, and changes that replace earlier changes.
 */
class DiscoveryActivationTest extends DiscoverySetup {

    @Test
    void failedActivationIsReportedOnceAndRetriedWithBackoff() {
        refusal = "no room";
        source("app").found("10.0.0.1");
        scheduler.advance(Duration.ofSeconds(95));

        assertThat(pauses()).containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L);
        assertThat(texts()).containsExactly("ballast cannot activate the discovered backends: no room");
        assertThat(discovery().isRefused()).isTrue();

        refusal = "no\nmemory";
        scheduler.advance(Duration.ofSeconds(30));
        assertThat(texts()).last().isEqualTo("ballast cannot activate the discovered backends: no memory");

        refusal = "";
        scheduler.advance(Duration.ofSeconds(30));
        assertThat(applied).containsExactly(List.of("10.0.0.1:80"));
        assertThat(texts()).hasSize(3).last().isEqualTo("web 1 backend joined (dns app)");
        assertThat(discovery().isRefused()).isFalse();
        int before = tries.size();
        scheduler.advance(Duration.ofMinutes(5));
        assertThat(tries).hasSize(before);
    }

    @Test
    void newChangeReplacesFailedActivationImmediately() {
        refusal = "no room";
        source("app").found("10.0.0.1");
        scheduler.advance(Duration.ofSeconds(40));
        tries.clear();

        source("app").found("10.0.0.1", "10.0.0.2");
        scheduler.advance(Duration.ofMillis(20));
        assertThat(tries).hasSize(1);

        scheduler.advance(SECOND);
        assertThat(pauses()).containsExactly(1L);
        refusal = "";
        scheduler.advance(SECOND.multipliedBy(2));
        assertThat(applied).containsExactly(List.of("10.0.0.1:80", "10.0.0.2:80"));
    }

    @Test
    void withdrawnChangeIsNotRetried() {
        source("app").found("10.0.0.1");
        scheduler.advance(SECOND);
        refusal = "no room";
        source("app").found("10.0.0.1", "10.0.0.2");
        scheduler.advance(SECOND);
        int before = tries.size();

        source("app").found("10.0.0.1");
        scheduler.advance(Duration.ofMinutes(5));

        assertThat(tries).hasSize(before);
    }

    @Test
    void failedEditIsReportedAndNotRetried() {
        refusal = "no room";

        assertThat(add("10.0.0.7")).isCompletedWithValue("no room");
        scheduler.advance(Duration.ofMinutes(5));

        assertThat(tries).hasSize(1);
        assertThat(texts()).isEmpty();
    }

    @Test
    void sourceResultSurvivesFailedEdit() {
        refusal = "no room";
        source("app").found("10.0.0.1");
        assertThat(add("10.0.0.7")).isCompletedWithValue("no room");

        refusal = "";
        scheduler.advance(SECOND);

        assertThat(addresses(active)).containsExactly("10.0.0.1:80");
    }

    @Test
    void reloadWithUnchangedEditsActivatesNothing() {
        assertThat(add("10.0.0.7")).isCompletedWithValue("");
        assertThat(tries).hasSize(1);

        discovery().follow(config);
        scheduler.advance(Duration.ofMinutes(1));

        assertThat(tries).hasSize(1);
    }

    /** Returns the pauses between tries, in seconds. */
    private List<Long> pauses() {
        List<Long> pauses = new ArrayList<>();
        for (int i = 1; i < tries.size(); i++) {
            pauses.add(tries.get(i).minus(tries.get(i - 1)).toSeconds());
        }
        return pauses;
    }
}
