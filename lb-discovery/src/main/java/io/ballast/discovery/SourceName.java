package io.ballast.discovery;

/**
 * Identifies a source of a pool. The name does not depend on settings such as intervals, so the results of a
 * source survive a change of these settings.
 *
 * @param label distinguishes the source from other sources of its pool, such as {@code dns app.internal}
 */
record SourceName(String pool, String label) {}
