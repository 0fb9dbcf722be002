package io.ballast.config.yaml;

/**
 * A position in a file.
 *
 * @param file the file as the user named it
 * @param line the line number, starting at 1; 0 for the file as a whole
 * @param column the column number, starting at 1; 0 for the file as a whole
 */
public record SourcePosition(String file, int line, int column) {

    /** Returns the position that stands for the file as a whole. */
    public static SourcePosition of(String file) {
        return new SourcePosition(file, 0, 0);
    }

    @Override
    public String toString() {
        return line == 0 ? file : file + ":" + line + ":" + column;
    }
}
