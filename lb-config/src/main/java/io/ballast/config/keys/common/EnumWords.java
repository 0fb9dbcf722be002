package io.ballast.config.keys.common;

import io.ballast.config.key.Scalars;
import io.ballast.config.key.Type;
import java.util.Locale;

/** Enum constants as words in lower case. */
public final class EnumWords {

    private EnumWords() {}

    /** Returns a type whose values are the constants of an enum. */
    public static <E extends Enum<E>> Type<E> of(Class<E> type) {
        return Scalars.constant(type, constant -> constant.name().toLowerCase(Locale.ROOT));
    }

    public static String upper(String word) {
        return word.toUpperCase(Locale.ROOT);
    }
}
