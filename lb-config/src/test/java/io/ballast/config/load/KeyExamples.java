package io.ballast.config.load;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.ballast.config.key.Key;
import io.ballast.config.key.Shape;
import io.ballast.config.yaml.YamlWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Examples of the configuration objects: parts of the example files, which {@link ExampleFilesTest} loads. */
final class KeyExamples {

    /** Longer nested objects are omitted, because they have their own examples. */
    private static final int MAX_NESTED_LINES = 4;

    private static final int MAX_LIST_ITEMS = 2;

    /** The keys whose lists are shown completely, because a shortened list would be invalid. */
    private static final Set<String> COMPLETE = Set.of("voters");

    /** The candidates of each shape, by its name, in the order of the files. */
    private final Map<String, List<KeyExample>> candidates = new LinkedHashMap<>();

    /**
     * Collects all objects in files.
     *
     * @param forms the shapes that a whole file can have
     * @param files the files; if several examples are equally good, the example of the first file is used
     */
    KeyExamples(List<Shape<?>> forms, List<Path> files) throws IOException {
        for (Path file : files) {
            Map<?, ?> object = new YAMLMapper().readValue(file.toFile(), Map.class);
            forms.stream().filter(form -> isInstance(form, object)).forEach(form -> {
                offer(form, new KeyExample.WholeFile(withoutLongObjects(form, object)));
                collect(form, object);
            });
        }
    }

    /**
     * Returns the shapes of a key's value: the shapes of the value itself or of its elements, but not those that
     * are nested in them.
     */
    static List<Shape<?>> nested(Key<?> key) {
        List<Shape<?>> all = key.type().shapes();
        Set<Shape<?>> deeper =
                all.stream().flatMap(shape -> shape.shapes().stream().skip(1)).collect(Collectors.toSet());
        List<Shape<?>> outer =
                all.stream().filter(shape -> !deeper.contains(shape)).toList();
        return outer.isEmpty() ? all : outer;
    }

    /** Returns examples in YAML that together show every key of the shape for which a file has a value. */
    List<String> of(Shape<?> shape) {
        List<KeyExample> merged = new ArrayList<>();
        for (KeyExample next : selected(shape)) {
            int last = merged.size() - 1;
            if (last >= 0 && merged.get(last).canTake(next)) {
                merged.set(last, merged.get(last).with(next));
            } else {
                merged.add(next);
            }
        }
        return merged.stream().map(example -> text(example.tree())).toList();
    }

    /** Returns whether the examples of the shape, or of an object that is the key's value, contain the key. */
    boolean show(Shape<?> shape, Key<?> key) {
        return selected(shape).stream().anyMatch(example -> example.shows(key.name()))
                || nested(key).stream()
                        .flatMap(inner -> selected(inner).stream())
                        .anyMatch(example -> example.tree().containsKey(key.name()));
    }

    /**
     * Selects the candidate that shows the most keys, then repeatedly the candidate that shows the most remaining keys.
     */
    private List<KeyExample> selected(Shape<?> shape) {
        Set<String> remaining = shape.keys().stream().map(Key::name).collect(Collectors.toCollection(HashSet::new));
        List<KeyExample> selected = new ArrayList<>();
        while (true) {
            Optional<KeyExample> best = candidates.getOrDefault(shape.name(), List.of()).stream()
                    .max(Comparator.comparingLong(candidate ->
                            remaining.stream().filter(candidate::shows).count()));
            if (best.isEmpty() || remaining.stream().noneMatch(best.get()::shows)) {
                return selected;
            }
            remaining.removeIf(best.get()::shows);
            selected.add(best.get());
        }
    }

    /** Returns the text as it is in a file: a dollar sign begins a variable, so it is not doubled. */
    private static String text(Map<String, ?> tree) {
        return YamlWriter.write(tree).replace("$$", "$");
    }

    private void offer(Shape<?> shape, KeyExample example) {
        candidates.computeIfAbsent(shape.name(), name -> new ArrayList<>()).add(example);
    }

    private void collect(Shape<?> shape, Map<?, ?> object) {
        for (Key<?> key : shape.keys()) {
            Object value = object.get(key.name());
            if (value != null) {
                nested(key).forEach(inner -> collect(inner, key.name(), value));
            }
        }
    }

    /** Collects the objects of a shape in the value of a key: the value itself, its elements or its named elements. */
    private void collect(Shape<?> shape, String key, Object value) {
        if (value instanceof List<?> list) {
            list.stream()
                    .filter(item -> isInstance(shape, item))
                    .forEach(item ->
                            collect(shape, new KeyExample.Item(key, brief(shape, (Map<?, ?>) item)), (Map<?, ?>) item));
        } else if (isInstance(shape, value)) {
            collect(shape, new KeyExample.Value(key, brief(shape, (Map<?, ?>) value)), (Map<?, ?>) value);
        } else if (value instanceof Map<?, ?> named) {
            named.forEach((name, item) -> {
                if (isInstance(shape, item)) {
                    Map<?, ?> shown = brief(shape, (Map<?, ?>) item);
                    collect(shape, new KeyExample.Named(key, name.toString(), shown), (Map<?, ?>) item);
                }
            });
        }
    }

    private void collect(Shape<?> shape, KeyExample example, Map<?, ?> object) {
        offer(shape, example);
        collect(shape, object);
    }

    private static boolean isInstance(Shape<?> shape, Object value) {
        Set<String> known = shape.keys().stream().map(Key::name).collect(Collectors.toSet());
        return value instanceof Map<?, ?> map && !map.isEmpty() && known.containsAll(map.keySet());
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

    /** Returns the object without long nested objects, but unchanged if it contains nothing else. */
    private static Map<?, ?> brief(Shape<?> shape, Map<?, ?> object) {
        Map<?, ?> brief = withoutLongObjects(shape, object);
        return brief.isEmpty() ? object : brief;
    }

    private static Map<?, ?> withoutLongObjects(Shape<?> shape, Map<?, ?> object) {
        Map<Object, Object> brief = new LinkedHashMap<>();
        Set<String> nested = shape.keys().stream()
                .filter(key -> !key.type().shapes().isEmpty())
                .map(Key::name)
                .collect(Collectors.toSet());
        object.forEach((key, value) -> {
            Object shown = value instanceof List<?> list && !COMPLETE.contains(key)
                    ? excerpt(list, nested.contains(key))
                    : value;
            boolean isLong = nested.contains(key)
                    && YamlWriter.write(Map.of("key", shown)).lines().count() > MAX_NESTED_LINES;
            if (!isLong) {
                brief.put(key, shown);
            }
        });
        return brief;
    }
}
