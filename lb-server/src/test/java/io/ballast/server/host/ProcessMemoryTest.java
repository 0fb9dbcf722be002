package io.ballast.server.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ProcessMemoryTest {

    private static final long MIB = 1L << 20;

    @Test
    void rejectsTooLittleMemory() {
        assertThat(memory(64, 32).shortage())
                .hasValue(
                        "too little memory: this machine, container or control group allows 64 MiB (expected: at least"
                                + " 128 MiB); raise its limit");
    }

    @Test
    void acceptsDocumentedMinimum() throws Exception {
        assertThat(memory(128, 36).shortage()).isEmpty();
        assertThat(memory(126, 36).shortage()).as("a limit a little below").isEmpty();
        assertThat(Files.readString(Path.of("../docs/resources.md"))).contains("128 MiB");
    }

    @Test
    void directMemoryUsesRemainder() {
        assertThat(memory(256, 102).directBytes(256 * MIB)).isEqualTo(98 * MIB);
        assertThat(memory(128, 36).directBytes(256 * MIB)).isEqualTo(36 * MIB);
    }

    @Test
    void directMemoryRespectsJvmLimit() {
        assertThat(memory(24_000, 9_600).directBytes(256 * MIB)).isEqualTo(256 * MIB);
        assertThat(memory(128, 36).directBytes(12 * MIB)).isEqualTo(12 * MIB);
    }

    @Test
    void directMemoryHasMinimum() {
        assertThat(memory(96, 96).directBytes(96 * MIB)).isEqualTo(8 * MIB);
    }

    @Test
    void readsMemoryOfThisProcess() {
        ProcessMemory own = ProcessMemory.ofProcess();

        assertThat(own.availableBytes()).isGreaterThan(ProcessMemory.MIN_BYTES);
        assertThat(own.shortage()).isEmpty();
    }

    private static ProcessMemory memory(long availableMib, long heapMib) {
        return new ProcessMemory(availableMib * MIB, heapMib * MIB);
    }
}
