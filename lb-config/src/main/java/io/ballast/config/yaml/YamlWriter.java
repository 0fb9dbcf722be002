package io.ballast.config.yaml;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Writes plain maps, lists and scalars as YAML in block style. Texts are quoted if a YAML reader could
 * interpret them as another type. Dollar signs are escaped so that the same text is read back.
 */
public final class YamlWriter {

    /**
     * Scalars that can be written without quotes: words, IPv4 addresses with a port, quantities with a unit,
     * ranges and numbers.
     */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_./][A-Za-z0-9_./*:@%+-]*(?<!:)"
            + "|[0-9]+\\.[0-9]+\\.[0-9]+\\.[0-9]+:[0-9]+|([0-9]+[A-Za-z]+)+|[0-9]+-[0-9]+|0|[1-9][0-9]{0,17}");

    private static final Pattern CONSTANT = Pattern.compile(
            "(?i)y|n|yes|no|on|off|true|false|null|[.](inf|nan)|[0-9]+e[0-9]+|0x[0-9a-f]+|[.][0-9_.e+-]*");

    private final StringBuilder out = new StringBuilder();

    private YamlWriter() {}

    /** Returns the text of one document. Values are maps, lists, texts, numbers and booleans. */
    public static String write(Map<String, ?> root) {
        YamlWriter writer = new YamlWriter();
        writer.mapping(root, 0);
        return writer.out.toString();
    }

    private void mapping(Map<?, ?> map, int indent) {
        boolean first = true;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (!first) {
                out.append(" ".repeat(indent));
            }
            first = false;
            out.append(quoted(entry.getKey().toString())).append(':');
            child(entry.getValue(), indent + 2);
        }
    }

    private void child(Object value, int indent) {
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            out.append('\n').append(" ".repeat(indent));
            mapping(map, indent);
        } else if (value instanceof List<?> list && !list.isEmpty()) {
            out.append('\n');
            list.forEach(item -> item(item, indent));
        } else {
            out.append(' ').append(scalar(value)).append('\n');
        }
    }

    private void item(Object value, int indent) {
        out.append(" ".repeat(indent)).append('-');
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            out.append(' ');
            mapping(map, indent + 2);
        } else {
            child(value, indent + 2);
        }
    }

    private static String scalar(Object value) {
        if (value instanceof Map) {
            return "{}";
        }
        if (value instanceof List) {
            return "[]";
        }
        return value instanceof String text ? quoted(Variables.escape(text)) : value.toString();
    }

    private static String quoted(String text) {
        if (PLAIN.matcher(text).matches() && !CONSTANT.matcher(text).matches()) {
            return text;
        }
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c == '\n') {
                quoted.append("\\n");
            } else if ((c >= ' ' && c <= '~') || Character.isLetterOrDigit(c)) {
                quoted.append(c);
            } else {
                quoted.append("\\u").append(String.format("%04x", (int) c));
            }
        }
        return quoted.append('"').toString();
    }
}
