package io.ballast.server.scenario;

import io.ballast.server.scenario.Scrape.Sample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoublePredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Evaluates the part of <a href="https://prometheus.io/docs/prometheus/latest/querying/basics/">PromQL</a>
 * that docs/metrics.md uses, over two scrapes: selectors, {@code rate}, {@code sum by}, {@code /},
 * comparisons with a number, parentheses and {@code histogram_quantile}. Other functions are errors. A rate
 * is the difference between the two scrapes, as if they were one second apart.
 */
final class PromQuery {

    private static final Pattern TOKEN =
            Pattern.compile("\\s*([a-zA-Z_][\\w]*|[0-9.]+|\"[^\"]*\"|>=|==|!=|[(){},/>=]|\\[\\w+])");

    private final List<String> tokens = new ArrayList<>();
    private final Scrape before;
    private final Scrape after;
    private int at;

    private PromQuery(String text, Scrape before, Scrape after) {
        this.before = before;
        this.after = after;
        Matcher matcher = TOKEN.matcher(text.strip());
        int end = 0;
        while (end < text.strip().length()) {
            if (!matcher.find(end) || matcher.start() != end) {
                throw new IllegalArgumentException(
                        "not understood: " + text.strip().substring(end));
            }
            tokens.add(matcher.group(1));
            end = matcher.end();
        }
    }

    static List<Sample> evaluate(String text, Scrape before, Scrape after) {
        PromQuery query = new PromQuery(text, before, after);
        List<Sample> result = query.comparison();
        if (query.at != query.tokens.size()) {
            throw new IllegalArgumentException(
                    "not understood: " + query.tokens.subList(query.at, query.tokens.size()));
        }
        return result;
    }

    private List<Sample> comparison() {
        List<Sample> left = quotient();
        return switch (peek()) {
            case ">" -> filter(left, value -> value > number());
            case ">=" -> filter(left, value -> value >= number());
            case "==" -> filter(left, value -> value == number());
            default -> left;
        };
    }

    private List<Sample> filter(List<Sample> samples, DoublePredicate keeps) {
        at++;
        int operand = at;
        List<Sample> kept = new ArrayList<>();
        for (Sample sample : samples) {
            at = operand;
            if (keeps.test(sample.value())) {
                kept.add(sample);
            }
        }
        at = operand + 1;
        return kept;
    }

    private List<Sample> quotient() {
        List<Sample> left = primary();
        while (peek().equals("/")) {
            at++;
            List<Sample> right = primary();
            List<Sample> result = new ArrayList<>();
            for (Sample numerator : left) {
                right.stream()
                        .filter(divisor -> divisor.labels().equals(numerator.labels()))
                        .forEach(divisor ->
                                result.add(new Sample("", numerator.labels(), numerator.value() / divisor.value())));
            }
            left = result;
        }
        return left;
    }

    private List<Sample> primary() {
        String token = next();
        return switch (token) {
            case "(" -> {
                List<Sample> inner = comparison();
                expect(")");
                yield inner;
            }
            case "sum" -> sum();
            case "rate" -> rate();
            case "histogram_quantile" -> quantile();
            default -> select(after, token, matchers());
        };
    }

    private List<Sample> sum() {
        expect("by");
        expect("(");
        List<String> by = new ArrayList<>();
        while (!peek().equals(")")) {
            String label = next();
            if (!label.equals(",")) {
                by.add(label);
            }
        }
        expect(")");
        expect("(");
        Map<Map<String, String>, Double> sums = new LinkedHashMap<>();
        for (Sample sample : comparison()) {
            Map<String, String> labels = new TreeMap<>(sample.labels());
            labels.keySet().retainAll(by);
            sums.merge(labels, sample.value(), Double::sum);
        }
        expect(")");
        return sums.entrySet().stream()
                .map(entry -> new Sample("", entry.getKey(), entry.getValue()))
                .toList();
    }

    private List<Sample> rate() {
        expect("(");
        String name = next();
        List<Matching> matchers = matchers();
        next(); // skips the length of the window
        expect(")");
        List<Sample> earlier = select(before, name, matchers);
        return select(after, name, matchers).stream()
                .map(now -> new Sample("", now.labels(), now.value() - value(earlier, now.labels())))
                .toList();
    }

    /** Like Prometheus, assumes that durations are spread evenly between two bounds. */
    private List<Sample> quantile() {
        expect("(");
        double share = number();
        at++;
        expect(",");
        Map<Map<String, String>, List<Sample>> histograms = new LinkedHashMap<>();
        for (Sample bucket : comparison()) {
            Map<String, String> labels = new TreeMap<>(bucket.labels());
            labels.remove("le");
            histograms.computeIfAbsent(labels, unused -> new ArrayList<>()).add(bucket);
        }
        expect(")");
        return histograms.entrySet().stream()
                .map(entry -> new Sample("", entry.getKey(), quantile(share, entry.getValue())))
                .toList();
    }

    private static double quantile(double share, List<Sample> buckets) {
        List<Sample> sorted = buckets.stream()
                .sorted(Comparator.comparingDouble(PromQuery::bound))
                .toList();
        double count = sorted.get(sorted.size() - 1).value();
        if (count == 0) {
            return Double.NaN;
        }
        double lower = 0;
        double below = 0;
        for (Sample bucket : sorted) {
            if (bucket.value() >= share * count) {
                double width = bound(bucket) - lower;
                return Double.isInfinite(width)
                        ? lower
                        : lower + width * (share * count - below) / (bucket.value() - below);
            }
            lower = bound(bucket);
            below = bucket.value();
        }
        return lower;
    }

    private static double bound(Sample bucket) {
        return Double.parseDouble(bucket.labels().get("le").replace("Inf", "Infinity"));
    }

    private record Matching(String label, boolean equal, String value) {
        boolean holds(Sample sample) {
            return value.equals(sample.labels().getOrDefault(label, "")) == equal;
        }
    }

    private List<Matching> matchers() {
        List<Matching> matchers = new ArrayList<>();
        if (!peek().equals("{")) {
            return matchers;
        }
        at++;
        while (!peek().equals("}")) {
            String label = next();
            if (!label.equals(",")) {
                boolean equal = next().equals("=");
                String value = next();
                matchers.add(new Matching(label, equal, value.substring(1, value.length() - 1)));
            }
        }
        expect("}");
        return matchers;
    }

    private static List<Sample> select(Scrape scrape, String name, List<Matching> matchers) {
        List<Sample> named = scrape.named(name);
        if (named.isEmpty()) {
            throw new IllegalArgumentException("there is no metric " + name);
        }
        return named.stream()
                .filter(sample -> matchers.stream().allMatch(matcher -> matcher.holds(sample)))
                .toList();
    }

    private static double value(List<Sample> samples, Map<String, String> labels) {
        return samples.stream()
                .filter(sample -> sample.labels().equals(labels))
                .mapToDouble(Sample::value)
                .sum();
    }

    private double number() {
        return Double.parseDouble(tokens.get(at));
    }

    private String peek() {
        return at < tokens.size() ? tokens.get(at) : "";
    }

    private String next() {
        return tokens.get(at++);
    }

    private void expect(String... expected) {
        String token = next();
        if (!Arrays.asList(expected).contains(token)) {
            throw new IllegalArgumentException(token + " (expected: " + String.join(", ", expected) + ")");
        }
    }
}
