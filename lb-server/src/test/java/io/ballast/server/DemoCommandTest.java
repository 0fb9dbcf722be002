package io.ballast.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

class DemoCommandTest {

    private static final Pattern CONFIG = Pattern.compile("config\\s+(\\S+)");

    @Test
    @Timeout(30)
    void removesItsFileAndFolderWhenItEnds() {
        CountDownLatch stop = new CountDownLatch(1);
        FileSeen out = new FileSeen(stop);

        int code = new CommandLine(new DemoCommand(stop))
                .setOut(new PrintWriter(out))
                .execute();

        assertThat(code).isZero();
        assertThat(out.existed).isTrue();
        assertThat(out.file).doesNotExist();
        assertThat(out.file.getParent()).doesNotExist();
    }

    /** Reads the invitation, notes whether the file that it names is there, and ends the demonstration. */
    private static final class FileSeen extends StringWriter {

        private final CountDownLatch stop;
        private Path file = Path.of("none");
        private boolean existed;

        FileSeen(CountDownLatch stop) {
            this.stop = stop;
        }

        @Override
        public void flush() {
            Matcher named = CONFIG.matcher(toString());
            if (named.find()) {
                file = Path.of(named.group(1));
                existed = Files.exists(file);
                stop.countDown();
            }
        }
    }
}
