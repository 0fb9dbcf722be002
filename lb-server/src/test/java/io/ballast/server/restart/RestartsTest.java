package io.ballast.server.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.net.takeover.ProcessLink;
import io.ballast.net.takeover.SharedSocket;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests the running process together with a new process that misbehaves. */
@EnabledOnOs(OS.LINUX)
class RestartsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final long MYSELF = ProcessHandle.current().pid();

    @TempDir
    private Path directory;

    private final Old old = new Old();
    private final CountDownLatch stop = new CountDownLatch(1);
    private final List<New> started = new ArrayList<>();
    private final CompletableFuture<String> lost = new CompletableFuture<>();

    @Test
    void newProcessTakesOver() throws Exception {
        Restarts restarts = restarts(TIMEOUT, RestartsTest::takeOver);

        assertThat(restarts.restart()).isEqualTo(MYSELF);

        assertThat(old.calls).containsExactly("hold", "leave");
        assertThatThrownBy(restarts::restart).hasMessage("process " + MYSELF + " has taken over already");
        restarts.close();
        assertThat(started.get(0).killed).isFalse();
        started.get(0).end();
    }

    @Test
    void reportsEndOfNewProcess() throws Exception {
        Restarts restarts = restarts(TIMEOUT, RestartsTest::takeOver);
        restarts.restart();
        assertThat(lost).isNotDone();

        started.get(0).code.complete(137);

        assertThat(lost.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                .isEqualTo("process " + MYSELF + ", which took over, ended with exit code 137");
        restarts.close();
    }

    @Test
    void rejectsOtherProtocol() throws Exception {
        refused(TIMEOUT, link -> link.send("take over, protocol 2", TIMEOUT), "(expected: take over, protocol 1)");
    }

    @Test
    void rejectsGarbage() throws Exception {
        refused(
                TIMEOUT,
                link -> link.send("GET / HTTP/1.1", TIMEOUT),
                "unexpected message from the new process: GET / HTTP/1.1");
    }

    @Test
    void silenceTimesOut() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        refused(Duration.ofMillis(50), link -> await(over), "timed out waiting for ");
        over.countDown();
    }

    @Test
    void failedStartReasonIsForwarded() throws Exception {
        refused(
                TIMEOUT,
                link -> {
                    link.send(TakeOver.TAKE_OVER, TIMEOUT);
                    link.receive(TIMEOUT);
                    link.receive(TIMEOUT);
                    link.send(TakeOver.FAILED + "lb: the port is already in use", TIMEOUT);
                },
                "the new process did not start: lb: the port is already in use");
    }

    @Test
    void rejectsTruncatedMessage() throws Exception {
        refused(TIMEOUT, link -> link.send(TakeOver.TAKE_OVER, TIMEOUT), "before it was ready, with exit code 3");
    }

    @Test
    void rejectsProcessThatEnds() throws Exception {
        Restarts restarts = new Restarts(
                old,
                directory,
                stop,
                lost::complete,
                acceptor -> new New(CompletableFuture.completedFuture(null)),
                TIMEOUT);

        assertThatThrownBy(restarts::restart)
                .hasMessage("the new process exited before it connected, with exit code 3");

        assertThat(old.calls).containsExactly("hold", "resume");
    }

    @Test
    void impossibleHandoverStartsNothing() {
        old.obstacle = "transport: nio";
        Restarts restarts = restarts(TIMEOUT, link -> {});

        assertThatThrownBy(restarts::restart).hasMessage("transport: nio");

        assertThat(started).isEmpty();
        assertThat(old.calls).isEmpty();
    }

    /** If a process must end while it starts another process, both processes end. */
    @Test
    void stoppingProcessIsNotReplaced() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        refused(
                TIMEOUT,
                link -> {
                    link.send(TakeOver.TAKE_OVER, TIMEOUT);
                    link.receive(TIMEOUT);
                    link.receive(TIMEOUT);
                    stop.countDown();
                    link.send(TakeOver.READY, TIMEOUT);
                    await(over);
                },
                "this process is shutting down");
        over.countDown();
        assertThatThrownBy(restarts(TIMEOUT, link -> {})::restart).hasMessage("this process is shutting down");
    }

    private void refused(Duration max, Script script, String reason) throws Exception {
        Restarts restarts = restarts(max, script);

        assertThatThrownBy(restarts::restart).hasMessageContaining(reason);

        assertThat(old.calls).containsExactly("hold", "resume");
        assertThat(started.get(0).killed).isTrue();
        assertThat(directory).isEmptyDirectory();
    }

    private static void takeOver(ProcessLink link) throws IOException {
        link.send(TakeOver.TAKE_OVER, TIMEOUT);
        assertThat(link.receive(TIMEOUT)).isEqualTo("sockets 0");
        assertThat(link.receive(TIMEOUT)).isEqualTo("vacated 8001");
        link.send(TakeOver.READY, TIMEOUT);
        assertThat(link.receive(TIMEOUT)).isEqualTo(TakeOver.TAKEN_OVER);
    }

    private Restarts restarts(Duration max, Script script) {
        Successor.Launch launch = acceptor -> {
            New next = new New(CompletableFuture.runAsync(() -> {
                try (ProcessLink link = ProcessLink.connect(acceptor)) {
                    script.run(link);
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }));
            started.add(next);
            return next;
        };
        return new Restarts(old, directory, stop, lost::complete, launch, max);
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    private interface Script {
        void run(ProcessLink link) throws IOException, InterruptedException;
    }

    /** Simulates the new process by a thread of this process, with the process ID of this process. */
    private static final class New implements Successor {

        private final CompletableFuture<Void> run;
        private final CompletableFuture<Integer> code = new CompletableFuture<>();
        private volatile boolean killed;

        New(CompletableFuture<Void> run) {
            this.run = run;
        }

        void end() throws Exception {
            run.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        }

        @Override
        public long pid() {
            return MYSELF;
        }

        @Override
        public boolean isAlive() {
            return !run.isDone();
        }

        @Override
        public String exitCode() {
            return "3";
        }

        @Override
        public int awaitEnd() {
            return code.join();
        }

        @Override
        public void kill() {
            killed = true;
        }
    }

    private static final class Old implements Predecessor {

        private final List<String> calls = new ArrayList<>();
        private @Nullable String obstacle;

        @Override
        public List<SharedSocket> sharedSockets() {
            return List.of();
        }

        @Override
        public Set<Integer> vacatedPorts() {
            return Set.of(8001);
        }

        @Override
        public void blockChanges() {
            if (obstacle != null) {
                throw new IllegalStateException(obstacle);
            }
            calls.add("hold");
        }

        @Override
        public void allowChanges() {
            calls.add("resume");
        }

        @Override
        public void release() {
            calls.add("leave");
        }
    }
}
