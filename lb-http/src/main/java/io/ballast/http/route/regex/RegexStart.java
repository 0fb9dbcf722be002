package io.ballast.http.route.regex;

/** Finds the segments with which every path must begin to match a regular expression. */
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
        // A path is compared in its normal form; what begins otherwise, or holds an escape, is left to the expression.
        return directory.startsWith("/") && directory.indexOf('%') < 0 ? directory : "";
    }

    /** Whether a bar may stand outside of every group. */
    private static boolean hasAlternatives(String regex) {
        if (regex.contains("\\Q")) {
            return regex.indexOf('|') >= 0; // quoted text is not looked into
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
