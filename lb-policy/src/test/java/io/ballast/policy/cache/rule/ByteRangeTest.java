package io.ballast.policy.cache.rule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteRangeTest {

    @ParameterizedTest
    @CsvSource({
        "bytes=0-1,0,2",
        "Bytes= 3-3 ,3,4",
        "bytes=1-,1,11",
        "bytes=5-100,5,11",
        "bytes=-1,10,11",
        "bytes=-100,0,11",
        "bytes=0-999999999999999999,0,11"
    })
    void findsThePart(String value, long from, long to) {
        assertThat(ByteRange.parse(value, 11)).isEqualTo(new ByteRange(from, to));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=11-", "bytes=50-60", "bytes=-0"})
    void noByteIsInTheRange(String value) {
        ByteRange range = ByteRange.parse(value, 11);

        assertThat(range).isNotNull();
        assertThat(range != null && range.isUnsatisfiable()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "bytes",
                "bytes=",
                "bytes=-",
                "bytes=5-4",
                "bytes=a-b",
                "bytes=1-2,4-5",
                "bytes=--1",
                "bytes=1-9999999999999999999999",
                "items=0-1"
            })
    void ignoresOtherValues(String value) {
        assertThat(ByteRange.parse(value, 11)).isNull();
    }

    @Test
    void anEmptyBodyHasNoPart() {
        ByteRange range = ByteRange.parse("bytes=-5", 0);

        assertThat(range != null && range.isUnsatisfiable()).isTrue();
    }
}
