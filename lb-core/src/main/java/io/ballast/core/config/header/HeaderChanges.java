package io.ballast.core.config.header;

import java.util.List;

/**
 * What is changed in the headers of one direction. Names are compared without regard to case.
 *
 * @param set lines that take the place of all lines of the same name
 * @param add lines that are added to what is there
 * @param remove names of lines that are left out; done first
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
