package io.ballast.server.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.ProbeResult;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
@SuppressWarnings("AddressSelection") // a literal, which has one address
class ExecProbeTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final SocketAddress TARGET = new InetSocketAddress("127.0.0.1", 8080);

    @TempDir
    private Path directory;

    private final ExecProbe probe = new ExecProbe();

    @AfterEach
    void close() {
        probe.close();
    }

    @Test
    void exitCodeDecidesResult() throws Exception {
        assertThat(run(TIMEOUT, "/bin/sh", "-c", "exit 0"))
                .returns(true, ProbeResult::ok)
                .returns("exit code 0", ProbeResult::text);
        assertThat(run(TIMEOUT, "/bin/sh", "-c", "exit 7"))
                .returns(false, ProbeResult::ok)
                .returns("exit code 7 (expected: 0)", ProbeResult::text);
        assertThat(run(TIMEOUT, directory.resolve("none").toString()).text()).startsWith("cannot run the program: ");
    }

    @Test
    void programGetsOnlyBackendVariables() throws Exception {
        Path seen = directory.resolve("seen");

        assertThat(run(TIMEOUT, "/bin/sh", "-c", "/usr/bin/env > " + seen + "; read x; echo chatter; echo trouble >&2")
                        .isConclusive())
                .isTrue();

        List<String> names = Files.readAllLines(seen).stream()
                .filter(line -> !line.startsWith("PWD=") && !line.startsWith("_=") && !line.startsWith("OLDPWD="))
                .filter(line -> !line.startsWith("SHLVL="))
                .toList();
        assertThat(names)
                .containsExactlyInAnyOrder(
                        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                        "BALLAST_BACKEND_HOST=127.0.0.1",
                        "BALLAST_BACKEND_PORT=8080");
    }

    @Test
    void argumentsAreNotInterpretedByShell() throws Exception {
        Path file = directory.resolve("file");

        run(TIMEOUT, "/bin/echo", "x; touch " + file, "$(touch " + file + ")", "> " + file);

        assertThat(file).doesNotExist();
    }

    @Test
    void timeoutKillsProgramAndChildren() throws Exception {
        List<String> pids = List.of();

        for (long timeout = 1500; pids.size() < 2; timeout *= 2) { // until the program has started a child
            pids = pidsOfOneThatIsKilledAfter(timeout);
        }

        for (String pid : pids) {
            ProcessHandle.of(Long.parseLong(pid))
                    .ifPresent(process ->
                            process.onExit().orTimeout(60, TimeUnit.SECONDS).join());
        }
    }

    private List<String> pidsOfOneThatIsKilledAfter(long millis) throws Exception {
        Path pids = Files.writeString(directory.resolve("pids"), "");

        ProbeResult result = run(
                Duration.ofMillis(millis),
                "/bin/sh",
                "-c",
                "/bin/sleep 600 & echo $! > " + pids + "; echo $$ >> " + pids + "; wait");

        assertThat(result)
                .returns(true, ProbeResult::isConclusive)
                .returns(false, ProbeResult::ok)
                .returns("not finished within " + millis + " ms", ProbeResult::text);
        return Files.readAllLines(pids);
    }

    @Test
    void concurrentProgramsAreLimited() throws Exception {
        Path end = directory.resolve("end");
        List<CompletableFuture<ProbeResult>> running = new ArrayList<>();
        for (int i = 0; i < ExecProbe.MAX_AT_ONCE; i++) {
            running.add(start(Duration.ofMinutes(5), "/bin/sh", "-c", "until [ -e " + end + " ]; do sleep 0.2; done"));
        }

        CompletableFuture<ProbeResult> waiting = start(Duration.ofMillis(1), "/bin/sleep", "0");
        long started = System.nanoTime();
        while (System.nanoTime() - started < 1_000_000) { // the timeout passes while all other checks still run
            Thread.onSpinWait();
        }
        assertThat(waiting).isNotDone();
        Files.createFile(end);

        assertThat(waiting.get(60, TimeUnit.SECONDS))
                .returns(false, ProbeResult::isConclusive)
                .returns("not started within 1 ms: 16 other exec checks are running", ProbeResult::text);
        for (CompletableFuture<ProbeResult> each : running) {
            assertThat(each.get(60, TimeUnit.SECONDS).ok()).isTrue();
        }
        assertThat(run(TIMEOUT, "/bin/sleep", "0").ok()).isTrue();
    }

    private ProbeResult run(Duration timeout, String... command) throws Exception {
        return start(timeout, command).get(2, TimeUnit.MINUTES);
    }

    private CompletableFuture<ProbeResult> start(Duration timeout, String... command) {
        CompletableFuture<ProbeResult> result = new CompletableFuture<>();
        probe.start(TARGET, new HealthCheck.Exec(List.of(command)), /* hostHeader= */ "", timeout, result::complete);
        return result;
    }
}
