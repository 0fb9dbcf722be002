package io.ballast.server.restart;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the end of the process that has taken over, while the one before it finishes what runs there. A supervisor does not
 * see that end, since the process is not its child before its parent has ended.
 *
 * <p>Thread safety: {@link #start} is called once.
 */
final class SuccessorWatch {

    private static final Logger LOG = LoggerFactory.getLogger(SuccessorWatch.class);
    private static final int ENDED = 0;
    private static final int BY_SIGINT = 128 + 2;
    private static final int BY_SIGTERM = 128 + 15;

    /** The exit codes after a requested end: 0, or the codes of Java and the system for an unhandled signal. */
    private static final Set<Integer> AS_TOLD = Set.of(ENDED, BY_SIGINT, BY_SIGTERM);

    private final Successor successor;
    private final Path directory;
    private final Consumer<String> lost;

    /**
     * @param directory the directory in which the serving process listens for commands
     * @param lost called with the reason if the successor ends and no process serves in its place
     */
    SuccessorWatch(Successor successor, Path directory, Consumer<String> lost) {
        this.successor = successor;
        this.directory = directory;
        this.lost = lost;
    }

    void start() {
        Thread thread = new Thread(this::watch, "successor-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        try {
            await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns when the process has ended and that is dealt with. */
    void await() throws InterruptedException {
        int code = successor.awaitEnd();
        String what = "process " + successor.pid() + ", which took over, ended with exit code " + code;
        if (AS_TOLD.contains(code)) {
            LOG.info("msg=\"{}\"", what);
        } else if (hasHandedOver()) {
            LOG.warn("msg=\"{}, but another process serves now\"", what);
        } else {
            lost.accept(what);
        }
    }

    /** The sockets of a process that has ended are closed: if one listens, it is of a process that took over from that. */
    private boolean hasHandedOver() {
        try {
            return ControlSocket.isServed(directory.resolve(ControlSocket.NAME));
        } catch (IOException e) {
            LOG.debug("whether another process serves is not known", e);
            return false;
        }
    }
}
