package io.ballast.filter;

/**
 * Creates a filter from its settings. The class must be public and must have a public constructor without parameters.
 *
 * <p>Thread safety: Ballast uses each object on one thread.
 */
public interface FilterFactory {

    /**
     * Checks the settings, without side effects such as connections or threads. {@code lb check} and every reload call
     * this method.
     *
     * @throws IllegalArgumentException if a setting is invalid. Its message is reported as an error of the
     *     configuration
     */
    default void check(FilterSettings settings) {}

    /**
     * Creates the filter when its configuration becomes active. Called once, and again for each reload that changes the
     * jar or the keys of the filter, always after {@link #check}. May block; the start or the reload of the process
     * waits until it returns.
     *
     * @throws Exception if the filter cannot be created. Then the start of the process fails, or the reload has no
     *     effect
     */
    Filter create(FilterSettings settings) throws Exception;
}
