package io.ballast.dashboard.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Metrics, parsed by the rules of Prometheus. A malformed line fails the test. */
record Exposition(Map<String, String> types, Map<String, String> help, List<Sample> samples) {

    private static final Pattern SAMPLE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (NaN|[-+]?Inf|[-+0-9.eE]+)");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\n]|\\\\.)*)\",?");

    record Sample(String name, Map<String, String> labels, double value) {}

    static Exposition of(String text) {
        Exposition exposition = new Exposition(new LinkedHashMap<>(), new LinkedHashMap<>(), new ArrayList<>());
        for (String line : text.split("\n")) {
            String[] words = line.split(" ", 4);
            if (line.startsWith("# TYPE ")) {
                exposition.types.put(words[2], words[3]);
            } else if (line.startsWith("# HELP ")) {
                exposition.help.put(words[2], words[3]);
            } else if (!line.startsWith("#")) {
                exposition.samples.add(sample(line));
            }
        }
        return exposition;
    }

    /** Returns the value of the only sample with that name and those labels. */
    double value(String name, Map<String, String> labels) {
        List<Sample> found = samples.stream()
                .filter(sample -> sample.name().equals(name) && sample.labels().equals(labels))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " samples " + name + labels);
        }
        return found.get(0).value();
    }

    private static Sample sample(String line) {
        Matcher matcher = SAMPLE.matcher(line);
        if (!matcher.matches()) {
            throw new AssertionError("not a sample: " + line);
        }
        String value = matcher.group(3).replace("Inf", "Infinity");
        return new Sample(matcher.group(1), labels(matcher.group(2)), Double.parseDouble(value));
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new TreeMap<>();
        if (text == null) {
            return labels;
        }
        Matcher matcher = LABEL.matcher(text);
        int end = 0;
        while (matcher.find() && matcher.start() == end) {
            labels.put(matcher.group(1), matcher.group(2));
            end = matcher.end();
        }
        if (end != text.length()) {
            throw new AssertionError("not labels: " + text);
        }
        return labels;
    }
}
