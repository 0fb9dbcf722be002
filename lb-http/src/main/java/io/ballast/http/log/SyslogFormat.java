package io.ballast.http.log;

import io.ballast.core.log.SyslogTarget;
import io.ballast.http.config.SyslogConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * Formats an entry as a syslog message (RFC 5424) whose text is a line of another format:
 *
 * <pre>
 * &lt;PRI&gt;1 TIMESTAMP HOSTNAME APP-NAME PROCID access [meta sequenceId="1"] text
 * </pre>
 *
 * Data from clients is only in the text, in which the other format has escaped control characters. A text that is too
 * long is truncated.
 */
final class SyslogFormat implements LogFormat {

    private static final int INFORMATIONAL = 6;
    private static final int SEVERITIES = 8;
    private static final int MILLIS_OF_SECOND = 1000;
    private static final Path SYSTEM_NAME = Path.of("/proc/sys/kernel/hostname");
    private static final String UNKNOWN = "-";

    private final String beforeTime;
    private final String afterTime;
    private final int maxBytes;
    private final LogFormat text;
    private final SyslogTarget target;
    private long second = Long.MIN_VALUE;
    private String timestamp = "";

    SyslogFormat(SyslogConfig config, LogFormat text, SyslogTarget target) {
        this.beforeTime = "<" + (config.facility().ordinal() * SEVERITIES + INFORMATIONAL) + ">1 ";
        this.afterTime = "Z " + config.hostname().orElseGet(SyslogFormat::systemName) + " " + config.appName() + " "
                + ProcessHandle.current().pid() + " access [meta sequenceId=\"";
        this.maxBytes = config.maxBytes();
        this.text = text;
        this.target = target;
    }

    private static String systemName() {
        try {
            String name = Files.readString(SYSTEM_NAME).strip();
            return name.matches("[!-~]{1,255}") ? name : UNKNOWN;
        } catch (IOException e) {
            return UNKNOWN; // the value for an unknown name (RFC 5424 section 6.2.4)
        }
    }

    @Override
    public void append(LogRecord entry, long epochMillis, LogLine line) {
        int start = line.length();
        time(epochMillis, line.ascii(beforeTime));
        line.ascii(afterTime).number(target.nextSequenceId()).ascii("\"] ");
        text.append(entry, epochMillis, line);
        if (line.length() - 1 - start > maxBytes) { // the line ends with a line feed, which is not sent
            truncate(line, start + maxBytes);
        }
    }

    private static void truncate(LogLine line, int max) {
        int end = max;
        while ((line.bytes()[end] & 0xC0) == 0x80) { // do not cut a UTF-8 character
            end--;
        }
        line.truncate(end);
        line.append((byte) '\n');
    }

    private void time(long epochMillis, LogLine line) {
        long now = Math.floorDiv(epochMillis, MILLIS_OF_SECOND);
        if (now != second) {
            second = now;
            String whole = Instant.ofEpochSecond(now).toString();
            timestamp = whole.substring(0, whole.length() - 1);
        }
        line.ascii(timestamp).append((byte) '.').padded(Math.floorMod(epochMillis, MILLIS_OF_SECOND), 3);
    }
}
