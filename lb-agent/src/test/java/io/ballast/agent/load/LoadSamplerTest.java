package io.ballast.agent.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadSamplerTest {

    private static final long SECOND = 1_000_000_000;

    @TempDir
    private Path directory;

    private Path cgroup;
    private Path proc;
    private LoadSampler sampler;

    @BeforeEach
    void prepare() throws IOException {
        cgroup = Files.createDirectories(directory.resolve("cgroup"));
        proc = Files.createDirectories(directory.resolve("proc"));
        sampler = new LoadSampler(cgroup, proc);
    }

    @Test
    void measuresTheMachineWithoutLimitsOfAContainer() throws IOException {
        Files.writeString(proc.resolve("stat"), "cpu  100 0 100 700 100 0 0 0 0 0\ncpu0 1 1\n");
        Files.writeString(proc.resolve("meminfo"), "MemTotal:  1000 kB\nMemFree: 100 kB\nMemAvailable:  250 kB\n");
        assertThat(sampler.sample(0))
                .isEqualTo(new LoadValues(OptionalInt.empty(), OptionalInt.of(75), OptionalInt.empty()));

        Files.writeString(proc.resolve("stat"), "cpu  150 0 140 800 110 0 0 0 0 0\ncpu0 1 1\n");
        assertThat(sampler.sample(SECOND).cpu()).hasValue(45);
    }

    @Test
    void measuresTheContainerIfItIsLimited() throws IOException {
        Files.writeString(cgroup.resolve("cpu.max"), "50000 100000\n");
        Files.writeString(cgroup.resolve("cpu.stat"), "usage_usec 1000000\nuser_usec 1\n");
        Files.writeString(cgroup.resolve("memory.max"), "1000\n");
        Files.writeString(cgroup.resolve("memory.current"), "900\n");
        Files.writeString(cgroup.resolve("memory.stat"), "anon 300\ninactive_file 400\n");
        assertThat(sampler.sample(0).memory()).hasValue(50);

        Files.writeString(cgroup.resolve("cpu.stat"), "usage_usec 1450000\nuser_usec 1\n");
        assertThat(sampler.sample(SECOND).cpu()).hasValue(90);
    }

    @Test
    void unlimitedContainerIsMeasuredAsTheMachine() throws IOException {
        Files.writeString(cgroup.resolve("cpu.max"), "max 100000\n");
        Files.writeString(cgroup.resolve("cpu.stat"), "usage_usec 1000000\n");
        Files.writeString(cgroup.resolve("memory.max"), "max\n");
        Files.writeString(cgroup.resolve("memory.current"), "900\n");
        Files.writeString(proc.resolve("meminfo"), "MemTotal:  100 kB\nMemAvailable:  90 kB\n");

        assertThat(sampler.sample(0).memory()).hasValue(10);
    }

    @Test
    void missingFilesAreNoValues() {
        assertThat(sampler.sample(0))
                .isEqualTo(new LoadValues(OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty()));
    }
}
