package io.ballast.config.imports.haproxy;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.UntranslatableException;
import io.ballast.core.DurationText;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Converts the request counters of a frontend, which are {@code track-sc} rules with their stick tables, to rate
 * limits. Thread safety: confined to one thread.
 */
final class HaproxyCounters {

    private static final Pattern SAMPLE = Pattern.compile("(?:sc([012])?|src)_http_req_rate");
    private static final Pattern RATE = Pattern.compile("http_req_rate\\(([0-9a-z]+)\\)");
    private static final Pattern KEY =
            Pattern.compile("(src|path|(?:req\\.)?f?hdr|(?:req\\.)?cook)(?:\\(([^),]+)\\))?");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,9})([kmg]?)");
    private static final int MAX_COUNT = 1_000_000;
    private static final int MAX_KEYS = 10_000_000;
    private static final int WHOLE_ADDRESS = 128;
    private static final Duration LONGEST_PERIOD = Duration.ofDays(1);

    private final HaproxySection section;
    private final HaproxyPolicySources sources;
    private final ImportReport report;
    private final Map<String, Directive> tracked = new HashMap<>();

    HaproxyCounters(HaproxySection section, HaproxyPolicySources sources, ImportReport report) {
        this.section = section;
        this.sources = sources;
        this.report = report;
    }

    /** Registers a rule {@code track-sc0 KEY [table NAME]}. The rule is reported when a limit uses it. */
    void track(Directive rule) throws UntranslatableException {
        if (!HaproxyHeaders.condition(rule).isEmpty()) {
            throw new UntranslatableException("conditions are not supported for this rule; use policies of a route");
        }
        tracked.put(rule.word(1).substring("track-sc".length()), rule);
    }

    /** Returns whether a criterion compares the rate of requests. */
    static boolean isRate(HaproxyCriterion criterion) {
        return SAMPLE.matcher(criterion.sample()).matches();
    }

    /** Returns the settings of a rate limit that permits the same rate as a condition on a counter. */
    Map<String, Object> limit(HaproxyCriterion criterion, List<String> notes) throws UntranslatableException {
        Matcher sample = SAMPLE.matcher(criterion.sample());
        String[] arguments = criterion.argument().split(",", -1);
        boolean ofSource = criterion.sample().startsWith("src");
        boolean isNumbered = sample.matches() && sample.group(1) != null;
        String key = "src";
        String table = ofSource || isNumbered ? arguments[0] : arguments.length > 1 ? arguments[1] : "";
        if (!ofSource) {
            String number = isNumbered ? String.valueOf(sample.group(1)) : arguments[0];
            Directive rule = Optional.ofNullable(tracked.get(number))
                    .orElseThrow(
                            () -> new UntranslatableException("no track-sc" + number + " rule precedes this rule"));
            key = rule.word(2);
            table = table.isEmpty() && rule.word(3).equals("table") ? rule.word(4) : table;
            report.addSame(rule);
        }
        Map<String, Object> settings = rate(criterion, table(table));
        key(key, settings);
        notes.add("all requests of a period may arrive at once (as a burst), and refused requests are not counted");
        return settings;
    }

    private Directive table(String name) throws UntranslatableException {
        return Optional.ofNullable(sources.tables().get(name.isEmpty() ? section.name() : name))
                .orElseThrow(() -> new UntranslatableException("the stick-table is not defined in the file"));
    }

    private Map<String, Object> rate(HaproxyCriterion criterion, Directive table) throws UntranslatableException {
        Matcher stored = RATE.matcher(String.join(" ", table.words()));
        if (!stored.find()) {
            throw new UntranslatableException("the stick-table does not store http_req_rate");
        }
        Duration period = DurationText.parse(HaproxyTime.toDurationText(String.valueOf(stored.group(1))));
        boolean isWhole = period.toMillis() % 1000 == 0 && !period.isZero() && period.compareTo(LONGEST_PERIOD) <= 0;
        Map<String, Object> settings = new LinkedHashMap<>();
        if (!isWhole) {
            throw new UntranslatableException(
                    "the period of http_req_rate must be a whole number of seconds, at most one day");
        }
        settings.put("rate", count(criterion.values()) + "/" + seconds(period));
        keys(table, settings);
        report.addSame(table);
        return settings;
    }

    private static String seconds(Duration period) {
        return period.toSeconds() == 1
                ? "s"
                : period.toSeconds() < 100_000 ? period.toSeconds() + "s" : period.toMinutes() + "m";
    }

    /** Returns the number of requests that a comparison such as {@code gt 100} lets pass. */
    private static int count(List<String> comparison) throws UntranslatableException {
        boolean isSupported = comparison.size() == 2
                && comparison.get(0).matches("gt|ge")
                && comparison.get(1).matches("[0-9]{1,7}");
        int count = isSupported
                ? Integer.parseInt(comparison.get(1)) - (comparison.get(0).equals("ge") ? 1 : 0)
                : 0;
        if (count < 1 || count > MAX_COUNT) {
            throw new UntranslatableException("unsupported comparison (expected: gt and a number of 1 to 1000000)");
        }
        return count;
    }

    private static void keys(Directive table, Map<String, Object> settings) {
        Matcher size =
                SIZE.matcher(table.word(table.words().indexOf("size") + 1).toLowerCase(Locale.ROOT));
        if (table.words().contains("size") && size.matches()) {
            int shift =
                    switch (String.valueOf(size.group(2))) {
                        case "k" -> 10;
                        case "m" -> 20;
                        case "g" -> 30;
                        default -> 0;
                    };
            long keys = Long.parseLong(size.group(1)) << shift;
            settings.put("keys", (int) Math.max(1, Math.min(keys, MAX_KEYS)));
        }
    }

    private static void key(String text, Map<String, Object> settings) throws UntranslatableException {
        Matcher key = KEY.matcher(text);
        if (!key.matches()) {
            throw new UntranslatableException("unsupported key; see 'key' of a rate_limit policy");
        }
        String name = String.valueOf(key.group(2));
        switch (String.valueOf(key.group(1)).replace("req.", "")) {
            case "src" -> settings.put("ipv6_prefix", WHOLE_ADDRESS);
            case "path" -> settings.put("key", "path");
            case "cook" -> {
                settings.put("key", List.of(Map.of("cookie", name)));
                settings.put("missing", "skip");
            }
            default -> {
                settings.put("key", List.of(Map.of("header", name)));
                settings.put("missing", "skip");
            }
        }
    }
}
