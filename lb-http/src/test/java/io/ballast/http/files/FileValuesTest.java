package io.ballast.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.head.HttpTime;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the values of headers that describe files. */
class FileValuesTest {

    private static final Instant TIME = Instant.parse("1994-11-06T08:49:37Z");
    private static final String TAG = "\"a-1\"";

    @ParameterizedTest
    @CsvSource({
        "bytes=0-0, 0, 1",
        "bytes=2-, 2, 8",
        "bytes=-3, 7, 3",
        "bytes=-30, 0, 10",
        "bytes=5-100, 5, 5",
        "Bytes= 5 - 6 , 5, 2",
        "bytes=10-, 0, 0",
        "bytes=-0, 0, 0"
    })
    void ranges(String value, long from, long length) {
        assertThat(FileRange.parse(value, 10)).isEqualTo(new FileRange(from, length));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bytes=",
                "bytes=-",
                "bytes=5",
                "bytes=4-3",
                "bytes=a-b",
                "bytes=--5",
                "bytes=0-1,3-4",
                "lines=0-1",
                "bytes=99999999999999999999-",
                "-",
                "bytes=1-2-3",
                "bytes=٣-"
            })
    void otherRangesAreIgnored(String value) {
        assertThat(FileRange.parse(value, 10)).isNull();
    }

    @Test
    void emptyFileHasNoRange() {
        assertThat(FileRange.parse("bytes=0-", 0)).isEqualTo(FileRange.UNSATISFIABLE);
        assertThat(FileRange.parse("bytes=-5", 0)).isEqualTo(FileRange.UNSATISFIABLE);
    }

    private static FileConditions conditions(
            @Nullable String match,
            @Nullable String noneMatch,
            @Nullable String modifiedSince,
            @Nullable String unmodifiedSince) {
        return new FileConditions(match, noneMatch, modifiedSince, unmodifiedSince, null);
    }

    @Test
    void conditionsHavePrecedence() {
        String before = "Sun, 06 Nov 1994 08:49:36 GMT";
        String same = HttpTime.format(TIME.toEpochMilli());

        assertThat(conditions(null, null, null, null).evaluate(TAG, TIME)).isEqualTo(FileConditions.Result.MET);
        assertThat(conditions(null, "\"x\", W/\"a-1\"", null, null).evaluate(TAG, TIME))
                .isEqualTo(FileConditions.Result.NOT_MODIFIED);
        assertThat(conditions(null, "*", null, null).evaluate(TAG, TIME)).isEqualTo(FileConditions.Result.NOT_MODIFIED);
        assertThat(conditions(null, "\"x\"", same, null).evaluate(TAG, TIME))
                .as("If-None-Match is stronger than If-Modified-Since")
                .isEqualTo(FileConditions.Result.MET);
        assertThat(conditions(null, null, same, null).evaluate(TAG, TIME))
                .isEqualTo(FileConditions.Result.NOT_MODIFIED);
        assertThat(conditions(null, null, "Sunday, 06-Nov-94 08:49:37 GMT", null)
                        .evaluate(TAG, TIME))
                .isEqualTo(FileConditions.Result.NOT_MODIFIED);
        assertThat(conditions(null, null, before, null).evaluate(TAG, TIME)).isEqualTo(FileConditions.Result.MET);
        assertThat(conditions(null, null, "invalid", null).evaluate(TAG, TIME)).isEqualTo(FileConditions.Result.MET);
        assertThat(conditions("W/\"a-1\"", null, null, null).evaluate(TAG, TIME))
                .as("If-Match compares strongly")
                .isEqualTo(FileConditions.Result.FAILED);
        assertThat(conditions("\"b\", \"a-1\"", null, null, before).evaluate(TAG, TIME))
                .isEqualTo(FileConditions.Result.MET);
        assertThat(conditions(null, null, null, before).evaluate(TAG, TIME)).isEqualTo(FileConditions.Result.FAILED);
        assertThat(conditions(null, null, null, same).evaluate(TAG, TIME)).isEqualTo(FileConditions.Result.MET);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"", "a-1", "\"a-1", "W/", "\"a-11\"", "\"a-1\"x\"", "", ",,,"})
    void malformedTagsMatchNothingElse(String value) {
        FileConditions.Result expected =
                value.startsWith(TAG) ? FileConditions.Result.NOT_MODIFIED : FileConditions.Result.MET;

        assertThat(conditions(null, value, null, null).evaluate(TAG, TIME)).isEqualTo(expected);
    }

    @Test
    void codingsAreOrderedByWeight() {
        assertThat(FileCoding.accepted(null)).isEmpty();
        assertThat(FileCoding.accepted("")).isEmpty();
        assertThat(FileCoding.accepted("identity")).isEmpty();
        assertThat(FileCoding.accepted("gzip, deflate, br, zstd"))
                .containsExactly(FileCoding.BROTLI, FileCoding.ZSTD, FileCoding.GZIP);
        assertThat(FileCoding.accepted("GZIP;q=1.0, br; q=0.5")).containsExactly(FileCoding.GZIP, FileCoding.BROTLI);
        assertThat(FileCoding.accepted("*, br;q=0")).containsExactly(FileCoding.ZSTD, FileCoding.GZIP);
        assertThat(FileCoding.accepted("br;q=, gzip;q=x, zstd;q=NaN")).isEmpty();
    }

    @Test
    void mediaTypesDependOnTheExtension() {
        assertThat(FileMediaTypes.of("a/b.HTML")).isEqualTo("text/html; charset=utf-8");
        assertThat(FileMediaTypes.of("a.tar.gz")).isEqualTo("application/gzip");
        assertThat(FileMediaTypes.of("site.webmanifest")).isEqualTo("application/manifest+json");
        assertThat(FileMediaTypes.of("README")).isEqualTo("application/octet-stream");
        assertThat(FileMediaTypes.of("a.unknown")).isEqualTo("application/octet-stream");
        assertThat(FileMediaTypes.of("a.b/html")).isEqualTo("application/octet-stream");
    }
}
