package io.ballast.policy.work;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Objects that all policies of a process share, at most one of each class. They stay the same across reloads, even if
 * the rule of a policy changes. Thread safety: any thread may call any method.
 */
public final class SharedObjects {

    private final ConcurrentHashMap<Class<?>, Object> objects = new ConcurrentHashMap<>();

    /** Returns the object of a class, which the first call creates. */
    public <T> T get(Class<T> type, Supplier<T> factory) {
        return type.cast(objects.computeIfAbsent(type, first -> factory.get()));
    }
}
