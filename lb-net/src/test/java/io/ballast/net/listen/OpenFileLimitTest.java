package io.ballast.net.listen;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OpenFileLimitTest {

    private static final String HEAD =
            "Limit                     Soft Limit           Hard Limit           Units     \n";

    @Test
    void isTheSoftLimitOfOpenFiles() {
        assertThat(OpenFileLimit.of(HEAD
                        + "Max processes             100                  100                  processes \n"
                        + "Max open files            300                  4096                 files     \n"))
                .hasValue(300);
    }

    @Test
    void isEmptyWithoutLimit() {
        assertThat(OpenFileLimit.of(
                        HEAD + "Max open files            unlimited            unlimited            files     \n"))
                .isEmpty();
        assertThat(OpenFileLimit.of("")).isEmpty();
    }
}
