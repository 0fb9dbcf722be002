package io.ballast.server.restart;

import io.ballast.core.ErrorText;
import io.ballast.net.takeover.ProcessLink;
import io.ballast.net.takeover.SharedSocket;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces this process with a new one on request. Starts the new process with the same command, sends it the sockets,
 * waits until it serves, and then ends this process. If a step fails before the new process serves, the new process is
 * ended and this process continues.
 *
 * <p>Thread safety: {@link #restart} is called by one thread at a time; other methods may be called by any thread.
 */
public final class Restarts implements AutoCloseable {

    /** The prefix of the last line of a successful response; the process id of the successor follows. */
    public static final String DONE = "done ";

    public static final String REFUSED = "refused ";

    /** The command that requests a restart. */
    public static final String REQUEST = "restart";

    /**
     * Maximum wait per message. The new process needs some seconds to load zones of a million names. In a
     * source tree, the launcher first builds the program.
     */
    private static final Duration MAX_WAIT = Duration.ofMinutes(5);

    private static final Logger LOG = LoggerFactory.getLogger(Restarts.class);

    private final Predecessor predecessor;
    private final Path directory;
    private final CountDownLatch stop;
    private final Consumer<String> onSuccessorLost;
    private final Successor.Launch launch;
    private final Duration maxWait;

    /** The control socket; null while it is not open. Guarded by this, like all fields below. */
    private @Nullable ControlSocket control;
    /** The successor process that is starting or has taken over; null if there is none. */
    private @Nullable Successor successor;

    private boolean isTakenOver;
    private boolean closed;

    /**
     * @param directory the directory for Unix sockets
     * @param stop counted down when another process has taken over; this process then drains and ends
     * @param lost called at most once, with the reason, if the other process ends before this process; then no process
     *     serves
     */
    public Restarts(Predecessor predecessor, Path directory, CountDownLatch stop, Consumer<String> lost) {
        this(predecessor, directory, stop, lost, Successor::start, MAX_WAIT);
    }

    /** @param maxWait the maximum wait for each message from the new process */
    Restarts(
            Predecessor predecessor,
            Path directory,
            CountDownLatch stop,
            Consumer<String> lost,
            Successor.Launch launch,
            Duration maxWait) {
        this.predecessor = predecessor;
        this.directory = directory;
        this.stop = stop;
        this.onSuccessorLost = lost;
        this.launch = launch;
        this.maxWait = maxWait;
    }

    /** Starts listening for {@code lb restart}; logs the reason if that is not possible. */
    public synchronized void listen() {
        try {
            control = ControlSocket.open(directory, this::serve);
        } catch (IOException | UnsupportedOperationException e) {
            LOG.info("control_socket=none msg=\"lb restart cannot reach this process\" reason=\"{}\"", ErrorText.of(e));
        }
    }

    private void serve(String request, Consumer<String> answer) {
        if (!request.equals(REQUEST)) {
            answer.accept(REFUSED + request + " (expected: " + REQUEST + ")");
            return;
        }
        try {
            long pid = restart();
            answer.accept(DONE + pid);
        } catch (IOException | RuntimeException e) {
            if (isTakenOver()) {
                LOG.warn("msg=\"the new process has taken over, but not all resources were released\"", e);
                answer.accept(DONE + successorPid());
            } else {
                LOG.warn("restart=refused reason=\"{}\"", ErrorText.of(e));
                answer.accept(REFUSED + ErrorText.of(e));
            }
        } finally {
            if (isTakenOver()) {
                stop.countDown();
            }
        }
    }

    private synchronized boolean isTakenOver() {
        return isTakenOver;
    }

    private synchronized long successorPid() {
        return successor == null ? 0 : successor.pid();
    }

    /**
     * Starts a successor; the caller must then end this process.
     *
     * @return the process id of the successor
     * @throws IOException if the restart failed; the message states the reason, and this process continues
     */
    long restart() throws IOException {
        requireRestartPossible();
        SupervisorNotifier.checkRestartSupported();
        predecessor.blockChanges();
        LOG.info("restart=begun");
        SupervisorNotifier.notifyReloading();
        Path path = directory.resolve("restart-" + ProcessHandle.current().pid() + ".sock");
        try (ProcessLink.Acceptor acceptor = new ProcessLink.Acceptor(path)) {
            Successor next = launch.start(path);
            registerSuccessor(next);
            handOver(acceptor, next);
            return next.pid();
        } catch (IOException | RuntimeException | Error e) {
            if (abortRestart()) {
                predecessor.allowChanges();
                SupervisorNotifier.notifyReady();
            }
            throw e;
        }
    }

    private synchronized void requireRestartPossible() throws IOException {
        if (isTakenOver && successor != null) {
            throw new IOException("process " + successor.pid() + " has taken over already");
        }
        if (closed || stop.getCount() == 0) {
            throw new IOException("this process is shutting down");
        }
    }

    private synchronized void registerSuccessor(Successor next) throws IOException {
        successor = next;
        requireRestartPossible();
    }

    /** Records that the other process serves from now on. */
    private synchronized void markTakenOver() throws IOException {
        requireRestartPossible();
        isTakenOver = true;
    }

    /** Ends the new process if it has not taken over. Returns false if it has taken over. */
    private synchronized boolean abortRestart() {
        if (!isTakenOver && successor != null) {
            successor.kill();
            successor = null;
        }
        return !isTakenOver;
    }

    private void handOver(ProcessLink.Acceptor acceptor, Successor next) throws IOException {
        try (ProcessLink link = acceptor.await(next.pid(), next::isAlive, maxWait)) {
            if (link == null) {
                throw new IOException("the new process exited before it connected, with exit code " + next.exitCode());
            }
            try {
                sendSockets(link);
            } catch (EOFException e) {
                throw new IOException(
                        "the new process exited before it was ready, with exit code " + next.exitCode(), e);
            }
            markTakenOver();
            releaseResources(next.pid());
            try {
                link.send(TakeOver.TAKEN_OVER, TakeOver.STEP_TIMEOUT);
            } catch (IOException e) {
                LOG.warn("msg=\"cannot notify the new process that it has taken over\" reason=\"{}\"", ErrorText.of(e));
            }
            new SuccessorWatch(next, directory, this::onSuccessorLost).start();
        }
    }

    /** Hands the sockets to the new process, and returns when the new process serves. */
    private void sendSockets(ProcessLink link) throws IOException {
        awaitMessage(TakeOver.TAKE_OVER, link);
        List<SharedSocket> sockets = predecessor.sharedSockets();
        link.send(TakeOver.SOCKETS + sockets.size(), TakeOver.STEP_TIMEOUT);
        for (SharedSocket socket : sockets) {
            link.send(socket.name().text(), TakeOver.STEP_TIMEOUT);
            link.sendDescriptor(socket.fd(), TakeOver.STEP_TIMEOUT);
        }
        String ports = predecessor.vacatedPorts().stream().map(String::valueOf).collect(Collectors.joining(" "));
        link.send(TakeOver.VACATED + ports, TakeOver.STEP_TIMEOUT);
        awaitMessage(TakeOver.READY, link);
    }

    private void awaitMessage(String expected, ProcessLink link) throws IOException {
        String answer = link.receive(maxWait);
        if (answer.startsWith(TakeOver.FAILED)) {
            throw new IOException("the new process did not start: " + answer.substring(TakeOver.FAILED.length()));
        }
        if (!answer.equals(expected)) {
            throw new IOException(
                    "unexpected message from the new process: " + answer + " (expected: " + expected + ")");
        }
    }

    private void releaseResources(long pid) {
        LOG.info("restart=done process={}", pid);
        try {
            try {
                predecessor.release();
            } finally {
                closeControl(); // the path now belongs to the socket of the new process
            }
        } catch (IOException | RuntimeException e) {
            LOG.error("msg=\"cannot hand over all resources to the new process\"", e);
        }
        SupervisorNotifier.notifyMainProcess(pid);
    }

    private void onSuccessorLost(String reason) {
        if (!isClosed()) {
            onSuccessorLost.accept(reason);
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized void closeControl() throws IOException {
        if (control != null) {
            control.close();
            control = null;
        }
    }

    /**
     * Stops accepting restart requests. Ends the new process if it has started but not taken over yet, because
     * this process is stopping.
     */
    @Override
    public synchronized void close() throws IOException {
        closed = true;
        abortRestart();
        closeControl();
    }
}
