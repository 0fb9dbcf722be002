package io.ballast.server.check;

import io.ballast.core.ErrorText;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.control.Background;
import io.ballast.core.health.FirstResult;
import io.ballast.core.health.Probe;
import io.ballast.core.health.ProbeResult;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs checks of type {@code exec}: a program whose exit code 0 means that the backend is up. At most
 * {@value #MAX_AT_ONCE} run concurrently; a check that could not start within its timeout has no result.
 * Programs are started without a shell and inherit only the user and the working directory. Their output is
 * discarded.
 *
 * <p>Thread safety: checks may be started from any thread.
 */
public final class ExecProbe implements Probe, AutoCloseable {

    static final int MAX_AT_ONCE = 16;

    static final String HOST = "BALLAST_BACKEND_HOST";
    static final String PORT = "BALLAST_BACKEND_PORT";

    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    private static final File DEV_NULL = new File("/dev/null");

    private final Background threads = Background.of("exec-checks", MAX_AT_ONCE);

    @Override
    public void start(
            SocketAddress target, HealthCheck check, String hostHeader, Duration timeout, Consumer<ProbeResult> done) {
        FirstResult verdict = new FirstResult(done);
        if (!(check instanceof HealthCheck.Exec exec)) {
            verdict.skipped("not an exec check: " + check.label());
            return;
        }
        long deadline = System.nanoTime() + timeout.toNanos();
        threads.execute(() -> run(exec.command(), target, deadline, timeout, verdict));
    }

    private static void run(
            List<String> command, SocketAddress target, long deadline, Duration timeout, FirstResult verdict) {
        if (System.nanoTime() - deadline >= 0) {
            verdict.skipped("not started within " + timeout.toMillis() + " ms: " + MAX_AT_ONCE
                    + " other exec checks are running");
            return;
        }
        Process process;
        try {
            process = builder(command, target).start();
        } catch (IOException e) {
            verdict.failed("cannot run the program: " + ErrorText.of(e));
            return;
        }
        try {
            if (process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                reportExitCode(process.exitValue(), verdict);
            } else {
                verdict.failed("not finished within " + timeout.toMillis() + " ms");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the process is ending
            verdict.skipped("interrupted");
        } finally {
            kill(process);
        }
    }

    private static ProcessBuilder builder(List<String> command, SocketAddress target) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(DEV_NULL)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("PATH", PATH);
        if (target instanceof InetSocketAddress inet) {
            environment.put(HOST, inet.getAddress().getHostAddress());
            environment.put(PORT, Integer.toString(inet.getPort()));
        } else if (target instanceof UnixDomainSocketAddress unix) {
            environment.put(HOST, unix.getPath().toString());
            environment.put(PORT, "");
        }
        return builder;
    }

    private static void reportExitCode(int code, FirstResult verdict) {
        if (code == 0) {
            verdict.passed("exit code 0");
        } else {
            verdict.failed("exit code " + code + " (expected: 0)");
        }
    }

    /** Kills a program. Its child processes are killed first, while their parent is still known. */
    private static void kill(Process process) {
        if (process.isAlive()) {
            process.descendants().toList().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** Kills the programs of running checks. */
    @Override
    public void close() {
        threads.close();
    }
}
