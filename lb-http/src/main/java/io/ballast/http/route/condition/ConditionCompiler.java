package io.ballast.http.route.condition;

import io.ballast.core.net.CidrSet;
import io.ballast.http.config.PathMatch;
import io.ballast.http.config.RouteMatch;
import io.ballast.http.config.ValueMatch;
import io.ballast.http.route.regex.RoutePattern;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Compiles the conditions of a route other than its host and its literal path. */
public final class ConditionCompiler {

    private ConditionCompiler() {}

    /**
     * Returns the conditions in the order in which they are checked: cheap conditions first, a regular
     * expression on the path last.
     */
    public static List<Condition> of(RouteMatch match) {
        List<Condition> conditions = new ArrayList<>();
        if (!match.methods().isEmpty()) {
            conditions.add(new MethodCondition(match.methods()));
        }
        if (!match.clients().isEmpty()) {
            conditions.add(new ClientCondition(CidrSet.of(match.clients())));
        }
        match.headers()
                .forEach((name, value) ->
                        conditions.add(new HeaderCondition(bytes(name), ValueTest.of(value), isRequired(value))));
        match.query()
                .forEach((name, value) ->
                        conditions.add(new QueryCondition(bytes(name), ValueTest.of(value), isRequired(value))));
        match.cookies()
                .forEach((name, value) ->
                        conditions.add(new CookieCondition(bytes(name), ValueTest.of(value), isRequired(value))));
        if (match.path() instanceof PathMatch.Regex regex) {
            conditions.add(new PathRegexCondition(RoutePattern.compile(regex.text())));
        }
        return conditions;
    }

    private static boolean isRequired(ValueMatch value) {
        return ValueTest.isRequired(value);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
