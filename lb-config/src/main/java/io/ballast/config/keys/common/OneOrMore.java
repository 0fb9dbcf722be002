package io.ballast.config.keys.common;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Type;
import java.util.List;

/** A list without repetitions, or its only item alone. */
public final class OneOrMore {

    private OneOrMore() {}

    /** Returns the list of what {@code item} reads; {@code label} names an item that is repeated. */
    public static <T> Type<List<T>> of(Type<T> item, String label) {
        Type<List<T>> list = ListType.atLeastOne(item).unique(label, value -> value);
        return new BriefType<>(item.map(List::of, values -> values.get(0)), list, values -> values.size() == 1);
    }
}
