package io.ballast.dashboard.source;

/**
 * The number of names with a certain result, among the names that clients requested.
 *
 * @param result such as {@code issued}
 */
public record OnDemandCount(String result, long count) {}
