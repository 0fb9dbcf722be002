package io.ballast.config.key;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** Collects the keys of a {@link Shape} in the order in which they are printed and explained. */
public final class ShapeBuilder<R> {

    private final String name;
    private final String summary;
    private final Map<String, Shape.Slot<R, ?>> slots = new LinkedHashMap<>();
    private final List<KeyRule> rules = new ArrayList<>();
    private final Map<Key<?>, ReloadEffect> effects = new HashMap<>();
    private Optional<ReloadEffect> effect = Optional.empty();
    private Function<String, Optional<String>> unknownKeyHints = key -> Optional.empty();

    ShapeBuilder(String name, String summary) {
        this.name = name;
        this.summary = summary;
    }

    /** Adds a required key. */
    public <T> Key<T> required(String key, Type<T> type, String about, Function<R, T> getter) {
        return add(new Key<>(key, type, true, Optional.empty(), about), getter.andThen(Optional::of));
    }

    /** Adds a required key that is never printed, because its value is printed under other keys. */
    public <T> Key<T> required(String key, Type<T> type, String about) {
        return add(new Key<>(key, type, true, Optional.empty(), about), value -> Optional.empty());
    }

    /** Adds a key with a default. */
    public <T> Key<T> optional(String key, Type<T> type, T fallback, String about, Function<R, T> getter) {
        return add(new Key<>(key, type, false, Optional.of(fallback), about), getter.andThen(Optional::of));
    }

    /** Adds a key with a default. Its value is printed only if {@code hasMeaning} accepts the object. */
    public <T> Key<T> optional(
            String key, Type<T> type, T fallback, String about, Function<R, T> getter, Predicate<R> hasMeaning) {
        return add(
                new Key<>(key, type, false, Optional.of(fallback), about),
                value -> hasMeaning.test(value) ? Optional.of(getter.apply(value)) : Optional.empty());
    }

    /** Adds an optional key without a default. */
    public <T> Key<T> optional(String key, Type<T> type, String about, Function<R, Optional<T>> getter) {
        return add(new Key<>(key, type, false, Optional.empty(), about), getter);
    }

    /** Adds an optional key that is never printed, because its value is printed under other keys. */
    public <T> Key<T> shorthand(String key, Type<T> type, String about) {
        return add(new Key<>(key, type, false, Optional.empty(), about), value -> Optional.empty());
    }

    /** Adds a key of another balancer that has no meaning here; using it causes a warning with the reason. */
    public void ignored(String key, String why) {
        shorthand(key, new IgnoredType(why), "ignored: " + why);
    }

    /**
     * Adds hints to the error messages about unknown keys. If an unknown key is valid in another object of the
     * configuration, {@code where} returns its location there.
     */
    public void unknownKeyHints(Function<String, Optional<String>> where) {
        unknownKeyHints = where;
    }

    /**
     * Sets when changed values take effect after a reload, here and in nested objects that do not set their own
     * effect.
     */
    public void onReload(ReloadEffect general) {
        effect = Optional.of(general);
    }

    /**
     * Sets when changed values of some keys take effect after a reload; also applies to objects under these keys
     * that do not set their own effect.
     */
    public void onReload(ReloadEffect special, Key<?>... keys) {
        List.of(keys).forEach(key -> effects.put(key, special));
    }

    /** Requires exactly one of the keys. */
    public void exactlyOne(Key<?>... keys) {
        rules.add(new KeyRule(List.of(keys), /* requiresOne= */ true, /* allowsOnlyOne= */ true));
    }

    /** Requires at least one of the keys. */
    public void atLeastOne(Key<?>... keys) {
        rules.add(new KeyRule(List.of(keys), /* requiresOne= */ true, /* allowsOnlyOne= */ false));
    }

    /** Allows at most one of the keys. */
    public void atMostOne(Key<?>... keys) {
        rules.add(new KeyRule(List.of(keys), /* requiresOne= */ false, /* allowsOnlyOne= */ true));
    }

    /**
     * Builds the shape. {@code build} creates the value; it may throw an exception with a message of the form
     * {@code name: value (expected: ...)} to reject the file's values.
     */
    public Shape<R> build(Function<Values, R> build) {
        Shape.ReloadEffects onReload = new Shape.ReloadEffects(effect, Map.copyOf(effects));
        return new Shape<>(
                name, summary, new LinkedHashMap<>(slots), List.copyOf(rules), onReload, unknownKeyHints, build);
    }

    private <T> Key<T> add(Key<T> key, Function<R, Optional<T>> getter) {
        slots.put(key.name(), new Shape.Slot<>(key, getter));
        return key;
    }
}
