package io.ballast.policy.cache.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PreconditionsTest {

    private static final long NOW = Instant.parse("2026-11-29T12:00:00Z").toEpochMilli();
    private static final String MODIFIED_TEXT = "Wed, 25 Nov 2026 12:00:00 GMT";
    private static final long MODIFIED = Instant.parse("2026-11-25T12:00:00Z").toEpochMilli();

    private static boolean isNotModified(List<String> tags, @Nullable String since, String tag) {
        return Preconditions.isNotModified(tags, since, tag, MODIFIED, NOW);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"a\"|\"a\"|true",
                "W/\"a\"|\"a\"|true",
                "\"a\"|W/\"a\"|true",
                "\"b\", \"a,\" ,\"a\"|\"a\"|true",
                "*|\"a\"|true",
                "\"b\"|\"a\"|false",
                "a|\"a\"|false"
            })
    void comparesTagsWeakly(String listed, String stored, boolean expected) {
        assertThat(isNotModified(List.of(listed), null, stored)).isEqualTo(expected);
    }

    @Test
    void tagsTakePrecedenceOverDates() {
        assertThat(isNotModified(List.of("\"b\""), MODIFIED_TEXT, "\"a\"")).isFalse();
        assertThat(isNotModified(List.of("\"a\""), "Wed, 25 Nov 2020 12:00:00 GMT", "\"a\""))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Wed, 25 Nov 2026 12:00:00 GMT|true",
                "Wed, 25 Nov 2026 12:00:01 GMT|true",
                "Wednesday, 25-Nov-26 12:00:00 GMT|true",
                "Wed, 25 Nov 2026 11:59:59 GMT|false",
                "yesterday|false"
            })
    void comparesDates(String since, boolean expected) {
        assertThat(isNotModified(List.of(), since, "\"a\"")).isEqualTo(expected);
    }

    @Test
    void rangesNeedAStrongValidator() {
        assertThat(Preconditions.allowsRange("\"a\"", "\"a\"", "", NOW)).isTrue();
        assertThat(Preconditions.allowsRange("\"b\"", "\"a\"", "", NOW)).isFalse();
        assertThat(Preconditions.allowsRange("W/\"a\"", "W/\"a\"", "", NOW)).isFalse();
        assertThat(Preconditions.allowsRange(MODIFIED_TEXT, "", MODIFIED_TEXT, NOW))
                .isTrue();
        assertThat(Preconditions.allowsRange(MODIFIED_TEXT, "", MODIFIED_TEXT, MODIFIED))
                .isFalse();
        assertThat(Preconditions.allowsRange("Wed, 25 Nov 2026 11:00:00 GMT", "", MODIFIED_TEXT, NOW))
                .isFalse();
    }
}
