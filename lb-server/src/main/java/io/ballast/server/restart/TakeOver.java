package io.ballast.server.restart;

import io.ballast.core.ErrorText;
import io.ballast.net.takeover.InheritedSockets;
import io.ballast.net.takeover.ProcessLink;
import io.ballast.net.takeover.SharedSocket;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The new process's side of a restart: receives the sockets from the process that started it, reports that it
 * is serving, and waits until the old process has stopped.
 *
 * <p>Thread safety: confined to the thread that starts the process.
 */
public final class TakeOver implements AutoCloseable {

    /** The environment variable with the Unix socket on which the previous process waits. */
    static final String SOCKET_VARIABLE = "BALLAST_TAKE_OVER";

    /**
     * The first message. It contains the protocol version, because the two processes may run different
     * versions.
     */
    static final String TAKE_OVER = "take over, protocol 1";

    static final String SOCKETS = "sockets ";
    static final String VACATED = "vacated ";
    static final String READY = "ready";
    static final String FAILED = "failed ";
    static final String TAKEN_OVER = "yours";

    /** Time limit for each step of the takeover that should complete at once. */
    static final Duration STEP_TIMEOUT = Duration.ofSeconds(10);

    /**
     * Time limit for the other process to stop accepting connections. This includes the time to close a
     * dashboard and hundreds of sockets.
     */
    static final Duration RELEASE_TIMEOUT = Duration.ofSeconds(30);

    static final int MAX_SOCKETS = 65_536;
    private static final int MAX_PORT = 65_535;
    private static final Logger LOG = LoggerFactory.getLogger(TakeOver.class);

    private final ProcessLink link;
    private final Duration maxWait;
    private boolean isComplete;

    private TakeOver(ProcessLink link, Duration maxWait) {
        this.link = link;
        this.maxWait = maxWait;
    }

    /**
     * Connects to the process that started this one; empty if this process was not started by a restart.
     *
     * @throws IOException if that process does not listen
     */
    public static Optional<TakeOver> ofEnvironment() throws IOException {
        String path = System.getenv(SOCKET_VARIABLE);
        return path == null ? Optional.empty() : Optional.of(connect(Path.of(path), STEP_TIMEOUT));
    }

    /**
     * @param maxWait the time limit for each message from the other process
     * @throws IOException if no process listens at {@code path}
     */
    static TakeOver connect(Path path, Duration maxWait) throws IOException {
        return new TakeOver(ProcessLink.connect(path), maxWait);
    }

    /**
     * Receives the sockets of the other process, which continues to use them. Called once, as late as possible:
     * blocking sockets become non-blocking in both processes, and stay non-blocking until the new process uses them.
     *
     * @throws IOException if that process does not hand them over; all received sockets are closed then
     */
    public InheritedSockets receiveSockets() throws IOException {
        InheritedSockets sockets = new InheritedSockets();
        try {
            link.send(TAKE_OVER, maxWait);
            int count = parseNumber(receive(SOCKETS), MAX_SOCKETS);
            for (int i = 0; i < count; i++) {
                SharedSocket.Name name = SharedSocket.Name.parse(link.receive(maxWait));
                sockets.add(new SharedSocket(name, link.receiveDescriptor(maxWait)));
            }
            for (String port : receive(VACATED).split(" ", -1)) {
                if (!port.isEmpty()) {
                    sockets.addVacated(parseNumber(port, MAX_PORT));
                }
            }
            LOG.info("msg=\"taking over\" sockets={}", count);
            return sockets;
        } catch (IllegalArgumentException e) {
            sockets.close();
            throw new IOException("invalid message from the previous process: " + ErrorText.of(e), e);
        } catch (IOException | RuntimeException | Error e) {
            sockets.close();
            throw e;
        }
    }

    private String receive(String begin) throws IOException {
        String line = link.receive(maxWait);
        if (!line.startsWith(begin)) {
            throw new IOException(
                    "unexpected message from the previous process: " + line + " (expected: " + begin.strip() + ")");
        }
        return line.substring(begin.length());
    }

    private static int parseNumber(String text, int max) throws IOException {
        if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) > max) {
            throw new IOException(
                    "invalid number from the previous process: " + text + " (expected: 0 to " + max + ")");
        }
        return Integer.parseInt(text);
    }

    /**
     * Reports that this process is serving, and waits until the old process has stopped accepting connections or has
     * ended. No further messages are possible afterwards.
     */
    public void complete() {
        isComplete = true;
        try {
            link.send(READY, maxWait);
            String answer = link.receive(RELEASE_TIMEOUT);
            if (!answer.equals(TAKEN_OVER)) {
                LOG.warn("msg=\"the previous process reported {}\"", answer);
            }
        } catch (EOFException e) {
            LOG.warn("msg=\"the previous process has ended\"");
        } catch (IOException e) {
            LOG.warn("msg=\"the previous process does not respond\" reason=\"{}\"", ErrorText.of(e));
        } finally {
            close();
        }
    }

    /** Reports to the old process why this process does not start. Does nothing after {@link #complete}. */
    public void reportFailure(String why) {
        if (isComplete) {
            return;
        }
        try {
            link.send(FAILED + why, maxWait);
        } catch (IOException e) {
            LOG.debug("cannot report why this process failed to start", e);
        }
    }

    @Override
    public void close() {
        try {
            link.close();
        } catch (IOException e) {
            LOG.debug("the other process has ended", e);
        }
    }
}
