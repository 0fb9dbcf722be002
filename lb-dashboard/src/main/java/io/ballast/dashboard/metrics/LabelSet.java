package io.ballast.dashboard.metrics;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Labels and values encoded for the exposition, without braces. They are encoded once and written many times.
 */
final class LabelSet {

    static final LabelSet NONE = new LabelSet(new byte[0]);

    private final byte[] text;

    private LabelSet(byte[] text) {
        this.text = text;
    }

    /**
     * Encodes the first labels of a meter: each value with the name at the same index. {@code names} may be
     * longer than {@code values}.
     */
    static LabelSet of(List<String> names, String... values) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < values.length; i++) {
            text.append(i == 0 ? "" : ",").append(names.get(i)).append("=\"");
            escape(values[i], text);
            text.append('"');
        }
        return new LabelSet(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Returns whether {@link #escape} changes a value. */
    static boolean needsEscaping(String value) {
        return value.indexOf('\\') >= 0 || value.indexOf('"') >= 0 || value.indexOf('\n') >= 0;
    }

    /** Appends a label value with the escapes of the Prometheus text format. */
    static void escape(String value, StringBuilder text) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '\\' -> text.append("\\\\");
                case '"' -> text.append("\\\"");
                case '\n' -> text.append("\\n");
                default -> text.append(c);
            }
        }
    }

    /** Returns a set with the labels of this set, followed by the labels of {@code more}. */
    LabelSet and(LabelSet more) {
        if (isEmpty()) {
            return more;
        }
        byte[] joined = Arrays.copyOf(text, text.length + 1 + more.text.length);
        joined[text.length] = ',';
        System.arraycopy(more.text, 0, joined, text.length + 1, more.text.length);
        return new LabelSet(joined);
    }

    boolean isEmpty() {
        return text.length == 0;
    }

    void writeTo(ByteBuf out) {
        out.writeBytes(text);
    }
}
