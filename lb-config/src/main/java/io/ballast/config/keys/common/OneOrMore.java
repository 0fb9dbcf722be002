package io.ballast.config.keys.common;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Type;
import java.util.List;

/** A list without duplicates; a list of one item may be written as the item alone. */
public final class OneOrMore {

    private OneOrMore() {}

    /**
     * Returns the type for a list of one or more {@code item}s without duplicates. Error messages about
     * duplicates use {@code label} as the name of an item.
     */
    public static <T> Type<List<T>> of(Type<T> item, String label) {
        Type<List<T>> list = ListType.atLeastOne(item).unique(label, value -> value);
        return new BriefType<>(item.map(List::of, values -> values.get(0)), list, values -> values.size() == 1);
    }
}
