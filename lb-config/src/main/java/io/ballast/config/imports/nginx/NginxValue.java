package io.ballast.config.imports.nginx;

import io.ballast.config.imports.ImportTable;
import io.ballast.config.imports.UntranslatableException;
import io.ballast.core.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts the values of nginx directives to Ballast's format. */
final class NginxValue {

    /** The text for a duration of zero. */
    static final String NO_TIME = DurationText.of(Duration.ZERO);

    private static final Pattern TIME =
            Pattern.compile("(?:([0-9]{1,6})d)?(?:([0-9]{1,6})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,9})s?)?");
    private static final Pattern MILLIS = Pattern.compile("([0-9]{1,9})ms");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})([kKmMgG]?)");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([a-z_0-9]+)}|\\$([a-z_0-9]+)|\\$");
    private static final Map<String, String> IN_HEADERS = ImportTable.of(NginxValue.class, "in-headers");
    private static final Map<String, String> IN_LOCATIONS = ImportTable.of(NginxValue.class, "in-locations");

    private NginxValue() {}

    /** Converts a time; the unit is seconds if the text has none. */
    static String time(String text) throws UntranslatableException {
        String time = timeOrZero(text);
        if (time.equals(NO_TIME)) {
            throw new UntranslatableException("the time must be above 0; the default is used");
        }
        return time;
    }

    /** Converts a time; zero becomes {@link #NO_TIME}. */
    static String timeOrZero(String text) throws UntranslatableException {
        Matcher millis = MILLIS.matcher(text);
        if (millis.matches()) {
            return DurationText.of(Duration.ofMillis(Long.parseLong(millis.group(1))));
        }
        Matcher matcher = TIME.matcher(text);
        if (text.isEmpty() || !matcher.matches()) {
            throw new UntranslatableException("invalid duration (expected: a value such as 30s)");
        }
        Duration time = Duration.ofDays(part(matcher, 1))
                .plusHours(part(matcher, 2))
                .plusMinutes(part(matcher, 3))
                .plusSeconds(part(matcher, 4));
        return DurationText.of(time.compareTo(Duration.ofDays(3650)) > 0 ? Duration.ofDays(3650) : time);
    }

    /** Returns the value of Cache-Control for the argument of {@code expires}. */
    static String cacheControl(String text) throws UntranslatableException {
        if (text.equals("epoch") || text.startsWith("-")) {
            return "no-cache";
        }
        if (text.equals("max")) {
            return "max-age=315360000";
        }
        Matcher matcher = TIME.matcher(text);
        if (text.isEmpty() || !matcher.matches()) {
            throw new UntranslatableException("headers.response.set supports only a fixed Cache-Control");
        }
        long seconds = 86_400 * part(matcher, 1) + 3_600 * part(matcher, 2) + 60 * part(matcher, 3) + part(matcher, 4);
        return "max-age=" + seconds;
    }

    private static long part(Matcher matcher, int group) {
        return matcher.group(group) == null ? 0 : Long.parseLong(matcher.group(group));
    }

    /** Converts a size; the unit is bytes if the text has none. */
    static String size(String text) throws UntranslatableException {
        Matcher matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            throw new UntranslatableException("invalid size (expected: a value such as 10m)");
        }
        String unit =
                switch (matcher.group(2)) {
                    case "k", "K" -> "KiB";
                    case "m", "M" -> "MiB";
                    case "g", "G" -> "GiB";
                    default -> "B";
                };
        return Long.parseLong(matcher.group(1)) + unit;
    }

    /** Translates the nginx variables in a header value. */
    static String header(String text) throws UntranslatableException {
        return translateVariables(text, IN_HEADERS);
    }

    /** Returns a note if the converted header value differs from the original; an empty list if not. */
    static List<String> notes(String text) {
        return text.contains("$http_host") ? List.of("the port of the client's Host header is omitted") : List.of();
    }

    /** Translates the nginx variables in the location of a redirect. */
    static String location(String text, NginxVariables known) throws UntranslatableException {
        return translateVariables(known.expand(text), IN_LOCATIONS);
    }

    private static String translateVariables(String text, Map<String, String> variables)
            throws UntranslatableException {
        Matcher matcher = VARIABLE.matcher(text);
        StringBuilder written = new StringBuilder();
        while (matcher.find()) {
            String name = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
            String ballastVariable = name == null ? null : variables.get(name);
            if (ballastVariable == null) {
                throw new UntranslatableException("variables: " + String.join(", ", new TreeSet<>(variables.values())));
            }
            matcher.appendReplacement(written, Matcher.quoteReplacement(ballastVariable));
        }
        return matcher.appendTail(written).toString();
    }

    /**
     * Returns a number if the text is a decimal number, otherwise the text, which Ballast's configuration reader
     * rejects.
     */
    static Object number(String text) {
        return text.matches("[0-9]{1,9}") ? Integer.valueOf(text) : text;
    }

    /** Returns an address with a port; uses {@code defaultPort} if the text has no port. */
    static String address(String text, String defaultPort) {
        if (text.startsWith("unix:")) {
            return text.replaceAll(":$", "");
        }
        boolean hasPort = text.matches(".*[^:\\[\\]]:[0-9]+|\\[.*]:[0-9]+");
        return hasPort ? text : text + ":" + defaultPort;
    }
}
