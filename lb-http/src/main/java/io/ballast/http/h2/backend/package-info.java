/**
 * The backend side of HTTP/2. {@link io.ballast.http.h2.backend.Http2Backends} manages the connections of an event
 * loop, and {@link io.ballast.http.h2.backend.BackendStream} is the stream of one attempt.
 */
@NullMarked
package io.ballast.http.h2.backend;

import org.jspecify.annotations.NullMarked;
