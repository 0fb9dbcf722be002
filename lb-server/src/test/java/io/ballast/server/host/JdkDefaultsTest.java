package io.ballast.server.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JdkDefaultsTest {

    /** Prints the name of the thread of an asynchronous step. */
    static final class AsyncThreadName {

        private AsyncThreadName() {}

        public static void main(String[] args) {
            JdkDefaults.apply();
            CompletableFuture.runAsync(
                            () -> System.out.println(Thread.currentThread().getName()))
                    .join();
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
                        AsyncThreadName.class.getName())
                .redirectErrorStream(true)
                .start();

        String thread = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(java.waitFor()).as(thread).isZero();
        assertThat(thread).contains("commonPool");
    }
}
