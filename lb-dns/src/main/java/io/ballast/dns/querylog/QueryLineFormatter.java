package io.ballast.dns.querylog;

import io.ballast.dns.config.DnsQueryLogConfig.Format;
import java.time.Instant;
import java.util.Locale;

/** Formats a query as a log line. Confined to the log's thread. */
final class QueryLineFormatter {

    private static final long MICROS_PER_MILLI = 1000;

    private final Format format;

    QueryLineFormatter(Format format) {
        this.format = format;
    }

    /** Appends one line in ASCII, including its line terminator. */
    void append(AnsweredQuery query, StringBuilder line) {
        switch (format) {
            case JSON -> appendJson(query, line);
            case TEXT -> appendText(query, line);
        }
        line.append('\n');
    }

    private static void appendJson(AnsweredQuery query, StringBuilder line) {
        line.append("{\"time\":\"").append(time(query)).append('"');
        appendField("client", query.client(), line);
        appendField("transport", query.transport(), line);
        appendField("name", query.name(), line);
        appendField("type", query.type(), line);
        appendField("rcode", query.rcode(), line);
        appendField("outcome", outcome(query), line);
        appendField("by", query.decider(), line);
        line.append(",\"total_ms\":");
        appendMillis(query, line);
        line.append(",\"bytes_out\":").append(query.responseBytes()).append('}');
    }

    private static void appendField(String name, String value, StringBuilder line) {
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
            } else if (isPrintable(character)) {
                line.append(character);
            } else {
                line.append(String.format("\\u%04x", (int) character));
            }
        }
        line.append('"');
    }

    private static void appendText(AnsweredQuery query, StringBuilder line) {
        line.append(time(query));
        appendWord(query.client(), line);
        appendWord(query.transport(), line);
        appendWord(query.name(), line);
        appendWord(query.type(), line);
        appendWord(query.rcode(), line);
        appendWord(outcome(query), line);
        appendWord(query.decider(), line);
        line.append(' ');
        appendMillis(query, line);
        line.append("ms ").append(query.responseBytes());
    }

    private static void appendWord(String value, StringBuilder line) {
        line.append(' ');
        if (value.isEmpty()) {
            line.append('-');
        }
        for (int i = 0; i < value.length(); i++) {
            char character = value.charAt(i);
            line.append(isPrintable(character) && character != ' ' ? character : '_');
        }
    }

    private static boolean isPrintable(char character) {
        return character >= ' ' && character < 0x7f;
    }

    private static Instant time(AnsweredQuery query) {
        return Instant.ofEpochMilli(query.epochMillis());
    }

    private static String outcome(AnsweredQuery query) {
        return query.outcome().name().toLowerCase(Locale.ROOT);
    }

    private static void appendMillis(AnsweredQuery query, StringBuilder line) {
        long micros = Math.max(0, query.micros());
        line.append(micros / MICROS_PER_MILLI).append('.');
        long remainder = micros % MICROS_PER_MILLI;
        line.append(remainder / 100).append(remainder / 10 % 10).append(remainder % 10);
    }
}
