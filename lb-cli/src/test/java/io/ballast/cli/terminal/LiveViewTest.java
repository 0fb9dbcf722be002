package io.ballast.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LiveViewTest {

    private static final String HOME = "\u001b[H";

    private final StringWriter text = new StringWriter();

    @Test
    void drawsUntilStoppedAndRestoresTerminal() throws Exception {
        int[] read = {0};

        view(new ShortScreen(2, 10, 80)).run(() -> List.of("table " + ++read[0]));

        assertThat(frames()).hasSize(3);
        assertThat(frames().get(2)).contains("table 3").contains("press q to quit");
        assertThat(text.toString()).startsWith("\u001b[?1049h").endsWith("\u001b[?25h\u001b[?1049l");
    }

    @Test
    void showsRowsThatFitAndCountsRest() throws Exception {
        List<String> lines = IntStream.range(0, 10).mapToObj(i -> "line " + i).toList();

        view(new ShortScreen(0, 5, 5)).run(() -> lines);

        String frame = frames().get(0);
        assertThat(frame).contains("line ").doesNotContain("line 0");
        assertThat(frame.split("\r\n")).hasSize(5);
        text.getBuffer().setLength(0);
        view(new ShortScreen(0, 5, 80)).run(() -> lines);
        assertThat(frames().get(0)).contains("line 3").doesNotContain("line 4").contains("6 more");
    }

    @Test
    void keepsLastDataWithoutResponse() throws Exception {
        int[] read = {0};

        view(new ShortScreen(2, 10, 80)).run(() -> {
            if (++read[0] == 2) {
                throw new IOException("no answer");
            }
            return List.of("table " + read[0]);
        });

        assertThat(frames().get(1)).contains("table 1").contains("no answer; trying again");
        assertThat(frames().get(2)).contains("table 3").doesNotContain("no answer");
    }

    @Test
    void readsSizeOncePerFrame() throws Exception {
        ShortScreen screen = new ShortScreen(2, 10, 80);

        view(screen).run(() -> List.of("one", "two", "three"));

        assertThat(frames()).hasSize(3);
        assertThat(screen.measured).isEqualTo(3);
    }

    @Test
    void shutdownRestoresTerminal() throws Exception {
        ShortScreen screen = new ShortScreen(2, 10, 80);
        int[] read = {0};

        view(screen).run(() -> {
            if (++read[0] == 2) {
                screen.last.run();
            }
            return List.of("table " + read[0]);
        });

        assertThat(read[0]).isEqualTo(3);
        assertThat(frames()).hasSize(1);
        assertThat(text.toString()).containsOnlyOnce("\u001b[?1049l").endsWith("\u001b[?25h\u001b[?1049l");
    }

    @Test
    void drawsNothingWithoutResponse() {
        LiveView view = view(new ShortScreen(2, 10, 80));

        assertThatThrownBy(() -> view.run(() -> {
                    throw new IOException("no answer");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("no answer");
        assertThat(text.toString()).isEmpty();
    }

    private LiveView view(Screen screen) {
        return new LiveView(screen, Duration.ofSeconds(1), new PrintWriter(text));
    }

    private List<String> frames() {
        String[] parts = text.toString().split(java.util.regex.Pattern.quote(HOME));
        return List.of(parts).subList(1, parts.length);
    }

    /** A screen whose user quits after a number of frames. Waits end immediately. */
    private static final class ShortScreen implements Screen {

        private final Size size;
        private int left;
        private int measured;
        private Runnable last = () -> {};

        ShortScreen(int waits, int rows, int columns) {
            this.left = waits;
            this.size = new Size(rows, columns);
        }

        @Override
        public Size size() {
            measured++;
            return size;
        }

        @Override
        public void onExit(Runnable last) {
            this.last = last;
        }

        @Override
        public boolean awaitQuit(Duration time) {
            return left-- <= 0;
        }
    }
}
