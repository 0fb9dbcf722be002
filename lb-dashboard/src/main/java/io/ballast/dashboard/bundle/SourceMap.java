package io.ballast.dashboard.bundle;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A source map that maps each line of a bundle to a line of a source file, without columns (<a
 * href="https://tc39.es/ecma426/">ECMA-426</a>). It contains the sources, so a browser needs no other request.
 */
final class SourceMap {

    private static final String BASE_64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    private static final int DIGIT_BITS = 5;
    private static final int DIGIT_MASK = (1 << DIGIT_BITS) - 1;
    private static final int CONTINUATION = 1 << DIGIT_BITS;

    private final List<String> sources = new ArrayList<>();
    private final List<String> contents = new ArrayList<>();
    private final StringBuilder mappings = new StringBuilder();
    private int line;
    /**
     * The source and the line of the last mapping. A source map encodes each mapping as the difference from the
     * previous one.
     */
    private int mappedSource;

    private int mappedLine;

    /** Adds a source file. The next calls of {@link #addLine} map its lines in order. */
    void addSource(String name, String content) {
        sources.add(name);
        contents.add(content);
        line = 0;
    }

    /** Maps the next line of the bundle to the next line of the current source. */
    void addLine() {
        int source = sources.size() - 1;
        mappings.append(BASE_64.charAt(0)); // column 0 of the bundle
        appendNumber(source - mappedSource);
        appendNumber(line - mappedLine);
        mappings.append(BASE_64.charAt(0)).append(';'); // source column 0
        mappedSource = source;
        mappedLine = line++;
    }

    /** Maps the next line of the bundle to no source file. */
    void skipLine() {
        mappings.append(';');
    }

    String toJson() {
        return "{\"version\":3,\"sources\":" + array(sources) + ",\"sourcesContent\":" + array(contents)
                + ",\"names\":[],\"mappings\":\"" + mappings + "\"}\n";
    }

    /** Appends a number in base 64 VLQ: the sign is the lowest bit, and the lowest digit comes first. */
    private void appendNumber(int number) {
        int rest = number < 0 ? (-number << 1) | 1 : number << 1;
        do {
            int digit = rest & DIGIT_MASK;
            rest >>>= DIGIT_BITS;
            mappings.append(BASE_64.charAt(rest > 0 ? digit | CONTINUATION : digit));
        } while (rest > 0);
    }

    private static String array(List<String> texts) {
        return texts.stream().map(SourceMap::quote).collect(Collectors.joining(",", "[", "]"));
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append("\\u%04x".formatted((int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
