/**
 * The backend side of HTTP/1.1: connections that serve one exchange at a time ({@link
 * io.ballast.http.h1.backend.BackendConnection}) or several ({@link io.ballast.http.h1.backend.PipelinedConnection}), and
 * {@link io.ballast.http.h1.backend.BackendLoop}, where an exchange gets them from.
 *
 * <p>Everything here is confined to one event loop, except for the quotas of connections, which all share.
 */
@NullMarked
package io.ballast.http.h1.backend;

import org.jspecify.annotations.NullMarked;
