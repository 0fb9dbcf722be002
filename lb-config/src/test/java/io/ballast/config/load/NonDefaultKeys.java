package io.ballast.config.load;

import io.ballast.config.BallastConfig;
import io.ballast.config.form.Forms;
import io.ballast.config.key.BriefType;
import io.ballast.config.key.DerivedType;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.NamedType;
import io.ballast.config.key.Shape;
import io.ballast.config.key.Type;
import io.ballast.config.longform.LongForm;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Removes the keys that have their default values from printed configurations. A key that is absent from the result has
 * the default value of its declaration.
 */
final class NonDefaultKeys {

    private final Set<Key<?>> found = new HashSet<>();

    /** Returns all keys that had a value other than their default in any printed object. */
    Set<Key<?>> found() {
        return found;
    }

    /** Returns the long form of a configuration without the keys that have their default values. */
    Map<String, Object> of(BallastConfig config) {
        return of(LongForm.SHAPE, Forms.tree(config));
    }

    /** Returns a printed object of a shape without the keys that have their default values. */
    Map<String, Object> of(Shape<?> shape, Map<?, ?> printed) {
        Map<String, Object> remaining = new LinkedHashMap<>();
        for (Key<?> key : shape.keys()) {
            Object value = printed.get(key.name());
            boolean isDefault = key.printedFallback()
                    .filter(fallback -> fallback.equals(value))
                    .isPresent();
            if (value != null && !isDefault) {
                found.add(key);
                remaining.put(key.name(), inside(key.type(), value));
            }
        }
        return remaining;
    }

    /** Returns a printed value of a type; objects inside it lose the keys that have their default values. */
    Object inside(Type<?> type, Object printed) {
        if (type instanceof DerivedType<?, ?> derived) {
            return inside(derived.source(), printed);
        }
        if (type instanceof BriefType<?> brief) {
            boolean isScalar = !(printed instanceof Map) && !(printed instanceof List);
            return inside(isScalar ? brief.brief() : brief.full(), printed);
        }
        if (type instanceof Shape<?> shape && printed instanceof Map<?, ?> object) {
            return of(shape, object);
        }
        if (type instanceof ListType<?> list && printed instanceof List<?> items) {
            return items.stream().map(item -> inside(list.item(), item)).toList();
        }
        if (type instanceof NamedType<?> named && printed instanceof Map<?, ?> values) {
            Map<Object, Object> remaining = new LinkedHashMap<>();
            values.forEach((name, value) -> remaining.put(name, inside(named.type(), value)));
            return remaining;
        }
        return printed;
    }
}
