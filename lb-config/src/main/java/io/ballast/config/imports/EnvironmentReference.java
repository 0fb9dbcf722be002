package io.ballast.config.imports;

import java.util.regex.Pattern;

/**
 * Variables of the environment that a foreign file names. They stay references: a text holds a mark in their place, which
 * becomes {@code ${NAME}} in the file that is written, so that no secret of the environment ends up there.
 */
public final class EnvironmentReference {

    /** For private use in Unicode, so in no configuration. */
    private static final char OPEN = '\uE000';

    private static final char CLOSE = '\uE001';
    private static final Pattern WRITTEN = Pattern.compile("\\\\ue000([A-Za-z0-9_./:-]*)\\\\ue001");

    private static final Pattern LONE_DOLLAR = Pattern.compile("\\$\\$(?![{$])");

    private EnvironmentReference() {}

    /** Returns the placeholder of a variable, whose name may be followed by {@code :-} and a default. */
    public static String to(String name) {
        return OPEN + name + CLOSE;
    }

    /** Whether there is a mark in a text. */
    public static boolean isIn(String text) {
        return text.indexOf(OPEN) >= 0;
    }

    /** Returns a text for people. */
    static String shown(String text) {
        return text.replace(String.valueOf(OPEN), "${").replace(String.valueOf(CLOSE), "}");
    }

    /** Returns YAML that was written with marks as YAML with references. */
    static String written(String yaml) {
        // A dollar needs no escape unless a brace or another one follows.
        String plain = LONE_DOLLAR.matcher(yaml).replaceAll("\\$");
        return WRITTEN.matcher(plain).replaceAll("\\${$1}");
    }

    /** Whether a foreign text has characters that marks are made of. */
    public static boolean collidesWith(String text) {
        return text.indexOf(OPEN) >= 0 || text.indexOf(CLOSE) >= 0;
    }
}
