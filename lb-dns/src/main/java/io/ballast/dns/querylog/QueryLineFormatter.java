package io.ballast.dns.querylog;

import io.ballast.dns.config.DnsQueryLogConfig.Format;
import java.time.Instant;
import java.util.Locale;

/** Formats a query as a log line. Confined to the log's thread. */
final class QueryLineFormatter {

    private static final long MICROS_OF_MILLI = 1000;

    private final Format format;

    QueryLineFormatter(Format format) {
        this.format = format;
    }

    /** Appends one line with its line end, in ASCII. */
    void append(AnsweredQuery query, StringBuilder line) {
        switch (format) {
            case JSON -> json(query, line);
            case TEXT -> text(query, line);
        }
        line.append('\n');
    }

    private static void json(AnsweredQuery query, StringBuilder line) {
        line.append("{\"time\":\"").append(time(query)).append('"');
        field("client", query.client(), line);
        field("transport", query.transport(), line);
        field("name", query.name(), line);
        field("type", query.type(), line);
        field("rcode", query.rcode(), line);
        field("outcome", outcome(query), line);
        field("by", query.by(), line);
        line.append(",\"total_ms\":");
        millis(query, line);
        line.append(",\"bytes_out\":").append(query.responseBytes()).append('}');
    }

    private static void field(String name, String value, StringBuilder line) {
        line.append(",\"").append(name).append("\":");
        if (value.isEmpty()) {
            line.append("null");
            return;
        }
        line.append('"');
        for (int i = 0; i < value.length(); i++) {
            char character = value.charAt(i);
            if (character == '"' || character == '\\') {
                line.append('\\').append(character);
            } else if (isPrinted(character)) {
                line.append(character);
            } else {
                line.append(String.format("\\u%04x", (int) character));
            }
        }
        line.append('"');
    }

    private static void text(AnsweredQuery query, StringBuilder line) {
        line.append(time(query));
        word(query.client(), line);
        word(query.transport(), line);
        word(query.name(), line);
        word(query.type(), line);
        word(query.rcode(), line);
        word(outcome(query), line);
        word(query.by(), line);
        line.append(' ');
        millis(query, line);
        line.append("ms ").append(query.responseBytes());
    }

    private static void word(String value, StringBuilder line) {
        line.append(' ');
        if (value.isEmpty()) {
            line.append('-');
        }
        for (int i = 0; i < value.length(); i++) {
            char character = value.charAt(i);
            line.append(isPrinted(character) && character != ' ' ? character : '_');
        }
    }

    private static boolean isPrinted(char character) {
        return character >= ' ' && character < 0x7f;
    }

    private static Instant time(AnsweredQuery query) {
        return Instant.ofEpochMilli(query.epochMillis());
    }

    private static String outcome(AnsweredQuery query) {
        return query.outcome().name().toLowerCase(Locale.ROOT);
    }

    private static void millis(AnsweredQuery query, StringBuilder line) {
        long micros = Math.max(0, query.micros());
        line.append(micros / MICROS_OF_MILLI).append('.');
        long rest = micros % MICROS_OF_MILLI;
        line.append(rest / 100).append(rest / 10 % 10).append(rest % 10);
    }
}
