package io.ballast.cli.api;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object of the dashboard's API, read by field names. A field that is missing, for example from an
 * older balancer, is read as zero, empty or {@code -}.
 */
public record ApiObject(Map<?, ?> fields) {

    public long number(String name) {
        return (long) decimal(name);
    }

    /** Like {@link #number(String)}, but reads the field {@code older} if there is no field {@code name}. */
    public long number(String name, String older) {
        return number(fields.containsKey(name) ? name : older);
    }

    public double decimal(String name) {
        Object value = fields.get(name);
        try {
            return value == null ? 0 : Double.parseDouble(value.toString());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    public boolean flag(String name) {
        return Boolean.TRUE.equals(fields.get(name));
    }

    public String text(String name) {
        return Objects.toString(fields.get(name), "-");
    }

    /** Returns the elements of an array as text. */
    public List<String> texts(String name) {
        return fields.get(name) instanceof List<?> list
                ? list.stream().map(Objects::toString).toList()
                : List.of();
    }

    /** Returns a nested object; an object without fields if there is none. */
    public ApiObject object(String name) {
        return of(fields.get(name));
    }

    public List<ApiObject> objects(String name) {
        List<ApiObject> objects = new ArrayList<>();
        if (fields.get(name) instanceof List<?> list) {
            list.stream().filter(Map.class::isInstance).map(ApiObject::of).forEach(objects::add);
        }
        return objects;
    }

    private static ApiObject of(@Nullable Object value) {
        return new ApiObject(value instanceof Map<?, ?> map ? map : new LinkedHashMap<>());
    }
}
