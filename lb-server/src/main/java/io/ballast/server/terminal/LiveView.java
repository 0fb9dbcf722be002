package io.ballast.server.terminal;

import io.ballast.core.ErrorText;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

/**
 * Redraws lines at a steady pace until the user quits or the process ends. Use once, by one thread.
 */
public final class LiveView {

    /** The alternate screen of the terminal, which restores the previous content; hides the cursor. */
    private static final String BEGIN = "\u001b[?1049h\u001b[?25l";

    private static final String END = "\u001b[?25h\u001b[?1049l";
    private static final String TOP_LEFT = "\u001b[H";
    private static final String REST_OF_LINE = "\u001b[K";
    private static final String REST_OF_PAGE = "\u001b[J";

    private final Screen screen;
    private final Duration pace;
    private final PrintWriter out;

    /** Whether the terminal has been restored: nothing may be drawn then. Guarded by this. */
    private boolean ended;

    public LiveView(Screen screen, Duration pace, PrintWriter out) {
        this.screen = screen;
        this.pace = pace;
        this.out = out;
    }

    /** Supplies the lines. */
    @FunctionalInterface
    public interface Lines {

        /** @throws IOException if there are no new lines; the message contains the reason */
        List<String> read() throws IOException;
    }

    /**
     * Draws until the end. If later reads fail, the error is shown below the last lines.
     *
     * @throws IOException if the first lines cannot be read
     */
    public void run(Lines lines) throws IOException {
        List<String> known = lines.read();
        screen.onExit(this::end);
        begin();
        try {
            draw(known, "");
            while (!screen.endsWithin(pace)) {
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
            end();
        }
    }

    private synchronized void begin() {
        if (!ended) {
            out.print(BEGIN);
        }
    }

    /** Restores the terminal, once. */
    private synchronized void end() {
        if (!ended) {
            ended = true;
            out.print(END);
            out.flush();
        }
    }

    private void draw(List<String> lines, String problem) {
        Screen.Size size = screen.size();
        int columns = Math.max(1, size.columns());
        int shown = Math.min(lines.size(), Math.max(2, size.rows()) - 1);
        StringBuilder frame = new StringBuilder(TOP_LEFT);
        for (String line : lines.subList(0, shown)) {
            frame.append(cut(line, columns)).append(REST_OF_LINE).append("\r\n");
        }
        int hidden = lines.size() - shown;
        String last = problem.isEmpty() ? (hidden > 0 ? "q ends; " + hidden + " more" : "q ends") : problem;
        print(frame.append(cut(last, columns)).append(REST_OF_LINE).append(REST_OF_PAGE));
    }

    private synchronized void print(StringBuilder frame) {
        if (!ended) {
            out.print(frame);
            out.flush();
        }
    }

    private static String cut(String line, int columns) {
        return line.substring(0, Math.min(line.length(), columns));
    }
}
