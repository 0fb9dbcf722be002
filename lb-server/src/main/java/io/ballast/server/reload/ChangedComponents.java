package io.ballast.server.reload;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Finds the record components whose values differ between two instances of a Java record. */
final class ChangedComponents {

    private ChangedComponents() {}

    /**
     * Returns the names of the components that differ, spelled like configuration keys, in the order of the
     * record.
     */
    static List<String> of(Record before, Record next) {
        List<String> changed = new ArrayList<>();
        for (RecordComponent component : before.getClass().getRecordComponents()) {
            if (!Objects.equals(value(component, before), value(component, next))) {
                changed.add(component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT));
            }
        }
        return changed;
    }

    private static Object value(RecordComponent component, Record of) {
        try {
            return component.getAccessor().invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read " + component, e);
        }
    }
}
