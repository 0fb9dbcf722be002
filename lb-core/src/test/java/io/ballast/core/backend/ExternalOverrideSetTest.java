package io.ballast.core.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ballast.core.backend.ExternalOverride.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExternalOverrideSetTest {

    /** Each override is "source:state", "source:weight" or "source:state/weight". */
    @ParameterizedTest
    @CsvSource({
        "'',                     none,  none, false",
        "a:up,                   a,     none, false",
        "a:drain,                a,     none, true",
        "a:down,                 a,     none, true",
        "a:up b:up,              a,     none, false",
        "a:up b:drain,           b,     none, true",
        "a:up b:down,            b,     none, true",
        "a:drain b:up,           a,     none, true",
        "a:drain b:down,         b,     none, true",
        "a:down b:up,            a,     none, true",
        "a:down b:drain,         a,     none, true",
        "a:down b:down,          a,     none, true",
        "a:up b:drain c:down,    c,     none, true",
        "a:5,                    none,  a,    false",
        "a:5 b:3,                none,  b,    false",
        "a:5 b:0,                none,  b,    true",
        "a:5 b:5,                none,  a,    false",
        "a:up b:0,               a,     b,    true",
        "a:up/7 b:drain/9,       b,     a,    true",
        "a:up/7 b:up/9 c:8,      a,     a,    false",
    })
    void downBeatsDrainBeatsUpAndTheLowestWeightApplies(String overrides, String state, String weight, boolean out) {
        ExternalOverrideSet set = set(overrides);

        assertThat(set.decidingState().map(ExternalOverride::source).orElse("none"))
                .isEqualTo(state);
        assertThat(set.decidingWeight().map(ExternalOverride::source).orElse("none"))
                .isEqualTo(weight);
        assertThat(set.isTakenOut()).isEqualTo(out);
    }

    /** Nodes may receive the same overrides in different orders, and must compute the same result. */
    @Test
    void theResultDoesNotDependOnTheOrder() {
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 200; round++) {
            ExternalOverrideSet forth = ExternalOverrideSet.EMPTY;
            ExternalOverrideSet back = ExternalOverrideSet.EMPTY;
            String[] each = new String[6];
            for (int i = 0; i < each.length; i++) {
                State state = State.values()[random.nextInt(3)];
                each[i] = (char) ('a' + i) + ":" + state.label() + "/" + random.nextInt(4);
            }
            for (int i = 0; i < each.length; i++) {
                forth = forth.with(override(each[i]));
                back = back.with(override(each[each.length - 1 - i]));
            }

            assertThat(forth).isEqualTo(back);
            assertThat(forth.decidingState()).isEqualTo(back.decidingState());
            assertThat(forth.decidingWeight()).isEqualTo(back.decidingWeight());
        }
    }

    @Test
    void aSourceReplacesOnlyItsOwnOverride() {
        ExternalOverrideSet set = set("a:down b:drain").with(override("a:up"));

        assertThat(set.all()).hasSize(2);
        assertThat(set.decidingState()).contains(override("b:drain"));
        assertThat(set.without("b").decidingState()).contains(override("a:up"));
        assertThat(set.without("a").without("b")).isEqualTo(ExternalOverrideSet.EMPTY);
        assertThat(set.without("c")).isEqualTo(set);
    }

    @Test
    void theOldestOfEqualOverridesIsNamed() {
        ExternalOverride younger = override("a:down");
        ExternalOverride older = override("b:down").withSince(Instant.EPOCH.minusSeconds(1));

        assertThat(set("").with(younger).with(older).decidingState()).contains(older);
    }

    @Test
    void aRenewalDiffersOnlyInItsTimes() {
        ExternalOverride override = override("a:down");
        ExternalOverride later = override.withSince(Instant.EPOCH.plusSeconds(60));

        assertThat(later.isRenewalOf(override)).isTrue();
        assertThat(override("a:drain").isRenewalOf(override)).isFalse();
        assertThat(override("a:down/0").isRenewalOf(override)).isFalse();
        assertThat(override("b:down").isRenewalOf(override)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:", "a:1001", ":up", "a\u202e:up"})
    void invalidOverridesAreRejected(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> override(text));
    }

    private static ExternalOverrideSet set(String overrides) {
        ExternalOverrideSet set = ExternalOverrideSet.EMPTY;
        for (String each : overrides.split(" ")) {
            set = each.isEmpty() ? set : set.with(override(each));
        }
        return set;
    }

    private static ExternalOverride override(String text) {
        String[] parts = text.split("[:/]");
        Optional<State> state = Stream.of(parts)
                .skip(1)
                .filter(part -> part.matches("[a-z]+"))
                .map(State::of)
                .findFirst();
        OptionalInt weight = Stream.of(parts)
                .skip(1)
                .filter(part -> part.matches("[0-9]+"))
                .mapToInt(Integer::parseInt)
                .findFirst();
        Instant now = Instant.EPOCH;
        return new ExternalOverride(
                "web", "10.0.0.1:80", parts[0], state, weight, "", now, now, now.plus(Duration.ofMinutes(5)));
    }
}
