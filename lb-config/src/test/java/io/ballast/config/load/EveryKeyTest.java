package io.ballast.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.BallastConfig;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests that a configuration file can set every component of the configuration records. */
class EveryKeyTest {

    @Test
    void everyConfigurationComponentHasKey() throws Exception {
        Object defaults = load("defaults.yaml");
        // Several files, because some keys exclude one another.
        List<String> same = new ArrayList<>();
        compare("", defaults, load("nothing-by-default.yaml"), same);
        for (String file :
                List.of("zone-file.yaml", "secondary.yaml", "unix-sockets.yaml", "insecure.yaml", "strategies.yaml")) {
            List<String> sameInOther = new ArrayList<>();
            compare("", defaults, load(file), sameInOther);
            same.retainAll(sameInOther);
        }

        assertThat(same).as("components that the file leaves as they are").isEmpty();
    }

    private static BallastConfig load(String file) throws ConfigException {
        return ConfigFiles.loader()
                .load(ConfigFiles.GOLDEN.resolve("good").resolve(file))
                .config();
    }

    /** Collects the paths of equal leaves; compares only the first elements of collections. */
    private static void compare(String path, Object one, Object other, List<String> same) throws Exception {
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
                        same);
            }
        } else if (first.equals(second)) {
            same.add(path);
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
