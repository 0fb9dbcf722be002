package io.ballast.core.config.header;

import java.util.List;

/**
 * The header changes of one direction. Names are case-insensitive.
 *
 * @param set fields that replace all fields of the same name
 * @param add fields that are appended
 * @param remove names of fields that are removed; applied first
 */
public record HeaderChanges(List<HeaderField> set, List<HeaderField> add, List<String> remove) {

    public static final HeaderChanges NONE = new HeaderChanges(List.of(), List.of(), List.of());

    public HeaderChanges {
        set = List.copyOf(set);
        add = List.copyOf(add);
        remove = List.copyOf(remove);
        remove.forEach(HeaderField::checkName);
    }
}
