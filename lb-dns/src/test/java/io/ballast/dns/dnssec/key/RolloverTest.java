package io.ballast.dns.dnssec.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.dnssec.key.Rollover.Step;
import io.ballast.dns.testing.ManualClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RolloverTest {

    private static final DnssecConfig CONFIG = DnssecConfig.DEFAULT;

    private final ManualClock clock = new ManualClock(Instant.parse("2026-11-21T09:30:00.5Z"));

    @TempDir
    private Path dataDir;

    private KeyDirectory directory;
    private Rollover rollover;
    private SigningKey old;

    @BeforeEach
    void sign() throws IOException {
        directory = new KeyDirectory(dataDir, "example.com");
        rollover = new Rollover(directory, CONFIG, clock);
        old = ZoneKeySet.loadOrCreate(clock.instant(), directory, KeyAlgorithm.ECDSAP256SHA256)
                .active();
        clock.advance(Duration.ofDays(30));
    }

    @Test
    void publishesBothKeysDuringRollover() throws IOException {
        assertThat(rollover.next().step()).isEqualTo(Step.START);

        int next = rollover.start().key().tag();
        assertKeys(old.tag(), old.tag(), next);

        rollover.recordDsPublished();
        assertKeys(old.tag(), old.tag(), next);

        clock.advance(CONFIG.parentDsTtl());
        assertThat(rollover.advance(/* force= */ false)).isEqualTo(Step.ACTIVATE);
        assertKeys(next, old.tag(), next);

        clock.advance(CONFIG.maxTtl());
        assertThat(rollover.advance(/* force= */ false)).isEqualTo(Step.REMOVE);
        assertKeys(next, next);
        assertThat(rollover.next().step()).isEqualTo(Step.START);
        assertThat(directory.load().get(0).state(clock.instant())).isEqualTo(KeyState.REMOVED);
    }

    private void assertKeys(int active, Integer... visible) throws IOException {
        ZoneKeySet keys = ZoneKeySet.loadAt(clock.instant(), directory);
        assertThat(keys.active().tag()).isEqualTo(active);
        assertThat(keys.visible().stream().map(SigningKey::tag)).containsExactly(visible);
    }

    @Test
    void newKeySignsAfterCachesKnowIt() throws IOException {
        DnssecConfig quickParent = new DnssecConfig(
                CONFIG.algorithm(),
                CONFIG.denial(),
                CONFIG.validity(),
                CONFIG.keyTtl(),
                Duration.ofSeconds(1),
                CONFIG.maxTtl());
        Rollover quick = new Rollover(directory, quickParent, clock);
        quick.start();
        quick.recordDsPublished();
        clock.advance(CONFIG.keyTtl().minusSeconds(5));

        assertThatThrownBy(() -> quick.advance(/* force= */ false))
                .isInstanceOf(RolloverException.class)
                .hasMessageContaining("too early");
        clock.advance(Duration.ofSeconds(5));
        assertThat(quick.advance(/* force= */ false)).isEqualTo(Step.ACTIVATE);
    }

    @Test
    void newKeySignsOnlyWithDs() throws IOException {
        rollover.start();
        clock.advance(Duration.ofDays(100));

        assertThatThrownBy(() -> rollover.advance(/* force= */ false))
                .hasMessageContaining("this is not the next step of the rollover; next: DS");
        assertThatThrownBy(() -> rollover.advance(/* force= */ true))
                .hasMessageContaining("this is not the next step of the rollover; next: DS");
        assertThat(ZoneKeySet.loadAt(clock.instant(), directory).active().tag()).isEqualTo(old.tag());
    }

    @Test
    void newKeySignsAfterOldDsExpired() throws IOException {
        rollover.start();
        rollover.recordDsPublished();
        clock.advance(CONFIG.parentDsTtl().minusSeconds(5));

        assertThatThrownBy(() -> rollover.advance(/* force= */ false)).hasMessageContaining("too early");
    }

    @Test
    void oldKeyStaysUntilItsSignaturesExpired() throws IOException {
        rollToNewKey();
        clock.advance(CONFIG.maxTtl().minusSeconds(5));

        assertThatThrownBy(() -> rollover.advance(/* force= */ false)).hasMessageContaining("too early");
    }

    @Test
    void stepCanBeForced() throws IOException {
        int next = rollover.start().key().tag();
        rollover.recordDsPublished();
        rollover.advance(/* force= */ true);
        rollover.advance(/* force= */ true);

        assertKeys(next, next);
    }

    @Test
    void allowsOneRolloverAtATime() throws IOException {
        rollover.start();

        assertThatThrownBy(rollover::start).hasMessageContaining("a rollover is already in progress");
    }

    @Test
    void advanceNeedsRollover() {
        assertThatThrownBy(() -> rollover.advance(/* force= */ false))
                .hasMessageContaining("this is not the next step of the rollover; next: START");
        assertThatThrownBy(() -> rollover.recordDsPublished()).hasMessageContaining("next: START");
    }

    @Test
    void interruptedActivationIsCompletedByRemoval() throws IOException {
        rollToNewKey();
        List<ManagedKey> keys = directory.load();
        directory.update(keys.get(0), KeyTimes.activeFrom(Instant.parse("2026-11-21T09:30:00Z")));
        int next = keys.get(1).key().tag();
        assertKeys(next, old.tag(), next);

        assertThat(rollover.next().step()).isEqualTo(Step.REMOVE);
        clock.advance(CONFIG.maxTtl());
        rollover.advance(/* force= */ false);

        assertKeys(next, next);
    }

    @Test
    void algorithmCannotChange() throws IOException {
        DnssecConfig other = new DnssecConfig(
                DnssecConfig.Algorithm.ED25519,
                CONFIG.denial(),
                CONFIG.validity(),
                CONFIG.keyTtl(),
                CONFIG.parentDsTtl(),
                CONFIG.maxTtl());

        assertThatThrownBy(() -> new Rollover(directory, other, clock).start())
                .hasMessageContaining("algorithm: ed25519 (expected: that of the active key, ECDSAP256SHA256");
    }

    private void rollToNewKey() throws IOException {
        rollover.start();
        rollover.recordDsPublished();
        clock.advance(CONFIG.parentDsTtl());
        rollover.advance(/* force= */ false);
    }
}
