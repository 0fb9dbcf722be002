package io.ballast.cli.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The controlling terminal, configured with {@code stty}: keys are available immediately and not echoed. It
 * is restored by {@link #close}, or when the process ends, after the action of {@link #onExit}. The user
 * quits with the key q, or by ending the input.
 */
public final class Terminal implements Screen, AutoCloseable {

    private static final Size DEFAULT_SIZE = new Size(24, 80);
    private static final Pattern SIZE = Pattern.compile("([1-9][0-9]{0,4}) ([1-9][0-9]{0,4})");
    private static final int MAX_KEYS = 16;
    private static final long TIMEOUT_SECONDS = 5;
    private static final int END_OF_INPUT = -1;

    private final BlockingQueue<Integer> keys = new LinkedBlockingQueue<>(MAX_KEYS);
    private final String savedSettings;
    private final Thread shutdownHook;

    private volatile Runnable exitAction = () -> {};

    private Terminal(String former, InputStream input) {
        this.savedSettings = former;
        this.shutdownHook = new Thread(this::runExitAction, "terminal-restore");
        Runtime.getRuntime().addShutdownHook(shutdownHook);
        Thread reading = new Thread(() -> readKeys(input), "terminal-keys");
        reading.setDaemon(true);
        reading.start();
    }

    /** Opens the terminal, if both input and output are a terminal and the system permits its use. */
    public static Optional<Terminal> open() {
        Optional<String> former = isTerminal() ? shell("stty -g < /dev/tty") : Optional.empty();
        if (former.isEmpty() || shell("stty -icanon -echo min 1 < /dev/tty").isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Terminal(former.get(), System.in));
    }

    @Override
    public Size size() {
        Matcher size = SIZE.matcher(shell("stty size < /dev/tty").orElse(""));
        return size.matches()
                ? new Size(Integer.parseInt(size.group(1)), Integer.parseInt(size.group(2)))
                : DEFAULT_SIZE;
    }

    @Override
    public void onExit(Runnable last) {
        this.exitAction = last;
    }

    @Override
    public boolean awaitQuit(Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            Integer key = keys.poll(left, TimeUnit.NANOSECONDS);
            if (key != null && (key == 'q' || key == 'Q' || key == END_OF_INPUT)) {
                return true;
            }
        }
        return false;
    }

    private void readKeys(InputStream input) {
        try {
            int key = input.read();
            while (key != END_OF_INPUT) {
                keys.put(key);
                key = input.read();
            }
            keys.put(END_OF_INPUT);
        } catch (IOException e) {
            boolean unused = keys.offer(END_OF_INPUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void runExitAction() {
        exitAction.run();
        restore();
    }

    private void restore() {
        Optional<String> unused = shell("stty " + savedSettings + " < /dev/tty");
    }

    @Override
    public void close() {
        restore();
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException e) {
            return; // The JVM is already shutting down; its shutdown hook restores the terminal again.
        }
    }

    private static boolean isTerminal() {
        return run(new ProcessBuilder("sh", "-c", "test -t 0 && test -t 1").inheritIO())
                .isPresent();
    }

    /** Returns the output of a shell command; empty if it fails. */
    private static Optional<String> shell(String command) {
        return run(new ProcessBuilder("sh", "-c", command).redirectError(ProcessBuilder.Redirect.DISCARD));
    }

    private static Optional<String> run(ProcessBuilder command) {
        try {
            Process process = command.start();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return Optional.empty();
            }
            return process.exitValue() == 0 ? Optional.of(text) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
