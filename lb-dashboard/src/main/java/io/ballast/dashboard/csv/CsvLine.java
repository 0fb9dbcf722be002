package io.ballast.dashboard.csv;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * One CSV record (<a href="https://datatracker.ietf.org/doc/html/rfc4180">RFC 4180</a>), in UTF-8, ended by
 * CRLF. Values that a spreadsheet would interpret as a formula are prefixed with an apostrophe, because the
 * texts of health checks come from backends. Confined to one thread.
 */
final class CsvLine {

    /**
     * The characters that can start a formula. The last four are the full-width forms of {@code = + -} and {@code
     * @}, which East Asian keyboards produce.
     */
    private static final String FORMULA_PREFIXES = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20";

    private static final double DECIMAL_FACTOR = 1000;

    private final StringBuilder line = new StringBuilder();
    private boolean started;

    CsvLine text(String value) {
        beginField();
        String plain = isFormula(value) ? "'" + value : value;
        if (plain.chars().noneMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n')) {
            line.append(plain);
        } else {
            line.append('"').append(plain.replace("\"", "\"\"")).append('"');
        }
        return this;
    }

    CsvLine number(long value) {
        beginField();
        line.append(value);
        return this;
    }

    /** Appends a number with at most three decimals; an empty field for NaN and infinities. */
    CsvLine number(double value) {
        beginField();
        if (Double.isFinite(value)) {
            double rounded = Math.rint(value * DECIMAL_FACTOR) / DECIMAL_FACTOR;
            if (rounded == (long) rounded) {
                line.append((long) rounded);
            } else {
                line.append(rounded);
            }
        }
        return this;
    }

    /** Writes the record to {@code out} and starts the next one. */
    void end(ByteBuf out) {
        out.writeCharSequence(line.append("\r\n"), StandardCharsets.UTF_8);
        line.setLength(0);
        started = false;
    }

    private void beginField() {
        if (started) {
            line.append(',');
        }
        started = true;
    }

    /** Returns whether a spreadsheet may read the value as a formula. Spreadsheets ignore leading spaces. */
    private static boolean isFormula(String value) {
        String text = value.replaceFirst("^ +", "");
        return !text.isEmpty() && FORMULA_PREFIXES.indexOf(text.charAt(0)) >= 0;
    }
}
