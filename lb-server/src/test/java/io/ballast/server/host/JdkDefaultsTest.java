package io.ballast.server.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JdkDefaultsTest {

    /**
     * A program that fails if an asynchronous step does not run on a thread of the common pool. The message contains
     * the thread's name.
     */
    static final class AsyncStep {

        private AsyncStep() {}

        public static void main(String[] args) {
            JdkDefaults.apply();
            String thread = CompletableFuture.supplyAsync(
                            () -> Thread.currentThread().getName())
                    .join();
            if (!thread.contains("commonPool")) {
                throw new IllegalStateException(thread);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void asynchronousStepsShareThreads(int processors) throws Exception {
        Process java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:ActiveProcessorCount=" + processors,
                        "-cp",
                        System.getProperty("java.class.path"),
                        AsyncStep.class.getName())
                .redirectErrorStream(true)
                .start();

        String output = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(java.waitFor()).as(output).isZero();
    }
}
