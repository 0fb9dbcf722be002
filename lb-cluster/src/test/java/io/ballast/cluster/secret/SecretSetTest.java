package io.ballast.cluster.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SecretSetTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final Random random = new Random(1);
    private final SecretSet first = SecretSet.first(SecretKind.STICKY, random, NOW);

    @Test
    void theFirstSecretIsInUseAtOnce() {
        assertThat(first.inUse(NOW)).singleElement().asString().matches("[0-9a-f]{64}");
        assertThat(first.age(NOW.plusSeconds(5))).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void aNewSecretOnlyVerifiesAtFirst() {
        SecretSet second = first.next(SecretKind.STICKY, random, NOW);
        String older = first.inUse(NOW).get(0);
        Instant ready = NOW.plus(SecretSet.LEAD);

        assertThat(second.inUse(NOW)).hasSize(2).first().isEqualTo(older);
        assertThat(second.inUse(ready)).hasSize(2).last().isEqualTo(older);
        assertThat(second.inUse(ready)).containsExactlyInAnyOrderElementsOf(second.inUse(NOW));
        assertThat(second.age(NOW)).isNegative();
    }

    @Test
    void theOldestSecretIsDropped() {
        SecretSet set = first;
        for (int i = 0; i < 5; i++) {
            set = set.next(SecretKind.STICKY, random, NOW);
        }
        assertThat(set.secrets()).hasSize(SecretSet.MAX);
        assertThat(set.inUse(NOW)).doesNotContainAnyElementsOf(first.inUse(NOW));
    }

    @Test
    void beforeTheOldestSecretTheOldestIsInUse() {
        SecretSet second = first.next(SecretKind.STICKY, random, NOW);
        assertThat(second.inUse(NOW.minusSeconds(60)))
                .first()
                .isEqualTo(first.inUse(NOW).get(0));
    }

    @Test
    void aSetIsReadBack() {
        SecretSet second = first.next(SecretKind.STICKY, random, NOW);
        assertThat(SecretSet.decode(SecretKind.STICKY, second.encode())).isEqualTo(second);
        for (String other : List.of(
                "", "abc 1", second.encode() + second.encode(), second.encode().replace(' ', '-'))) {
            assertThatThrownBy(() -> SecretSet.decode(SecretKind.STICKY, other))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> SecretSet.decode(SecretKind.DNS_COOKIE, second.encode()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void secretsAreNotPrinted() {
        assertThat(first.toString()).doesNotContain(first.inUse(NOW).get(0));
    }
}
