package io.ballast.config.key;

import java.util.Optional;

/**
 * One key of a shape. Compared by identity: a key belongs to the shape that created it.
 *
 * @param <T> the type of the key's value
 */
public final class Key<T> {

    private final String name;
    private final Type<T> type;
    private final boolean required;
    private final Optional<T> fallback;
    private final String summary;

    Key(String name, Type<T> type, boolean required, Optional<T> fallback, String summary) {
        this.name = name;
        this.type = type;
        this.required = required;
        this.fallback = fallback;
        this.summary = summary;
    }

    public String name() {
        return name;
    }

    public Type<T> type() {
        return type;
    }

    /** Returns whether a mapping without this key is an error. */
    public boolean isRequired() {
        return required;
    }

    /** Returns the default value. */
    public Optional<T> fallback() {
        return fallback;
    }

    /** Returns the default value as it is written in a configuration file. */
    public Optional<Object> printedFallback() {
        return fallback.map(type::print);
    }

    /** Returns the description: one sentence without its final dot. */
    public String summary() {
        return summary;
    }

    @Override
    public String toString() {
        return name;
    }
}
