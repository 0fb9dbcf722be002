package io.ballast.http.head;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpTimeTest {

    private static final long NOW = Instant.parse("2026-11-29T12:00:00Z").toEpochMilli();
    private static final long THEN = Instant.parse("2050-08-08T02:01:18Z").toEpochMilli();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Mon, 08 Aug 2050 02:01:18 GMT",
                "MON, 08 AUG 2050 02:01:18 gmt",
                "Monday, 08-Aug-50 02:01:18 GMT",
                "Mon Aug  8 02:01:18 2050",
                "Mon Aug 08 02:01:18 2050"
            })
    void readsAllFormats(String text) {
        assertThat(HttpTime.parse(text, NOW)).isEqualTo(THEN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "-1",
                "Mon, 08 Aug 2050 02:01:18 UTC",
                "Mon, 08 Aug 50 02:01:18 GMT",
                "Mon 08 Aug 2050 02:01:18 GMT",
                "Mon, 08  Aug  2050 02:01:18 GMT",
                "Mon, 08-Aug-2050 02:01:18 GMT",
                "Mon, 08 Aug 2050 02.01.18 GMT",
                "Mon, 08 Aug 2050 2:01:18 GMT",
                "Mon, 08 Foo 2050 02:01:18 GMT",
                "Mon, 31 Feb 2050 02:01:18 GMT",
                "Mon, 08 Aug 2050 25:01:18 GMT",
                " Mon, 08 Aug 2050 02:01:18 GMT"
            })
    void rejectsOtherTexts(String text) {
        assertThat(HttpTime.parse(text, NOW)).isEqualTo(HttpTime.INVALID);
    }

    @Test
    void aMissingOrLongTextIsInvalid() {
        assertThat(HttpTime.parse(null, NOW)).isEqualTo(HttpTime.INVALID);
        assertThat(HttpTime.parse("a".repeat(100_000), NOW)).isEqualTo(HttpTime.INVALID);
    }

    @Test
    void writesTheFormatOfSenders() {
        assertThat(HttpTime.format(THEN)).isEqualTo("Mon, 08 Aug 2050 02:01:18 GMT");
    }

    @Test
    void aYearFarInTheFutureIsInThePast() {
        assertThat(HttpTime.parse("Sunday, 06-Nov-94 08:49:37 GMT", NOW))
                .isEqualTo(Instant.parse("1994-11-06T08:49:37Z").toEpochMilli());
    }
}
