package io.ballast.server.restart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which exits of the successor leave no serving process. */
@EnabledOnOs(OS.LINUX)
class SuccessorWatchTest {

    @TempDir
    private Path directory;

    private final List<String> lost = new ArrayList<>();

    /** The exit codes after SIGKILL, a full heap, the death of a thread, and an exception. */
    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @ValueSource(ints = {137, 3, 70, 1})
    void reportsUnexpectedEnd(int code) throws Exception {
        end("exit " + code);

        assertThat(lost).singleElement().asString().endsWith(", which took over, ended with exit code " + code);
    }

    @Test
    void reportsSignal() throws Exception {
        end("kill -KILL $$");

        assertThat(lost).singleElement().asString().endsWith("ended with exit code 137");
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @ValueSource(strings = {"exit 0", "kill -TERM $$", "kill -INT $$"})
    void requestedEndIsNotReported(String script) throws Exception {
        end(script);

        assertThat(lost).isEmpty();
    }

    /** The successor died while it drained, and the watching process drains, too: a third process serves. */
    @Test
    void endAfterHandoverIsNotReported() throws Exception {
        ControlSocket third = ControlSocket.open(directory, (request, answer) -> {});
        try (third) {
            end("exit 137");
            assertThat(lost).isEmpty();
        }

        end("exit 137");
        assertThat(lost).hasSize(1);
    }

    private void end(String script) throws Exception {
        Process process = new ProcessBuilder("bash", "-c", script).start();
        new SuccessorWatch(new Successor.Started(process), directory, lost::add).awaitEnd();
    }
}
