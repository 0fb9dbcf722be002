package io.ballast.config.imports;

import java.util.regex.Pattern;

/**
 * References to environment variables in an imported file. The importer does not resolve them: it puts a
 * placeholder into the text, which becomes {@code ${NAME}} in the written file. Therefore the written file
 * contains no secret from the environment.
 */
public final class EnvironmentReference {

    /** A private-use character of Unicode, which no configuration contains. */
    private static final char OPEN = '\uE000';

    private static final char CLOSE = '\uE001';
    private static final Pattern WRITTEN = Pattern.compile("\\\\ue000([A-Za-z0-9_./:-]*)\\\\ue001");

    private static final Pattern LONE_DOLLAR = Pattern.compile("\\$\\$(?![{$])");

    private EnvironmentReference() {}

    /** Returns the placeholder of a variable, whose name may be followed by {@code :-} and a default. */
    public static String placeholder(String name) {
        return OPEN + name + CLOSE;
    }

    /** Returns whether a text contains a placeholder. */
    public static boolean isIn(String text) {
        return text.indexOf(OPEN) >= 0;
    }

    /** Returns readable text in which each placeholder is replaced by {@code ${NAME}}. */
    static String toReadableText(String text) {
        return text.replace(String.valueOf(OPEN), "${").replace(String.valueOf(CLOSE), "}");
    }

    /** Returns the YAML text with each placeholder replaced by a reference to the variable. */
    static String replaceMarks(String yaml) {
        // A dollar sign needs no escape unless a brace or another dollar sign follows.
        String plain = LONE_DOLLAR.matcher(yaml).replaceAll("\\$");
        return WRITTEN.matcher(plain).replaceAll("\\${$1}");
    }

    /** Returns whether a text of the imported file contains the characters that delimit our placeholders. */
    public static boolean collidesWith(String text) {
        return text.indexOf(OPEN) >= 0 || text.indexOf(CLOSE) >= 0;
    }
}
