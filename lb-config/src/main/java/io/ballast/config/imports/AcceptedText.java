package io.ballast.config.imports;

import io.ballast.config.load.ConfigException;
import io.ballast.config.load.ConfigLoader;
import io.ballast.config.yaml.Problem;
import io.ballast.config.yaml.YamlWriter;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The text of an imported configuration, without the settings that Ballast's configuration reader rejects.
 *
 * <p>Only settings with a safe default, such as times and limits, are omitted. If the reader rejects an
 * address, route, header or TLS setting, the import fails, because the configuration would have a different
 * meaning without this setting.
 */
final class AcceptedText {

    private static final int MAX_ROUNDS = 20;
    private static final Pattern OF_LISTENER =
            Pattern.compile("listeners\\[([0-9]+)]\\.((?:deadlines|limits|access_log|session)\\..*)");
    private static final Pattern OF_POOL = Pattern.compile(
            "(?:outlier|connections|queue|retry)(?:\\..*)?|slow_start|health\\.(?:interval|fast_interval|timeout|rise|fall)");

    private final Map<String, Object> root;
    private final Set<String> pools;
    private final ImportReport report;

    AcceptedText(Map<String, Object> root, Set<String> pools, ImportReport report) {
        this.root = root;
        this.pools = pools;
        this.report = report;
    }

    String toYaml() throws ImportException {
        List<Problem> problems = List.of();
        for (int round = 0; round < MAX_ROUNDS; round++) {
            String text = EnvironmentReference.replaceMarks(YamlWriter.write(root));
            problems = problems(text);
            if (problems.isEmpty()) {
                return text;
            }
            if (problems.stream().filter(this::omitSetting).count() == 0) {
                break;
            }
        }
        throw new ImportException("nothing was written, because Ballast would reject the result: "
                + problems.stream()
                        .map(problem -> problem.path().isEmpty()
                                ? problem.message()
                                : problem.path() + ": " + problem.message())
                        .collect(Collectors.joining("; ")));
    }

    /**
     * Returns the problems that Ballast's own reader finds in the text. Environment variables that the text
     * refers to need not be set.
     */
    private static List<Problem> problems(String text) {
        try {
            new ConfigLoader(AcceptedText::variable)
                    .load("<written>", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
            return List.of();
        } catch (ConfigException e) {
            return e.problems();
        }
    }

    private static String variable(String name) {
        String value = System.getenv(name);
        return value == null ? "1" : value;
    }

    private boolean omitSetting(Problem problem) {
        boolean isOmitted =
                setting(problem.path()).map(steps -> remove(root, steps)).orElse(false);
        if (isOmitted) {
            report.omitted(problem.path() + ": " + problem.message());
        }
        return isOmitted;
    }

    /** Splits the path of a setting that may be omitted into its keys; returns empty for all other settings. */
    private Optional<List<Object>> setting(String path) {
        Matcher ofListener = OF_LISTENER.matcher(path);
        if (ofListener.matches()) {
            return Optional.of(
                    List.of("listeners", Integer.valueOf(ofListener.group(1)), String.valueOf(ofListener.group(2))));
        }
        return pools.stream()
                .filter(pool -> path.startsWith("pools." + pool + "."))
                .map(pool -> List.<Object>of(
                        "pools", pool, path.substring("pools.".length() + pool.length() + ".".length())))
                .filter(steps -> OF_POOL.matcher(steps.get(2).toString().replaceAll("\\[.*", ""))
                        .matches())
                .findFirst();
    }

    private static boolean remove(Map<String, Object> root, List<Object> steps) {
        Object at = root.get(steps.get(0).toString());
        if (at instanceof List<?> list && steps.get(1) instanceof Integer index && index < list.size()) {
            at = list.get(index);
        } else if (at instanceof Map<?, ?> map) {
            at = map.get(steps.get(1));
        }
        String[] keys = steps.get(2).toString().replaceAll("\\[.*", "").split("\\.", -1);
        for (int i = 0; i < keys.length - 1; i++) {
            at = at instanceof Map<?, ?> map ? map.get(keys[i]) : null;
        }
        return at instanceof Map<?, ?> map && map.remove(keys[keys.length - 1]) != null;
    }
}
