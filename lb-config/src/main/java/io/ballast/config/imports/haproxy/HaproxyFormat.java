package io.ballast.config.imports.haproxy;

import io.ballast.config.imports.ImportTable;
import io.ballast.config.imports.UntranslatableException;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Converts texts with variables of HAProxy's log format, such as {@code %[src]} and {@code %ci}, to our
 * format.
 */
final class HaproxyFormat {

    private static final Pattern VARIABLE = Pattern.compile("%\\[([^\\]]*)]|%([A-Za-z]+)|%%|%|\\$");
    private static final Map<String, String> IN_HEADERS = ImportTable.of(HaproxyFormat.class, "in-headers");
    private static final Map<String, String> IN_LOCATIONS = ImportTable.of(HaproxyFormat.class, "in-locations");

    private HaproxyFormat() {}

    /** Translates the HAProxy variables in a header value. */
    static String header(String text, HaproxyBind.Variables known) throws UntranslatableException {
        return translateVariables(known.expand(text), IN_HEADERS, "$$");
    }

    /** Translates the HAProxy variables in the location of a redirect. */
    static String location(String text) throws UntranslatableException {
        return translateVariables(text, IN_LOCATIONS, "");
    }

    private static String translateVariables(String text, Map<String, String> variables, String dollar)
            throws UntranslatableException {
        Matcher matcher = VARIABLE.matcher(text);
        StringBuilder written = new StringBuilder();
        while (matcher.find()) {
            String token = matcher.group();
            String name = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
            String ballastVariable;
            if (name != null) {
                ballastVariable =
                        variables.get(name.replace(",lower", "").trim().replace("hdr(Host)", "hdr(host)"));
            } else {
                ballastVariable =
                        token.equals("$") ? dollar : token.equals("%%") ? "%" : ""; // %{+Q}[src] is not supported
            }
            if (ballastVariable == null || ballastVariable.isEmpty()) {
                throw new UntranslatableException("variables: " + String.join(", ", new TreeSet<>(variables.values())));
            }
            matcher.appendReplacement(written, Matcher.quoteReplacement(ballastVariable));
        }
        return matcher.appendTail(written).toString();
    }
}
