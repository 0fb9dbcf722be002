package io.ballast.config.imports;

import java.util.regex.Pattern;

/**
 * References to environment variables in a foreign file. The importer does not resolve them: a text holds a
 * mark in their place, which becomes {@code ${NAME}} in the written file. So no secret of the environment
 * gets into this file.
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

    /** Whether there is a mark in a text. */
    public static boolean isIn(String text) {
        return text.indexOf(OPEN) >= 0;
    }

    /** Returns a readable text, with {@code ${NAME}} in place of each mark. */
    static String toReadableText(String text) {
        return text.replace(String.valueOf(OPEN), "${").replace(String.valueOf(CLOSE), "}");
    }

    /** Returns YAML with the marks replaced by references. */
    static String replaceMarks(String yaml) {
        // A dollar needs no escape unless a brace or another one follows.
        String plain = LONE_DOLLAR.matcher(yaml).replaceAll("\\$");
        return WRITTEN.matcher(plain).replaceAll("\\${$1}");
    }

    /** Returns whether a foreign text contains the characters that marks consist of. */
    public static boolean collidesWith(String text) {
        return text.indexOf(OPEN) >= 0 || text.indexOf(CLOSE) >= 0;
    }
}
