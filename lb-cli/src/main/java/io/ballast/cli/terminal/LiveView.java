package io.ballast.cli.terminal;

import io.ballast.core.ErrorText;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

/**
 * Redraws lines at a fixed interval until the user quits or the process ends. An instance can be used only
 * once, and by one thread.
 */
public final class LiveView {

    /**
     * Switches to the terminal's alternate screen and hides the cursor; leaving that screen restores the previous
     * content.
     */
    private static final String ENTER_ALTERNATE_SCREEN = "\u001b[?1049h\u001b[?25l";

    private static final String LEAVE_ALTERNATE_SCREEN = "\u001b[?25h\u001b[?1049l";
    private static final String CURSOR_HOME = "\u001b[H";
    private static final String CLEAR_REST_OF_LINE = "\u001b[K";
    private static final String CLEAR_REST_OF_SCREEN = "\u001b[J";

    private final Screen screen;
    private final Duration interval;
    private final PrintWriter out;

    /** Whether the terminal has been restored. Nothing is drawn after that. Guarded by this. */
    private boolean ended;

    public LiveView(Screen screen, Duration pace, PrintWriter out) {
        this.screen = screen;
        this.interval = pace;
        this.out = out;
    }

    /** Supplies the lines to draw. */
    @FunctionalInterface
    public interface Lines {

        /** @throws IOException if the lines cannot be read; the message contains the reason */
        List<String> read() throws IOException;
    }

    /**
     * Draws until the user quits or the process ends. If later reads fail, the error is shown below the last
     * lines.
     *
     * @throws IOException if the first lines cannot be read
     */
    public void run(Lines lines) throws IOException {
        List<String> known = lines.read();
        screen.onExit(this::leaveScreen);
        enterScreen();
        try {
            draw(known, "");
            while (!screen.awaitQuit(interval)) {
                String problem = "";
                try {
                    known = lines.read();
                } catch (IOException e) {
                    problem = ErrorText.of(e) + "; trying again";
                }
                draw(known, problem);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            leaveScreen();
        }
    }

    private synchronized void enterScreen() {
        if (!ended) {
            out.print(ENTER_ALTERNATE_SCREEN);
        }
    }

    /** Restores the terminal; later calls do nothing. */
    private synchronized void leaveScreen() {
        if (!ended) {
            ended = true;
            out.print(LEAVE_ALTERNATE_SCREEN);
            out.flush();
        }
    }

    private void draw(List<String> lines, String problem) {
        Screen.Size size = screen.size();
        int columns = Math.max(1, size.columns());
        int shown = Math.min(lines.size(), Math.max(2, size.rows()) - 1);
        StringBuilder frame = new StringBuilder(CURSOR_HOME);
        for (String line : lines.subList(0, shown)) {
            frame.append(truncate(line, columns)).append(CLEAR_REST_OF_LINE).append("\r\n");
        }
        int hidden = lines.size() - shown;
        String last =
                problem.isEmpty() ? (hidden > 0 ? "press q to quit; " + hidden + " more" : "press q to quit") : problem;
        print(frame.append(truncate(last, columns)).append(CLEAR_REST_OF_LINE).append(CLEAR_REST_OF_SCREEN));
    }

    private synchronized void print(StringBuilder frame) {
        if (!ended) {
            out.print(frame);
            out.flush();
        }
    }

    private static String truncate(String line, int columns) {
        return line.substring(0, Math.min(line.length(), columns));
    }
}
