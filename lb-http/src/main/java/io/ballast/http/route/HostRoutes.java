package io.ballast.http.route;

import org.jspecify.annotations.Nullable;

/**
 * The routes of one host or suffix.
 *
 * @param next the less specific hosts to try when none of these routes takes a request
 */
record HostRoutes(PathTable paths, @Nullable HostRoutes next) {}
