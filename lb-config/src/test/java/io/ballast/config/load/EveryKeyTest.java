package io.ballast.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.BallastConfig;
import io.ballast.config.key.Shape;
import io.ballast.config.longform.LongForm;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests that a configuration file can set every component of the configuration records. */
class EveryKeyTest {

    private static final Path GOOD = ConfigFiles.GOLDEN.resolve("good");
    private static final Path DEFAULTS = GOOD.resolve("defaults.yaml");

    /** All valid files. One file is not enough, because some keys exclude each other. */
    private static final List<Path> FILES = ConfigFiles.in(GOOD);

    /**
     * Components that files cannot set at these paths: thresholds have keys only in nested targets, and learned
     * latencies need several targets.
     */
    private static final Set<String> WITHOUT_KEY_AT_THIS_PLACE = Set.of(
            ".dns.zones.services.target.thresholds.weight",
            ".dns.zones.services.target.thresholds.minHealthyPercent",
            ".dns.zones.services.target.latency.learned");

    @Test
    void everyConfigurationComponentHasKey() throws Exception {
        Object defaults = load(DEFAULTS);
        Set<String> same = new LinkedHashSet<>();
        Set<String> changed = new HashSet<>();
        for (Path file : FILES) {
            compare("", defaults, load(file), same, changed);
        }
        same.removeAll(changed);
        same.removeAll(WITHOUT_KEY_AT_THIS_PLACE);

        assertThat(same).as("components that the files leave as they are").isEmpty();
    }

    @Test
    void everyKeyWithDefaultHasAnotherValueInSomeFile() throws Exception {
        NonDefaultKeys keys = new NonDefaultKeys();
        for (Path file : FILES) {
            keys.of(load(file));
        }

        List<String> missing = new ArrayList<>();
        for (Shape<?> shape : LongForm.SHAPE.shapes()) {
            shape.keys().stream()
                    .filter(key -> key.fallback().isPresent() && !keys.found().contains(key))
                    .forEach(key -> missing.add(shape.name() + "." + key));
        }
        assertThat(missing).isEmpty();
    }

    private static BallastConfig load(Path file) throws ConfigException {
        return ConfigFiles.loader().load(file).config();
    }

    /**
     * Collects the paths of the values that are equal in both objects, and of the values that differ. Compares only the
     * first elements of collections.
     */
    private static void compare(String path, Object one, Object other, Set<String> same, Set<String> changed)
            throws Exception {
        Object first = first(one);
        Object second = first(other);
        if (first instanceof Record && first.getClass() == second.getClass()) {
            for (RecordComponent component : first.getClass().getRecordComponents()) {
                Object left = component.getAccessor().invoke(first);
                Object right = component.getAccessor().invoke(second);
                compare(
                        path + "." + component.getName(),
                        String.valueOf(left).equals("null") ? "null" : left,
                        String.valueOf(right).equals("null") ? "null" : right,
                        same,
                        changed);
            }
        } else {
            (first.equals(second) ? same : changed).add(path);
        }
    }

    private static Object first(Object value) {
        if (value instanceof Optional<?> optional) {
            return optional.isPresent() ? first(optional.get()) : "absent";
        }
        if (value instanceof Map<?, ?> map) {
            return first(map.values());
        }
        if (value instanceof Collection<?> collection) {
            return collection.isEmpty() ? "empty" : first(collection.iterator().next());
        }
        return value;
    }
}
