package io.ballast.server.scenario;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names in a query in <a href="https://prometheus.io/docs/prometheus/latest/querying/basics/">PromQL</a>: metrics
 * with their label conditions, and labels by which results are grouped or joined. Accepts any function; text that is
 * not a sequence of words is an error.
 *
 * @param selectors the metrics in the order of the query; a metric that occurs several times is repeated
 * @param groupings the labels after {@code by}, {@code on} and the like
 */
record PromNames(List<Selector> selectors, Set<String> groupings) {

    private static final Pattern TOKEN = Pattern.compile("\\s*([a-zA-Z_:][\\w:]*|[0-9][0-9.e]*[a-z]?"
            + "|\"(?:[^\"\\\\]|\\\\.)*\"|=~|!~|!=|==|>=|<=|[-+*/%^(){},<>=]|\\[[^]]*])");
    private static final Set<String> GROUPING = Set.of("by", "without", "on", "ignoring", "group_left", "group_right");
    private static final Set<String> OPERATORS = Set.of("and", "or", "unless", "bool", "offset");

    /** A metric with the conditions on its labels. */
    record Selector(String metric, List<Condition> conditions) {}

    /** A condition on a label. */
    record Condition(String label, String operator, String value) {

        /** Whether the condition names one value, and not a pattern or a Grafana variable. */
        boolean isLiteral() {
            return !operator.endsWith("~") && !value.contains("$");
        }
    }

    static PromNames of(String query) {
        List<String> tokens = tokens(query);
        List<Selector> selectors = new ArrayList<>();
        Set<String> groupings = new LinkedHashSet<>();
        int at = 0;
        while (at < tokens.size()) {
            String token = tokens.get(at++);
            String next = at < tokens.size() ? tokens.get(at) : "";
            boolean isWord = Character.isLetter(token.charAt(0)) || token.charAt(0) == '_';
            if (GROUPING.contains(token)) {
                if (next.equals("(")) {
                    int end = tokens.subList(at, tokens.size()).indexOf(")") + at;
                    groupings.addAll(tokens.subList(at + 1, end));
                    at = end + 1;
                }
            } else if (isWord && !OPERATORS.contains(token) && !isCall(tokens, at)) {
                List<Condition> conditions = new ArrayList<>();
                if (next.equals("{")) {
                    int end = tokens.subList(at, tokens.size()).indexOf("}") + at;
                    conditions.addAll(conditions(tokens.subList(at + 1, end)));
                    at = end + 1;
                }
                selectors.add(new Selector(token, conditions));
            }
        }
        groupings.remove(",");
        return new PromNames(selectors, groupings);
    }

    /** Whether the previous word is a function, or an aggregation whose labels come first. */
    private static boolean isCall(List<String> tokens, int at) {
        return at < tokens.size() && (tokens.get(at).equals("(") || GROUPING.contains(tokens.get(at)));
    }

    private static List<Condition> conditions(List<String> tokens) {
        List<Condition> conditions = new ArrayList<>();
        for (int i = 0; i < tokens.size(); i += 4) { // label, operator, value and a comma
            String value = tokens.get(i + 2);
            conditions.add(new Condition(tokens.get(i), tokens.get(i + 1), value.substring(1, value.length() - 1)));
        }
        return conditions;
    }

    private static List<String> tokens(String query) {
        String text = query.strip();
        List<String> tokens = new ArrayList<>();
        Matcher matcher = TOKEN.matcher(text);
        int end = 0;
        while (end < text.length()) {
            if (!matcher.find(end) || matcher.start() != end) {
                throw new IllegalArgumentException("not understood: " + text.substring(end));
            }
            tokens.add(matcher.group(1));
            end = matcher.end();
        }
        return tokens;
    }
}
