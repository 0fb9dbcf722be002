package io.ballast.discovery.remote;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BackendSetTest {

    @Test
    void omissionsAreReportedInOneShortLine() {
        BackendSet backends = new BackendSet();

        backends.omit("web\n2026 level=ERROR", "address: " + "x".repeat(1 << 20));

        assertThat(backends.omitted())
                .containsExactly("web 2026 level=ERROR: address: " + "x".repeat(300 - "address: ".length()) + "...");
    }
}
