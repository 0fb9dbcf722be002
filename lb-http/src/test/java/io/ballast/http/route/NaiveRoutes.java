package io.ballast.http.route;

import io.ballast.http.config.PathMatch;
import io.ballast.http.config.RouteMatch;
import io.ballast.http.route.condition.ConditionCompiler;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.TestRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A reference implementation of the order in {@code docs/routing.md}. A route with several hosts counts as
 * several routes. All routes are sorted, and the first that matches is used. Conditions other than host and
 * path use the code under test, which has its own tests.
 */
final class NaiveRoutes {

    /**
     * The literal directory with which each regular expression of the tests begins. Routes are sorted by its length.
     */
    private static final Map<String, String> STARTS = Map.of(
            "/a/b.*", "/a",
            "^/a/[a-c]+$", "/a",
            "/a/b/c?/?.*", "/a/b",
            "/b/a+", "/b",
            "/a/(b|c)/c", "/a");

    private record Entry(String host, RouteMatch match, int number) {

        int hostRank() {
            return host.isEmpty() ? 2 : host.startsWith("*") ? 1 : 0;
        }

        int pathRank() {
            return match.path() instanceof PathMatch.Exact ? 0 : 1;
        }

        int pathLength() {
            String text = match.path() instanceof PathMatch.Regex regex
                    ? STARTS.getOrDefault(regex.text(), "")
                    : decoded(match.path().text());
            boolean open = match.path() instanceof PathMatch.Prefix && text.endsWith("/");
            return open ? text.length() - 1 : text.length();
        }

        int conditions() {
            return (match.methods().isEmpty() ? 0 : 1)
                    + (match.clients().isEmpty() ? 0 : 1)
                    + match.headers().size()
                    + match.query().size()
                    + match.cookies().size();
        }

        boolean takesHost(String name) {
            return host.isEmpty()
                    || (host.startsWith("*")
                            ? name.endsWith(host.substring(1)) && name.length() > host.length() - 1
                            : name.equals(host));
        }

        boolean takesPath(String path) {
            if (match.path() instanceof PathMatch.Regex regex) {
                return Pattern.compile(regex.text(), Pattern.DOTALL)
                        .matcher(path)
                        .matches();
            }
            String text = decoded(match.path().text());
            if (match.path() instanceof PathMatch.Exact) {
                return path.equals(text);
            }
            String closed = text.endsWith("/") ? text : text + "/";
            return closed.equals("/") || (path + "/").startsWith(closed);
        }

        RouteMatch beyondHostAndPath() {
            return new RouteMatch(
                    List.of(),
                    PathMatch.ANY,
                    match.methods(),
                    match.headers(),
                    match.query(),
                    match.cookies(),
                    match.clients());
        }

        private static String decoded(String path) {
            return path.replace("%20", " ");
        }
    }

    private final List<Entry> entries = new ArrayList<>();

    NaiveRoutes(List<RouteMatch> matches) {
        for (int number = 0; number < matches.size(); number++) {
            RouteMatch match = matches.get(number);
            for (String host : match.hosts().isEmpty() ? List.of("") : match.hosts()) {
                entries.add(new Entry(host, match, number));
            }
        }
        entries.sort(Comparator.comparingInt(Entry::hostRank)
                .thenComparingInt(entry -> -entry.host.length())
                .thenComparingInt(Entry::pathRank)
                .thenComparingInt(entry -> -entry.pathLength())
                .thenComparing(entry -> !(entry.match.path() instanceof PathMatch.Regex))
                .thenComparingInt(entry -> -entry.conditions())
                .thenComparingInt(Entry::number));
    }

    /** Returns the number of the matching route; -1 for none. Normalizes the path in {@code scratch}. */
    int find(TestRequest request, byte[] client, RouteScratch scratch) {
        String host =
                text(request.bytes(), request.hostStart(), request.hostEnd()).toLowerCase(Locale.ROOT);
        String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        String path = text(
                scratch.path().bytes(), scratch.path().from(), scratch.path().to());
        for (Entry entry : entries) {
            if (entry.takesHost(name)
                    && entry.takesPath(path)
                    && ConditionCompiler.of(entry.beyondHostAndPath()).stream()
                            .allMatch(condition -> condition.holds(request, client, scratch))) {
                return entry.number;
            }
        }
        return -1;
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
