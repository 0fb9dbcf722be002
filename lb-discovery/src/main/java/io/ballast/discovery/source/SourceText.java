package io.ballast.discovery.source;

import java.util.regex.Pattern;

/** Converts text from other systems so that it fits into one line of the log and the timeline. */
public final class SourceText {

    static final int MAX_CHARACTERS = 300;

    /** Separators of all kinds, control and format characters, and unassigned code points. */
    private static final Pattern BLANK = Pattern.compile("[\\p{Z}\\p{C}]+");

    private SourceText() {}

    /**
     * Returns the text in one line without invisible characters. It is truncated to {@value #MAX_CHARACTERS}
     * characters and then ends with {@code ...}.
     */
    public static String oneLine(String text) {
        String beginning = text.substring(0, Math.min(text.length(), 4 * MAX_CHARACTERS));
        String line = BLANK.matcher(beginning).replaceAll(" ").strip();
        if (line.length() <= MAX_CHARACTERS && beginning.length() == text.length()) {
            return line;
        }
        int end = Math.min(line.length(), MAX_CHARACTERS);
        boolean splitsPair = end > 0 && Character.isHighSurrogate(line.charAt(end - 1));
        return line.substring(0, splitsPair ? end - 1 : end) + "...";
    }
}
