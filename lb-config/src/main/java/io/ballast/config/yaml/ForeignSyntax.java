package io.ballast.config.yaml;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Recognizes files of other balancers, which are not YAML, to report a useful error instead of a syntax error. */
final class ForeignSyntax {

    private static final Pattern COMMENT = Pattern.compile("\\s*(#.*)?");

    /** A line that starts an HAProxy section, such as {@code frontend web}. */
    private static final Pattern HAPROXY = Pattern.compile(
            "(global|defaults( [\\w.-]+)?|(frontend|backend|listen|peers|resolvers|userlist) [\\w.:-]+)\\s*");

    /** A line that starts an nginx block, such as {@code server}, or a directive that ends with a semicolon. */
    private static final Pattern NGINX = Pattern.compile(
            "\\s*((http|server|events|stream|upstream\\s+[\\w.-]+|map\\s+\\S+\\s+\\S+|location\\s.*)\\s*\\{.*|[a-z_]+\\s[^:]*;)\\s*(#.*)?");

    private ForeignSyntax() {}

    /** Returns a hint if the text is in the syntax of HAProxy or nginx. */
    static Optional<String> findHint(String text) {
        List<String> lines = text.lines()
                .filter(line -> !COMMENT.matcher(line).matches())
                .limit(2)
                .toList();
        if (lines.isEmpty()) {
            return Optional.empty();
        }
        if (HAPROXY.matcher(lines.get(0)).matches()) {
            return Optional.of(importHint("HAProxy", "haproxy"));
        }
        return NGINX.matcher(lines.get(0)).matches() ? Optional.of(importHint("nginx", "nginx")) : Optional.empty();
    }

    private static String importHint(String product, String word) {
        return "this file uses the syntax of " + product + " (expected: YAML; run 'lb import " + word
                + " FILE -o ballast.yaml' to convert it)";
    }
}
