package io.ballast.dashboard.csv;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * One record of comma-separated values (<a href="https://datatracker.ietf.org/doc/html/rfc4180">RFC 4180</a>), in UTF-8,
 * ended by CRLF. A text that a spreadsheet would take for a formula gets an apostrophe in front: texts of checks are what
 * backends sent. Confined to one thread.
 */
final class CsvLine {

    /** And the same as East Asian keyboards have them. */
    private static final String FORMULA = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20";

    private static final double DECIMALS = 1000;

    private final StringBuilder line = new StringBuilder();
    private boolean begun;

    CsvLine text(String value) {
        begin();
        String plain = isFormula(value) ? "'" + value : value;
        if (plain.chars().noneMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n')) {
            line.append(plain);
        } else {
            line.append('"').append(plain.replace("\"", "\"\"")).append('"');
        }
        return this;
    }

    CsvLine number(long value) {
        begin();
        line.append(value);
        return this;
    }

    /** With at most three decimals; nothing for what is not finite. */
    CsvLine number(double value) {
        begin();
        if (Double.isFinite(value)) {
            double rounded = Math.rint(value * DECIMALS) / DECIMALS;
            if (rounded == (long) rounded) {
                line.append((long) rounded);
            } else {
                line.append(rounded);
            }
        }
        return this;
    }

    /** Appends the record, and begins the next. */
    void end(ByteBuf out) {
        out.writeCharSequence(line.append("\r\n"), StandardCharsets.UTF_8);
        line.setLength(0);
        begun = false;
    }

    private void begin() {
        if (begun) {
            line.append(',');
        }
        begun = true;
    }

    /** Spaces before it do not keep spreadsheets from reading it as one. */
    private static boolean isFormula(String value) {
        String text = value.replaceFirst("^ +", "");
        return !text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0;
    }
}
