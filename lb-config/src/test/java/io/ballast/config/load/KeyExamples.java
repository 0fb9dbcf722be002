package io.ballast.config.load;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.ballast.config.key.Key;
import io.ballast.config.key.Shape;
import io.ballast.config.yaml.YamlWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Examples of the configuration objects: the parts of config/full.yaml, which contains most keys and is loaded
 * by a test.
 */
final class KeyExamples {

    /** Nested objects with more lines have their own examples. */
    private static final int MAX_NESTED_LINES = 4;

    private static final int MAX_LIST_ITEMS = 2;

    private final Map<String, Map<String, Object>> examples = new LinkedHashMap<>();

    KeyExamples(Shape<?> root) throws IOException {
        Object file = new YAMLMapper()
                .readValue(ConfigFiles.EXAMPLES.resolve("full.yaml").toFile(), Object.class);
        collect(root, (Map<?, ?>) file);
    }

    /** Returns an example in YAML, with the key that holds the object; empty for an object without one. */
    Optional<String> of(Shape<?> shape) {
        return Optional.ofNullable(examples.get(shape.name())).map(YamlWriter::write);
    }

    private void collect(Shape<?> shape, Map<?, ?> object) {
        for (Key<?> key : shape.keys()) {
            Object value = object.get(key.name());
            if (value != null) {
                key.type()
                        .shapes()
                        .forEach(inner -> instances(inner, value).forEach(instance -> {
                            offer(inner, key.name(), value, instance);
                            collect(inner, instance);
                        }));
            }
        }
    }

    /** Replaces the example of a shape if the new example has more lines. */
    private void offer(Shape<?> shape, String key, Object value, Map<?, ?> instance) {
        Map<?, ?> brief = brief(shape, instance);
        Object shown = value == instance
                ? brief
                : value instanceof List ? List.of(brief) : Map.of(nameOf(value, instance), brief);
        Map<String, Object> known = examples.get(shape.name());
        if (known == null
                || YamlWriter.write(known).lines().count()
                        < YamlWriter.write(Map.of(key, shown)).lines().count()) {
            examples.put(shape.name(), Map.of(key, shown));
        }
    }

    private static Object nameOf(Object value, Map<?, ?> instance) {
        return ((Map<?, ?>) value)
                .entrySet().stream()
                        .filter(entry -> entry.getValue() == instance)
                        .map(entry -> (Object) entry.getKey())
                        .findFirst()
                        .orElse("name");
    }

    /** Returns the objects of a shape in a value: the value itself, its elements or its named elements. */
    private static List<Map<?, ?>> instances(Shape<?> shape, Object value) {
        Set<String> known = shape.keys().stream().map(Key::name).collect(Collectors.toSet());
        List<Map<?, ?>> found = new ArrayList<>();
        if (value instanceof Map<?, ?> map && !map.isEmpty() && known.containsAll(map.keySet())) {
            found.add(map);
        } else if (value instanceof Map<?, ?> map) {
            map.values().forEach(each -> found.addAll(each instanceof Map ? instances(shape, each) : List.of()));
        } else if (value instanceof List<?> list) {
            list.forEach(each -> found.addAll(instances(shape, each)));
        }
        return found;
    }

    /** Returns the first elements of a list, or the shortest object. */
    private static List<?> excerpt(List<?> list, boolean hasObjects) {
        return hasObjects
                ? list.stream()
                        .min(Comparator.comparing(
                                each -> YamlWriter.write(Map.of("key", each)).length()))
                        .map(each -> List.<Object>of(each))
                        .orElse(List.of())
                : list.subList(0, Math.min(MAX_LIST_ITEMS, list.size()));
    }

    /** Returns the object without long nested objects. */
    private static Map<?, ?> brief(Shape<?> shape, Map<?, ?> object) {
        Map<Object, Object> brief = new LinkedHashMap<>();
        Set<String> nested = shape.keys().stream()
                .filter(key -> !key.type().shapes().isEmpty())
                .map(Key::name)
                .collect(Collectors.toSet());
        object.forEach((key, value) -> {
            Object shown = value instanceof List<?> list ? excerpt(list, nested.contains(key)) : value;
            boolean isLong = nested.contains(key)
                    && YamlWriter.write(Map.of("key", shown)).lines().count() > MAX_NESTED_LINES;
            if (!isLong && !(shown instanceof Map<?, ?> map && map.isEmpty()) && !shown.equals(List.of())) {
                brief.put(key, shown);
            }
        });
        return brief.isEmpty() ? object : brief;
    }
}
