/**
 * The backend side of HTTP/1.1. Connections serve one exchange at a time ({@link
 * io.ballast.http.h1.backend.BackendConnection}) or several ({@link io.ballast.http.h1.backend.PipelinedConnection}).
 * Exchanges get connections from {@link io.ballast.http.h1.backend.BackendLoop}.
 *
 * <p>The classes of this package are confined to one event loop, except for the connection quotas, which all loops
 * share.
 */
@NullMarked
package io.ballast.http.h1.backend;

import org.jspecify.annotations.NullMarked;
