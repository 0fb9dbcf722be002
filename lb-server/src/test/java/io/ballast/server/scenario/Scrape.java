package io.ballast.server.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The content of {@code /metrics} at one moment. */
record Scrape(List<Sample> samples) {

    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    /** A value with its labels, from one line of a scrape or from a result. */
    record Sample(String name, Map<String, String> labels, double value) {}

    static Scrape of(String text) {
        List<Sample> samples = new ArrayList<>();
        for (String line : text.split("\n")) {
            Matcher matcher = SAMPLE.matcher(line);
            if (!line.startsWith("#") && matcher.matches()) {
                String value = matcher.group(3).replace("Inf", "Infinity");
                samples.add(new Sample(matcher.group(1), labels(matcher.group(2)), Double.parseDouble(value)));
            }
        }
        return new Scrape(samples);
    }

    List<Sample> named(String name) {
        return samples.stream().filter(sample -> sample.name().equals(name)).toList();
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new TreeMap<>();
        Matcher matcher = LABEL.matcher(text == null ? "" : text);
        while (matcher.find()) {
            labels.put(matcher.group(1), matcher.group(2));
        }
        return labels;
    }
}
