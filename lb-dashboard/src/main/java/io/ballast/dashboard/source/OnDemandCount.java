package io.ballast.dashboard.source;

/**
 * How many names that clients asked for had a certain result.
 *
 * @param result such as {@code issued}
 */
public record OnDemandCount(String result, long count) {}
