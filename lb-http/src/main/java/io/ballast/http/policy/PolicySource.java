package io.ballast.http.policy;

import java.util.List;

/** Finds policies by name when routes are compiled. */
@FunctionalInterface
public interface PolicySource {

    /** Finds no policies. */
    PolicySource NONE = names -> List.of();

    /**
     * Returns the named policies, in the given order. The configuration has checked that each name exists.
     *
     * @throws IllegalArgumentException if there is no policy with one of the names
     */
    List<NamedPolicy> find(List<String> names);

    /** Returns the policies that are defined by the keys of a pool, such as its circuit breaker. */
    default List<NamedPolicy> ofPool(String pool) {
        return List.of();
    }
}
