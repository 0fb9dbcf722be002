package io.ballast.http.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceParentTest {

    private static final String VALID = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static boolean isValid(String value) {
        byte[] surrounded = bytes(": " + value + "\r\n");
        return TraceParent.isValid(surrounded, 2, 2 + value.length());
    }

    @Test
    void partsOfValidValueAreRead() {
        byte[] value = bytes(VALID);

        assertThat(isValid(VALID)).isTrue();
        assertThat(TraceParent.traceIdHigh(value, 0)).isEqualTo(0x0af7651916cd43ddL);
        assertThat(TraceParent.traceIdLow(value, 0)).isEqualTo(0x8448eb211c80319cL);
        assertThat(TraceParent.parentId(value, 0)).isEqualTo(0xb7ad6b7169203331L);
        assertThat(TraceParent.isSampled(value, 0)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-fe",
                "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-02",
                "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-02-what-the-future",
                "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00-"
            })
    void otherFlagsAndFutureVersionsAreValid(String value) {
        assertThat(isValid(value)).isTrue();
        assertThat(TraceParent.isSampled(bytes(value), 0)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "00",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-011",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
                "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-B7AD6B7169203331-01",
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "0g-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331_01",
                "00-0af7651916cd43dd8448eb211c80319\u00e9-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333 -01",
                "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01.what",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0x"
            })
    void malformedValuesAreInvalid(String value) {
        assertThat(isValid(value)).isFalse();
    }

    @Test
    void valueMayBeHuge() {
        assertThat(isValid("0".repeat(100_000))).isFalse();
        assertThat(isValid("cc" + VALID.substring(2) + "-" + "x".repeat(100_000)))
                .isTrue();
    }

    @Test
    void writtenLineIsValid() {
        byte[] line = TraceParent.newLine();

        TraceParent.write(0x0af7651916cd43ddL, 0x8448eb211c80319cL, 0xb7ad6b7169203331L, /* sampled= */ true, line);
        assertThat(new String(line, StandardCharsets.US_ASCII)).isEqualTo("traceparent: " + VALID + "\r\n");

        TraceParent.write(1, 2, 3, /* sampled= */ false, line);
        assertThat(new String(line, StandardCharsets.US_ASCII))
                .isEqualTo("traceparent: 00-00000000000000010000000000000002-0000000000000003-00\r\n");
    }
}
