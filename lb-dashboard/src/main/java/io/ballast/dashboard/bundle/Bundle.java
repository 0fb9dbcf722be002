package io.ballast.dashboard.bundle;

import java.util.List;

/** Joins several source files into one bundle. A source map maps each line of the bundle to a line of a source file. */
final class Bundle {

    private final String directory;
    private final StringBuilder text = new StringBuilder();
    private final SourceMap map = new SourceMap();

    /**
     * @param directory the prefix of file names in the source map
     */
    Bundle(String directory) {
        this.directory = directory;
    }

    /** Adds a line that does not come from a source file. */
    void addLine(String line) {
        text.append(line).append('\n');
        map.skipLine();
    }

    /**
     * Adds a source file.
     *
     * @param content the original content
     * @param lines the lines to add; each replaces the line of the original with the same number
     */
    void addSource(String file, String content, List<String> lines) {
        map.addSource(directory + file, content);
        for (String line : lines) {
            text.append(line).append('\n');
            map.addLine();
        }
    }

    String text() {
        return text.toString();
    }

    String sourceMap() {
        return map.toJson();
    }
}
