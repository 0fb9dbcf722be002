package io.ballast.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FreePortsTest {

    @Test
    void portsDiffer() throws Exception {
        assertThat(FreePorts.findDistinct(200)).doesNotHaveDuplicates().allMatch(port -> port > 0);
    }
}
