package io.ballast.http.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HttpDateTest {

    private final HttpDate date = new HttpDate();

    @Test
    void usesFormatOfRfc9110() {
        date.refresh(784_111_777_000L);

        assertThat(text()).isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
    }

    @Test
    void padsDayWithZero() {
        date.refresh(0);

        assertThat(text()).isEqualTo("Thu, 01 Jan 1970 00:00:00 GMT");
    }

    @Test
    void formatsOncePerSecond() {
        date.refresh(1_000);
        byte[] first = date.bytes();

        date.refresh(1_999);
        assertThat(date.bytes()).isSameAs(first);

        date.refresh(2_000);
        assertThat(text()).endsWith("00:00:02 GMT");
    }

    private String text() {
        return new String(date.bytes(), StandardCharsets.US_ASCII);
    }
}
