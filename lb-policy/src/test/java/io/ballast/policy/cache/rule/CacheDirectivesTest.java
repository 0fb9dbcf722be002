package io.ballast.policy.cache.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CacheDirectivesTest {

    private static CacheDirectives parse(String... lines) {
        return CacheDirectives.parse(List.of(lines));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "max-age=60|60",
                "MaX-aGe=60|60",
                "max-age=0060|60",
                "max-age=\"60\"|60",
                "foo, max-age=60, bar=1|60",
                "max-age=99999999999999999999|2147483647",
                "max-age=60, max-age=60|60",
                // malformed or contradicting numbers make a response stale
                "max-age=60, max-age=61|0",
                "max-age|0",
                "max-age=|0",
                "max-age=-60|0",
                "max-age='60'|0",
                "max-age=60.5|0",
                "max-age= 60|0",
                // no directives of this name
                "max-age =60|-1",
                "extension=\"max-age=60\"|-1",
                "extension=\"a, max-age=60, b\"|-1",
                "extension=\"a\\\", max-age=60, b\"|-1",
                ",,|-1"
            })
    void readsMaxAge(String value, int seconds) {
        assertThat(parse(value).seconds(CacheDirective.MAX_AGE)).isEqualTo(seconds);
    }

    @Test
    void readsAllLines() {
        CacheDirectives directives = parse("max-age=60, No-Store", "", "s-maxage=5");

        assertThat(directives.has(CacheDirective.NO_STORE)).isTrue();
        assertThat(directives.seconds(CacheDirective.S_MAXAGE)).isEqualTo(5);
        assertThat(directives.has(CacheDirective.PUBLIC)).isFalse();
    }

    @Test
    void directivesWithFieldNamesCountAsWithout() {
        assertThat(parse("private=\"set-cookie\"").has(CacheDirective.PRIVATE)).isTrue();
        assertThat(parse("no-cache=\"a, b\"").has(CacheDirective.NO_CACHE)).isTrue();
    }

    @Test
    void maxStaleWithoutNumberHasNoLimit() {
        assertThat(parse("max-stale").seconds(CacheDirective.MAX_STALE)).isEqualTo(CacheDirectives.MAX_SECONDS);
    }

    @Test
    void endsAtAnOpenQuote() {
        assertThat(parse("a=\"b, max-age=60").has(CacheDirective.MAX_AGE)).isFalse();
        assertThat(parse("a=\"\\").isEmpty()).isTrue();
    }
}
