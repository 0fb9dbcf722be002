package io.ballast.server.host;

import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.ballast.config.LogConfig.Format;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Writes events in a format that may change while the process runs. Thread safety: any thread. */
final class LogLines extends EncoderBase<ILoggingEvent> {

    private static final String PATTERN =
            "time=%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX,UTC} level=%level thread=\"%thread\" logger=%logger{20} %msg%nopex";

    private static final byte[] NOTHING = {};

    private final PatternLayout text = new PatternLayout();
    private volatile Format format = Format.TEXT;

    public void format(Format next) {
        format = next;
    }

    @Override
    public void start() {
        text.setContext(getContext());
        text.setPattern(PATTERN);
        text.start();
        super.start();
    }

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        String lines = format == Format.JSON ? Json.line(event) : textLines(event);
        return lines.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Returns the event as one line, and its exception as lines that begin with a tab. Messages may contain text from
     * clients and other servers, which must neither look like another event nor control the terminal.
     */
    private String textLines(ILoggingEvent event) {
        String line = withoutControls(text.doLayout(event)) + System.lineSeparator();
        IThrowableProxy exception = event.getThrowableProxy();
        if (exception == null) {
            return line;
        }
        StringBuilder lines = new StringBuilder(line);
        ThrowableProxyUtil.asString(exception)
                .lines()
                .forEach(each -> lines.append('\t')
                        .append(withoutControls(each.stripLeading()))
                        .append(System.lineSeparator()));
        return lines.toString();
    }

    /** Escapes control characters as in Java; returns the value itself if there are none. */
    private static String withoutControls(String value) {
        return value.chars().noneMatch(Character::isISOControl) ? value : escaped(value);
    }

    private static String escaped(String value) {
        StringBuilder escaped = new StringBuilder(value.length() + 16);
        value.chars().forEach(each -> {
            switch (each) {
                case '\n' -> escaped.append("\\n");
                case '\r' -> escaped.append("\\r");
                case '\t' -> escaped.append("\\t");
                default -> {
                    if (Character.isISOControl(each)) {
                        escaped.append(String.format(Locale.ROOT, "\\u%04x", each));
                    } else {
                        escaped.append((char) each);
                    }
                }
            }
        });
        return escaped.toString();
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }

    /** A separate class, so that a start with text format does not load JSON support. */
    private static final class Json {

        private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                        "yyyy-MM-dd'T'HH:mm:ss.SSSX", Locale.ROOT)
                .withZone(ZoneOffset.UTC);

        private static String line(ILoggingEvent event) {
            StringBuilder line = new StringBuilder(256);
            add(line, "{\"time\":\"", TIME.format(Instant.ofEpochMilli(event.getTimeStamp())));
            add(line, "\",\"level\":\"", event.getLevel().toString());
            add(line, "\",\"thread\":\"", event.getThreadName());
            add(line, "\",\"logger\":\"", event.getLoggerName());
            add(line, "\",\"message\":\"", String.valueOf(event.getFormattedMessage())); // null becomes "null"
            IThrowableProxy exception = event.getThrowableProxy();
            if (exception != null) {
                add(line, "\",\"exception\":\"", ThrowableProxyUtil.asString(exception));
            }
            return line.append("\"}\n").toString();
        }

        private static void add(StringBuilder line, String before, String value) {
            line.append(before);
            JsonStringEncoder.getInstance().quoteAsString(value, line);
        }
    }
}
