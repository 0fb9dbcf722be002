package io.ballast.telemetry.metric;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;

/**
 * A line with a sample of the <a href="https://prometheus.io/docs/instrumenting/exposition_formats/">Prometheus text
 * format</a>: {@code name{label="value",…} number}.
 *
 * @param bound the value of the label {@code le}, which is not an attribute; empty if there is none
 */
record SampleLine(String name, Attributes attributes, String bound, double value) {

    private static final String BOUND = "le";

    /** @throws IllegalArgumentException if the line is not a sample */
    static SampleLine parse(String line) {
        return new Parser(line).parse();
    }

    private static final class Parser {

        private final String line;
        private int at;

        Parser(String line) {
            this.line = line;
        }

        SampleLine parse() {
            int end = indexOfAny(" {");
            String name = line.substring(0, end);
            at = end;
            AttributesBuilder attributes = Attributes.builder();
            String bound = "";
            if (line.charAt(at) == '{') {
                at++;
                while (line.charAt(at) != '}') {
                    String label = line.substring(at, indexOfAny("="));
                    at += label.length() + 1;
                    String value = quoted();
                    if (label.equals(BOUND)) {
                        bound = value;
                    } else {
                        attributes.put(label, value);
                    }
                    if (line.charAt(at) == ',') {
                        at++;
                    }
                }
                at++;
            }
            return new SampleLine(
                    name, attributes.build(), bound, number(line.substring(at).strip()));
        }

        private int indexOfAny(String characters) {
            int i = at;
            while (i < line.length() && characters.indexOf(line.charAt(i)) < 0) {
                i++;
            }
            if (i == line.length()) {
                throw new IllegalArgumentException("not a sample: " + line);
            }
            return i;
        }

        private String quoted() {
            StringBuilder value = new StringBuilder();
            at++; // skips the opening quotation mark
            while (line.charAt(at) != '"') {
                char c = line.charAt(at++);
                if (c == '\\') {
                    char escaped = line.charAt(at++);
                    value.append(escaped == 'n' ? '\n' : escaped);
                } else {
                    value.append(c);
                }
            }
            at++;
            return value.toString();
        }
    }

    /** Parses a number; a timestamp after it is ignored. */
    static double number(String text) {
        int blank = text.indexOf(' ');
        String first = blank < 0 ? text : text.substring(0, blank);
        return switch (first) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(first);
        };
    }
}
