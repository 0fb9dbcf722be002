package io.ballast.config.keys.common;

import io.ballast.config.key.Scalars;
import io.ballast.config.key.Type;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Enum constants as words in lower case. */
public final class EnumWords {

    private EnumWords() {}

    /** Returns a type whose values are the constants of an enum. */
    public static <E extends Enum<E>> Type<E> of(Class<E> type) {
        return Scalars.constant(type, EnumWords::word);
    }

    /** Like {@link #of(Class)}, but without the constant {@code excluded}. */
    public static <E extends Enum<E>> Type<E> of(Class<E> type, E excluded) {
        Map<String, E> words = new LinkedHashMap<>();
        for (E constant : type.getEnumConstants()) {
            if (constant != excluded) {
                words.put(word(constant), constant);
            }
        }
        return Scalars.choice(words, EnumWords::word);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    public static String upper(String word) {
        return word.toUpperCase(Locale.ROOT);
    }
}
