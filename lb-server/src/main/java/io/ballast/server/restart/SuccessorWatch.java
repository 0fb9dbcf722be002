package io.ballast.server.restart;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the end of the process that has taken over, while the previous process drains. A supervisor does not notice
 * this end, because the new process becomes its child only after the previous process has ended.
 *
 * <p>Thread safety: {@link #start} is called once.
 */
final class SuccessorWatch {

    private static final Logger LOG = LoggerFactory.getLogger(SuccessorWatch.class);
    private static final int EXIT_SUCCESS = 0;
    private static final int EXIT_SIGINT = 128 + 2;
    private static final int EXIT_SIGTERM = 128 + 15;

    /**
     * The exit codes of a process that was asked to end: 0, or the codes of Java and the system for an
     * unhandled signal.
     */
    private static final Set<Integer> REQUESTED_EXIT_CODES = Set.of(EXIT_SUCCESS, EXIT_SIGINT, EXIT_SIGTERM);

    private final Successor successor;
    private final Path directory;
    private final Consumer<String> onSuccessorLost;

    /**
     * @param directory the directory in which the serving process listens for commands
     * @param lost called with the reason if the successor ends and no process serves in its place
     */
    SuccessorWatch(Successor successor, Path directory, Consumer<String> lost) {
        this.successor = successor;
        this.directory = directory;
        this.onSuccessorLost = lost;
    }

    void start() {
        Thread thread = new Thread(this::watch, "successor-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        try {
            awaitEnd();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits until the successor process ends. Logs the end if it is expected or another process serves; otherwise
     * reports the loss of the successor.
     */
    void awaitEnd() throws InterruptedException {
        int code = successor.awaitEnd();
        String what = "process " + successor.pid() + ", which took over, ended with exit code " + code;
        if (REQUESTED_EXIT_CODES.contains(code)) {
            LOG.info("msg=\"{}\"", what);
        } else if (hasHandedOver()) {
            LOG.warn("msg=\"{}, but another process is serving\"", what);
        } else {
            onSuccessorLost.accept(what);
        }
    }

    /**
     * Whether another process has taken over from the process that ended. The operating system closes the sockets
     * of an ended process, so a listening control socket belongs to the process that took over.
     */
    private boolean hasHandedOver() {
        try {
            return ControlSocket.isServed(directory.resolve(ControlSocket.NAME));
        } catch (IOException e) {
            LOG.debug("cannot determine whether another process is serving", e);
            return false;
        }
    }
}
