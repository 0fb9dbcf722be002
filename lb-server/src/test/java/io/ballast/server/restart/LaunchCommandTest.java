package io.ballast.server.restart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class LaunchCommandTest {

    private static final List<String> LINE = List.of(
            "/java/bin/java", "@/lb/jvm25.options", "-Xmx1g", "-jar", "/lb/lb.jar", "run", "--watch", "a b.yaml");

    @Test
    void launcherChoosesJavaAndOptions() {
        assertThat(LaunchCommand.of(LINE, Optional.of("/usr/bin/lb")))
                .containsExactly("/usr/bin/lb", "run", "--watch", "a b.yaml");
    }

    @Test
    void repeatsCommandWithoutLauncher() {
        assertThat(LaunchCommand.of(LINE, Optional.empty())).isEqualTo(LINE);
    }

    @Test
    void startsClassesWithoutJar() {
        List<String> line = List.of("java", "-cp", "classes", "io.ballast.server.Main", "run");

        assertThat(LaunchCommand.of(line, Optional.of("/usr/bin/lb"))).isEqualTo(line);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void readsOwnCommandLine() throws IOException {
        assertThat(LaunchCommand.ofProcess().get(0)).contains("java");
    }
}
