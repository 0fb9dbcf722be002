package io.ballast.config.imports.divisor;

import io.ballast.config.imports.Directive;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Suggests replacements for middlewares of Divisor, which are Go programs: policies, rules and filters in Java.
 */
final class MiddlewareHints {

    private static final Pattern RATE = Pattern.compile("requests_per_second|rate.?limit|token.?bucket");
    private static final Pattern API_KEY = Pattern.compile("api.?key");
    private static final Pattern REFUSAL = Pattern.compile("403|forbidden|statusforbidden|blocklist|denylist");
    private static final Pattern HEADER = Pattern.compile("header");
    private static final Pattern LOG = Pattern.compile("\\blog|logger|logging");
    private static final String FILTER = "; or write a filter in Java (docs/guides/java-filters.md)";

    private MiddlewareHints() {}

    /** @param item the keys of the middleware, relative to its list item, with their directives */
    static String of(Map<String, Directive> item) {
        String text = item.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue().word(1))
                .collect(Collectors.joining(" "))
                .toLowerCase(Locale.ROOT);
        return "Go code is not translated; use " + replacement(text, item) + FILTER;
    }

    private static String replacement(String text, Map<String, Directive> item) {
        if (RATE.matcher(text).find()) {
            return "a rate_limit policy" + rate(item);
        }
        if (API_KEY.matcher(text).find()) {
            return "an api_keys policy on the routes of these paths";
        }
        if (REFUSAL.matcher(text).find()) {
            return "a route with respond: {status: 403} for these paths";
        }
        if (HEADER.matcher(text).find()) {
            return "headers of the listener or the route";
        }
        if (LOG.matcher(text).find()) {
            return "access_log of the listener";
        }
        return "policies and routes";
    }

    private static String rate(Map<String, Directive> item) {
        String burst = number(item, ".config.burst")
                .map(number -> ", burst: " + number)
                .orElse("");
        return number(item, ".config.requests_per_second")
                .map(number -> " with {rate: " + number + "/s" + burst + "}")
                .orElse("");
    }

    private static Optional<String> number(Map<String, Directive> item, String key) {
        return Optional.ofNullable(item.get(key))
                .map(directive -> directive.word(1))
                .filter(text -> text.matches("[1-9][0-9]{0,8}"));
    }
}
