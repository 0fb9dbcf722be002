package io.ballast.policy.cache.rule;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TargetedFieldTest {

    @Test
    void readsIntegersAndBooleans() {
        CacheDirectives directives = requireNonNull(TargetedField.parse(
                List.of("foo, max-age=60;a=1;b, must-revalidate", "no-store=?0, private=?1, max-age=70")));

        assertThat(directives.seconds(CacheDirective.MAX_AGE)).isEqualTo(70);
        assertThat(directives.has(CacheDirective.MUST_REVALIDATE)).isTrue();
        assertThat(directives.has(CacheDirective.PRIVATE)).isTrue();
        assertThat(directives.has(CacheDirective.NO_STORE)).isFalse();
    }

    @Test
    void limitsSeconds() {
        assertThat(requireNonNull(TargetedField.parse(List.of("max-age=99999999999")))
                        .seconds(CacheDirective.MAX_AGE))
                .isEqualTo(CacheDirectives.MAX_SECONDS);
        assertThat(requireNonNull(TargetedField.parse(List.of("max-age=-1"))).seconds(CacheDirective.MAX_AGE))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "max-age=60, &&&&&",
                "max-age=60,",
                ",max-age=60",
                "max-age=60 private",
                "Max-Age=60",
                "max-age=",
                "max-age=1-",
                "max-age=1234567890123456",
                "max-age=\"60",
                "max-age=?2",
                "max-age=60;",
                "max-age=60;a=",
                // well-formed, but without a known directive of the right type
                "max-age=\"60\"",
                "max-age=60.0",
                "max-age",
                "no-store=1",
                "foo=bar"
            })
    void ignoresOtherFields(String value) {
        assertThat(TargetedField.parse(List.of(value))).isNull();
    }
}
