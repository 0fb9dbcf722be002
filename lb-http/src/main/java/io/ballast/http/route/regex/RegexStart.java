package io.ballast.http.route.regex;

/** Finds the literal path segments that every match of a regular expression must begin with. */
public final class RegexStart {

    private static final String SPECIAL = "\\.[]{}()*+?^$|";
    private static final String QUANTIFIERS = "*?{";

    private RegexStart() {}

    /**
     * Returns the literal start of an expression up to its last slash, without that slash: {@code /api} for {@code
     * /api/v[0-9]+}; empty if there is none.
     */
    public static String directory(String regex) {
        int start = regex.startsWith("^") ? 1 : 0;
        int end = start;
        while (end < regex.length() && SPECIAL.indexOf(regex.charAt(end)) < 0) {
            end++;
        }
        if (hasAlternatives(regex)) {
            return "";
        }
        boolean lastMayBeMissing = end < regex.length() && QUANTIFIERS.indexOf(regex.charAt(end)) >= 0;
        int slash = regex.lastIndexOf('/', end - (lastMayBeMissing ? 2 : 1));
        String directory = slash < start ? "" : regex.substring(start, slash);
        // Paths are compared in normal form. If the literal start has an escape or does not begin with a slash, only
        // the regular expression is used.
        return directory.startsWith("/") && directory.indexOf('%') < 0 ? directory : "";
    }

    /** Whether an alternation bar may occur outside of all groups. */
    private static boolean hasAlternatives(String regex) {
        if (regex.contains("\\Q")) {
            return regex.indexOf('|') >= 0; // quoted text is not parsed, so any bar counts as an alternation
        }
        int depth = 0;
        int position = 0;
        while (position < regex.length()) {
            char c = regex.charAt(position);
            if (c == '|' && depth == 0) {
                return true;
            }
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            position = RegexSize.skip(regex, position);
        }
        return false;
    }
}
