package io.ballast.server.restart;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A process that was started to replace this one. Thread-safe. */
interface Successor {

    /** Starts the successor process. */
    @FunctionalInterface
    interface Launch {

        /**
         * @param socketPath the Unix socket on which this process waits for the new one
         * @throws IOException if the process cannot be started
         */
        Successor start(Path socketPath) throws IOException;
    }

    long pid();

    boolean isAlive();

    /**
     * Waits up to ten seconds for the process to end, and returns its exit code; returns {@code unknown} if the
     * process is still running.
     */
    String exitCode();

    /**
     * Waits until the process ends, and returns its exit code: 128 plus the number of the signal if a signal
     * ended the process.
     */
    int awaitEnd() throws InterruptedException;

    /** Kills the process immediately. Does nothing if it has ended. */
    void kill();

    /** Starts the process with the command that started this process, and with the same output. */
    static Successor start(Path socketPath) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(LaunchCommand.ofProcess())
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment()
                .put(TakeOver.SOCKET_VARIABLE, socketPath.toAbsolutePath().toString());
        return new Started(builder.start());
    }

    /** A successor that runs as a child process of this process. */
    record Started(Process process) implements Successor {

        private static final Duration MAX_WAIT = Duration.ofSeconds(10);

        @Override
        public long pid() {
            return process.pid();
        }

        @Override
        public boolean isAlive() {
            return process.isAlive();
        }

        @Override
        public String exitCode() {
            try {
                boolean ended = process.waitFor(MAX_WAIT.toSeconds(), TimeUnit.SECONDS);
                return ended ? Integer.toString(process.exitValue()) : "unknown";
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return "unknown";
            }
        }

        @Override
        public int awaitEnd() throws InterruptedException {
            return process.waitFor();
        }

        @Override
        public void kill() {
            process.destroyForcibly();
        }
    }
}
